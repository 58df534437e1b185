package dev.zarrreactive;

import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.hierarchy.FoundNode;
import dev.zarrreactive.internal.read.ChunkReader;
import dev.zarrreactive.internal.write.ChunkWriter;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.observation.ZarrOperation.Kind;
import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.Store;
import java.nio.ByteBuffer;
import java.util.function.UnaryOperator;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * An array in a store (specification: "Array").
 *
 * <p>All publishers are cold and lazy: each subscription reads or writes again. Signals arrive on a
 * thread of the codec scheduler, or on the subscriber's thread if the store is not asked. A cancel
 * ends the reads in flight and makes no further request; a chunk whose write is in flight is
 * stored. A missing chunk reads as the fill value. Any other failure is a {@link
 * dev.zarrreactive.error.ZarrException} that names the array, the chunk and its key. A selection
 * that does not fit the shape throws {@link IllegalArgumentException} at once.
 */
public final class ZarrArray implements ZarrNode {
  private final ZarrHierarchy hierarchy;
  private final ArrayStorage storage;
  private final ChunkReader reader;
  private final ChunkWriter writer;

  ZarrArray(ZarrHierarchy hierarchy, ArrayStorage storage) {
    this.hierarchy = hierarchy;
    this.storage = storage;
    this.reader = new ChunkReader(storage);
    this.writer = new ChunkWriter(storage);
  }

  @Override
  public Store store() {
    return storage.store();
  }

  @Override
  public NodePath path() {
    return storage.path();
  }

  @Override
  public ArrayMetadata metadata() {
    return storage.metadata();
  }

  /** The extents. */
  public Shape shape() {
    return metadata().shape();
  }

  /** The type of the elements. */
  public DataType dataType() {
    return metadata().dataType();
  }

  /** The value of elements that are not stored. */
  public FillValue fillValue() {
    return metadata().fillValue();
  }

  /** The grid that divides the array into chunks. */
  public ChunkGrid chunkGrid() {
    return storage.grid();
  }

  /**
   * Reads a selection into one array in memory, of the selection's shape. {@link
   * dev.zarrreactive.error.UnsupportedFeatureException} if that is more than 2 GiB; {@link
   * #chunks(Selection)} has no such limit.
   */
  public Mono<NdArray> read(Selection selection) {
    return observed(Kind.READ, reader.read(selection.resolve(shape())))
        .checkpoint("zarr read of " + path());
  }

  /** Reads all elements, as {@link #read(Selection)}. */
  public Mono<NdArray> read() {
    return read(Selection.all());
  }

  /** Reads a selection in NumPy notation, {@code read("0:10,::2")}: see {@link Selection#parse}. */
  public Mono<NdArray> read(String selection) {
    return read(Selection.parse(selection));
  }

  /**
   * Reads a selection's elements in C order into the caller's memory, at the buffer's position.
   * They are memory images as {@link #bytes} has them: little-endian, whatever the buffer's order
   * is. The position of {@code target} stays. A heap buffer is decoded into without a copy; a
   * direct one is filled in bands of chunks.
   *
   * <p>Leave the buffer alone until the read has ended. After a cancel or an error its content is
   * undefined, and threads that were decoding a chunk may still write into it for a moment.
   *
   * @return the written part of the buffer, from position 0 to its limit, in little-endian order;
   *     for a {@link dev.zarrreactive.datatype.VariableLengthType} an {@link
   *     dev.zarrreactive.error.UnsupportedFeatureException}
   * @throws IllegalArgumentException if the selection does not fit the shape, the buffer is
   *     read-only, or too few bytes remain in it
   */
  public Mono<ByteBuffer> readInto(Selection selection, ByteBuffer target) {
    ResolvedSelection resolved = selection.resolve(shape());
    if (!(dataType() instanceof VariableLengthType)) {
      requireRoom(resolved.shape(), target);
    }
    return observed(Kind.READ, reader.readInto(resolved, target))
        .checkpoint("zarr read of " + path());
  }

  private void requireRoom(Shape selected, ByteBuffer target) {
    int room = target.remaining() / dataType().itemSize();
    if (target.isReadOnly() || selected.elementCountUpTo(room + 1L) > room) {
      throw new IllegalArgumentException(
          String.format(
              "a %s of %d remaining bytes has no room for %s elements of %s, of %d bytes each",
              target.isReadOnly() ? "read-only buffer" : "buffer",
              target.remaining(),
              selected.elementCount(),
              dataType(),
              dataType().itemSize()));
    }
  }

  /**
   * Reads a selection chunk by chunk, in the order in which the chunks arrive. Chunks are fetched
   * on demand, and at most {@link ZarrOptions#maxConcurrency} ahead of it. Empty for an empty
   * selection.
   */
  public Flux<Chunk> chunks(Selection selection) {
    return observed(Kind.READ_CHUNKS, reader.chunks(selection.resolve(shape())))
        .checkpoint("zarr chunks of " + path());
  }

  /** Reads all elements, as {@link #chunks(Selection)}. */
  public Flux<Chunk> chunks() {
    return chunks(Selection.all());
  }

  /** As {@link #chunks(Selection)}, in C order of the chunks' indices. */
  public Flux<Chunk> chunksInOrder(Selection selection) {
    return observed(Kind.READ_CHUNKS, reader.chunksInOrder(selection.resolve(shape())))
        .checkpoint("zarr chunks of " + path());
  }

  /**
   * Reads a selection's elements in C order, as the bytes of their memory images: every component
   * of an element little-endian, whatever byte order is stored, and {@code itemSize()} bytes for
   * each element (an {@code int4} has one). This is what NumPy's {@code tobytes()} gives and what a
   * server sends. Pieces are views of a band's memory; nothing is copied.
   *
   * <p>One band of chunks is read at a time: as many rows of chunks as fit into a thirty-second of
   * {@link ZarrOptions#maxInFlightBytes}, or one row that is larger. The first band is read when a
   * piece is demanded; each further one when three quarters of the band before are delivered. A
   * band counts in {@link ZarrHierarchy#bytesInFlight()} until its last piece is delivered. If one
   * row of chunks is larger than a quarter of {@code maxInFlightBytes}, bands are thinner than
   * chunks, and each chunk is read and decoded once for each band that it is in. The same holds for
   * points and for long lists of indices.
   *
   * <p>Pieces come on the thread that demands them, or on a thread of the codec scheduler. An error
   * may come before pieces that are read but not demanded; it is {@link
   * dev.zarrreactive.error.UnsupportedFeatureException} for a {@link
   * dev.zarrreactive.datatype.VariableLengthType}. A cancel ends the reads of bands in flight.
   *
   * @param pieceSize the most bytes of a piece, such as 16 KiB for a network
   * @return pieces of 1 to that many bytes; empty for an empty selection
   * @throws IllegalArgumentException if the selection does not fit the shape, or {@code pieceSize}
   *     is less than 1
   */
  public Flux<Bytes> bytes(Selection selection, int pieceSize) {
    if (pieceSize < 1) {
      throw new IllegalArgumentException("pieceSize must be at least 1, not " + pieceSize);
    }
    return observed(Kind.READ_BYTES, reader.bytes(selection.resolve(shape()), pieceSize))
        .checkpoint("zarr bytes of " + path());
  }

  /** Reads one whole chunk, with the part of it that lies beyond the array's end. */
  public Mono<NdArray> readChunk(long... index) {
    return observed(Kind.READ_CHUNK, reader.readChunk(index))
        .checkpoint("zarr read of a chunk of " + path());
  }

  /** Reads the stored bytes of one chunk; empty if the chunk is missing. */
  public Mono<Bytes> readEncodedChunk(long... index) {
    return observed(Kind.READ_CHUNK, reader.readEncodedChunk(index))
        .checkpoint("zarr read of a chunk of " + path());
  }

  /**
   * Returns true if one chunk is stored. A chunk that holds only the fill value may have been
   * erased.
   */
  public Mono<Boolean> isChunkStored(long... index) {
    return observed(Kind.EXISTS, reader.isStored(index))
        .checkpoint("zarr look at a chunk of " + path());
  }

  /**
   * Writes a selection. Chunks that it covers are set without being read; of any other the rest is
   * read first. Writers of one chunk in this process take turns. Chunks that are all fill value are
   * erased instead, unless {@link ZarrOptions#withWriteEmptyChunks} says otherwise.
   *
   * @param data what to write, of the array's data type; an array of another shape is {@linkplain
   *     NdArray#broadcastTo broadcast} to the selection's by NumPy's rules, a scalar to any
   * @return completes when everything is stored; after an error or a cancel some chunks may be
   *     stored, each whole
   * @throws IllegalArgumentException where the selection or the data do not fit
   */
  public Mono<Void> write(Selection selection, NdArray data) {
    ResolvedSelection resolved = selection.resolve(shape());
    NdArray fitted = writer.fitted(resolved, data);
    return observed(Kind.WRITE, writer.write(resolved, fitted))
        .checkpoint("zarr write of " + path());
  }

  /** Writes a selection in NumPy notation: see {@link Selection#parse}. */
  public Mono<Void> write(String selection, NdArray data) {
    return write(Selection.parse(selection), data);
  }

  /**
   * Writes one number to every element of a selection. Otherwise as {@link #write(Selection,
   * NdArray)}, which also writes scalars of other types.
   *
   * @throws IllegalArgumentException if the data type is not of numbers, or its range is too small
   */
  public Mono<Void> write(Selection selection, long value) {
    return write(selection, NdArray.scalar(dataType(), value));
  }

  /** As {@link #write(Selection, long)}, with the nearest number of a float or complex type. */
  public Mono<Void> write(Selection selection, double value) {
    return write(selection, NdArray.scalar(dataType(), value));
  }

  /**
   * Writes chunks as they arrive, of this array's chunk grid or of any other: {@code
   * target.write(source.chunks(Selection.all()))} copies. Demands as many chunks as it can work on.
   *
   * @return completes when everything is stored; an error of the publisher ends the write, and so
   *     does a chunk of another shape or data type with an {@link IllegalArgumentException}
   */
  public Mono<Void> write(Publisher<Chunk> chunks) {
    return observed(Kind.WRITE, writer.write(chunks)).checkpoint("zarr write of " + path());
  }

  /**
   * Stores the bytes of one chunk, which the caller has encoded. They are checked only when they
   * are read. Otherwise as {@link #write(Selection, NdArray)}.
   */
  public Mono<Void> writeEncodedChunk(Bytes encoded, long... index) {
    return observed(Kind.WRITE, writer.writeEncodedChunk(encoded, index))
        .checkpoint("zarr write of a chunk of " + path());
  }

  private <T> Mono<T> observed(Kind kind, Mono<T> operation) {
    return hierarchy.instrumentation().of(kind, path().toString(), operation);
  }

  private <T> Flux<T> observed(Kind kind, Flux<T> operation) {
    return hierarchy.instrumentation().of(kind, path().toString(), operation);
  }

  /**
   * This array, with what its operations may use changed; asks the store for nothing. Arrays of one
   * store object that are given equal options so share one bound of bytes in flight and the caches.
   */
  public ZarrArray withOptions(ZarrOptions options) {
    return ZarrHierarchy.shared(store(), options).array(new FoundNode(path(), metadata()));
  }

  @Override
  public Mono<ZarrArray> updateAttributes(UnaryOperator<JsonObject> change) {
    return hierarchy.updateAttributes(path(), change).map(hierarchy::array);
  }

  @Override
  public String toString() {
    return "array " + path() + " " + dataType() + shape() + " in " + store();
  }
}
