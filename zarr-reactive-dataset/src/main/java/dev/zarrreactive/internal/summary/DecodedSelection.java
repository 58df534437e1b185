package dev.zarrreactive.internal.summary;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.ChunkWork;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.flow.Concurrently;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * The decoded elements of a selection.
 *
 * @param array that is read
 * @param decoding of its elements
 * @param selection of stored elements
 * @param sparse what is stored of a sparse selection; null to ask for every chunk
 */
public record DecodedSelection(
    ZarrArray array, CfDecoding decoding, Selection selection, @Nullable Sparse sparse) {
  private static final int CONCURRENCY = 16;

  /**
   * What is stored of a selection of which most chunks are missing.
   *
   * @param stored selections of stored elements that together have all chunks that are stored
   * @param missingElements the number of all other elements, which have the fill value
   * @param chunks the number of all chunks, inner chunks where there are shards
   */
  public record Sparse(List<Selection> stored, long missingElements, long chunks) {
    /** Copies the list. */
    public Sparse {
      stored = List.copyOf(stored);
    }
  }

  /**
   * Hands on what is made of the decoded elements of each chunk; codec threads make it.
   *
   * @param keepsElements whether what is made keeps the elements
   */
  <T> Flux<T> chunks(boolean keepsElements, Function<NdArray, T> work) {
    ChunkWork<T> decoded =
        new ChunkWork<>() {
          @Override
          public T apply(Chunk chunk) {
            return work.apply(decoding.decode(chunk.data()));
          }

          @Override
          public int growth() {
            int stored = array.dataType().memorySize();
            return Math.max(1, (decoding.dataType().memorySize() + stored - 1) / stored);
          }

          @Override
          public boolean retainsChunk() {
            return keepsElements;
          }
        };
    Flux<T> chunks =
        sparse == null
            ? array.chunks(selection, decoded)
            : Concurrently.map(
                Flux.fromIterable(sparse.stored()),
                CONCURRENCY,
                part -> array.chunks(part, decoded));
    Location location = Location.ofNode(array.path().value());
    return chunks.onErrorMap(ZarrException.class, error -> error.at(location));
  }

  /** Returns the fill value, decoded. */
  NdArray fill() {
    return decoding.decode(NdArray.filled(Shape.of(1), array.fillValue()));
  }
}
