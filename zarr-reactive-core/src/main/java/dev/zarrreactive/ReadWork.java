package dev.zarrreactive;

import dev.zarrreactive.array.ChunkWork;
import dev.zarrreactive.array.ElementConversion;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.internal.encode.EncodedReader;
import dev.zarrreactive.internal.observation.Instrumentation;
import dev.zarrreactive.internal.read.ChunkReader;
import dev.zarrreactive.observation.ZarrOperation.Kind;
import java.nio.ByteBuffer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Reads of an array in which the codec threads do more than to decode: they convert elements on
 * their way into the result, or make something smaller of each chunk, several at a time. Elements
 * and chunks are still in the processor's cache then.
 *
 * <p>Publishers, selections, demand, cancel and errors are those of {@link ZarrArray}. Work is a
 * function of the chunk alone, and never blocks; its errors end the read. It may be called twice
 * for one chunk, of a shard that another program replaces.
 */
public final class ReadWork {
  private final ZarrArray array;
  private final ChunkReader reader;

  private ReadWork(ZarrArray array) {
    this.array = array;
    this.reader = new ChunkReader(array.storage);
  }

  /** Returns the reads of an array. */
  public static ReadWork of(ZarrArray array) {
    return new ReadWork(array);
  }

  /** The options of the array, with the limits of its reads. */
  public ZarrOptions options() {
    return array.hierarchy.options();
  }

  /**
   * Reads a selection into one array of converted elements, as {@link ZarrArray#read(Selection)}.
   * Elements that are joined and that chunks divide are read first, and converted then.
   *
   * @return elements of {@link ElementConversion#target}; {@link
   *     dev.zarrreactive.error.UnsupportedFeatureException} for stored elements of a {@link
   *     dev.zarrreactive.datatype.VariableLengthType}
   * @throws IllegalArgumentException if the selection does not fit, or divides elements that are
   *     joined
   */
  public Mono<NdArray> read(Selection selection, ElementConversion conversion) {
    return observers()
        .of(Kind.READ, path(), reader.read(selection.resolve(array.shape()), conversion))
        .checkpoint("zarr read of " + path());
  }

  /**
   * Reads a selection's converted elements into the caller's memory, as {@link ZarrArray#readInto}:
   * memory that is used again is neither cleared nor collected.
   *
   * @throws IllegalArgumentException as there, and if elements are joined
   */
  public Mono<ByteBuffer> readInto(
      Selection selection, ElementConversion conversion, ByteBuffer target) {
    return observers()
        .of(
            Kind.READ,
            path(),
            new EncodedReader(array.storage, reader)
                .readInto(selection.resolve(array.shape()), conversion, target))
        .checkpoint("zarr read of " + path());
  }

  /**
   * Hands on the result of the work on each chunk, as {@link ZarrArray#chunks(Selection)} does with
   * chunks.
   */
  public <T> Flux<T> chunks(Selection selection, ChunkWork<T> work) {
    return observers()
        .of(Kind.READ_CHUNKS, path(), reader.chunks(selection.resolve(array.shape()), work, false))
        .checkpoint("zarr chunks of " + path());
  }

  /** As {@link #chunks}, in C order of the chunks' indices. */
  public <T> Flux<T> chunksInOrder(Selection selection, ChunkWork<T> work) {
    return observers()
        .of(Kind.READ_CHUNKS, path(), reader.chunks(selection.resolve(array.shape()), work, true))
        .checkpoint("zarr chunks of " + path());
  }

  private Instrumentation observers() {
    return array.hierarchy.instrumentation();
  }

  private String path() {
    return array.path().toString();
  }
}
