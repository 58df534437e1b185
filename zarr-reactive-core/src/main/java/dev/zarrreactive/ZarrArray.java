package dev.zarrreactive;

import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.encoding.Encoding;
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
import java.nio.ByteOrder;
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
   * dev.zarrreactive.error.UnsupportedFeatureException} if that is more than 2 GiB; {@link #chunks}
   * has no such limit.
   */
  public Mono<NdArray> read(Selection selection) {
    return observed(Kind.READ, reader.read(selection.resolve(shape())))
        .checkpoint("zarr read of " + path());
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

  /** As {@link #chunks}, in C order of the chunks' indices. */
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
    return encode(selection, Encoding.raw(ByteOrder.LITTLE_ENDIAN), pieceSize);
  }

  /**
   * Reads a selection's elements in C order, in a format such as {@code .npy}, CSV or PNG. Bands
   * are read on demand, and count until they are delivered, as in {@link #bytes}. An element of
   * variable length counts as 64 bytes. A thread of the codec scheduler encodes, one piece ahead of
   * the demand at the most, except where the pieces are views. The header comes with the first
   * band: an error before it is the first signal.
   *
   * <p>An error is {@link dev.zarrreactive.error.UnsupportedFeatureException} if the format lacks
   * the data type or the shape; it names a format that has it. Otherwise as {@link #bytes}.
   *
   * @param pieceSize the most bytes of a piece, such as 16 KiB for a network
   * @return pieces of 1 to that many bytes; {@link Encoding#length} is their sum where it is known
   * @throws IllegalArgumentException if the selection does not fit the shape, or {@code pieceSize}
   *     is less than 1
   */
  public Flux<Bytes> encode(Selection selection, Encoding encoding, int pieceSize) {
    if (pieceSize < 1) {
      throw new IllegalArgumentException("pieceSize must be at least 1, not " + pieceSize);
    }
    ResolvedSelection resolved = selection.resolve(shape());
    return observed(Kind.READ_BYTES, reader.encode(resolved, encoding, pieceSize))
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
   * @param data what to write; its shape is the selection's, its data type the array's
   * @return completes when everything is stored; after an error or a cancel some chunks may be
   *     stored, each whole
   * @throws IllegalArgumentException where the selection or the data do not fit
   */
  public Mono<Void> write(Selection selection, NdArray data) {
    ResolvedSelection resolved = selection.resolve(shape());
    writer.checkData(resolved, data);
    return observed(Kind.WRITE, writer.write(resolved, data)).checkpoint("zarr write of " + path());
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
