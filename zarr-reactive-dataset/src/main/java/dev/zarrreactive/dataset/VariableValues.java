package dev.zarrreactive.dataset;

import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.ChunkWork;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.cf.TimeCoding;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.error.Location;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Where a variable has its values: in a stored array, in memory, in a formula of others, put
 * together of others, or in calculations along a dimension of others.
 */
sealed interface VariableValues
    permits StoredValues, MemoryValues, CalculatedValues, AssembledValues {
  DataType dataType();

  /** The names of the dimensions, slowest first. */
  List<String> dimensions();

  Shape shape();

  /** Returns the positions of a dimension to which the places of chunks refer. */
  Axis positions(int dimension);

  /** Returns the positions of a dimension in what is divided into chunks. */
  default Axis divided(int dimension) {
    return positions(dimension);
  }

  /**
   * Returns the positions after the last one of each chunk along a dimension, where these are no
   * multiples of {@link #chunk}; an empty array where they are.
   */
  default long[] edges(int dimension) {
    return new long[0];
  }

  /** Returns the longest chunk along a dimension, in positions; empty where none is preferred. */
  Optional<Long> chunk(int dimension);

  /**
   * Returns the dimensions along which values are calculated from others before or after them: true
   * for one of which a block should have all positions, false where a block reads some more.
   */
  default Map<String, Boolean> along() {
    return Map.of();
  }

  /** Returns the values at positions of a dimension, where they have the dimension. */
  VariableValues with(String dimension, Axis positions);

  /** Returns the same values with another name of a dimension, where they have the dimension. */
  VariableValues renamed(String dimension, String other);

  /** The coding of times; empty for other values. */
  Optional<TimeCoding> times();

  Mono<NdArray> read(Selection selection);

  Mono<ByteBuffer> readInto(Selection selection, ByteBuffer target);

  Flux<Chunk> chunks(Selection selection);

  /** As {@link #chunks(Selection)}, in C order of the chunks. */
  Flux<Chunk> chunksInOrder(Selection selection);

  /** Reads all chunks, with elements that {@link #decoding} decodes. */
  <T> Flux<T> chunks(boolean isInOrder, ChunkWork<T> work);

  /** Returns the decoding of the elements of chunks; null where these are the values. */
  @Nullable CfDecoding decoding();

  /** The options of the stored arrays; the default ones where there is no array. */
  ZarrOptions options();

  /** The place of the array, for errors. */
  Location location();
}
