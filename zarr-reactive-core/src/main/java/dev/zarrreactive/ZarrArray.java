package dev.zarrreactive;

import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.ChunkWork;
import dev.zarrreactive.array.ElementConversion;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.chunkgrid.ShrinkMode;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.encoding.Encoding;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.error.UnfinishedAppendException;
import dev.zarrreactive.error.UnfinishedResizeException;
import dev.zarrreactive.error.UnfinishedWriteException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.encode.EncodedReader;
import dev.zarrreactive.internal.hierarchy.FoundNode;
import dev.zarrreactive.internal.read.ChunkReader;
import dev.zarrreactive.internal.write.ArrayResizing;
import dev.zarrreactive.internal.write.ChunkWriter;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.observation.ZarrOperation.Kind;
import dev.zarrreactive.store.Store;
import java.nio.ByteBuffer;
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
  private final EncodedReader encodedReader;
  private final ChunkWriter writer;
  private final ArrayResizing resizing;

  ZarrArray(ZarrHierarchy hierarchy, ArrayStorage storage) {
    this.hierarchy = hierarchy;
    this.storage = storage;
    this.reader = new ChunkReader(storage);
    this.encodedReader = new EncodedReader(storage, reader);
    this.writer = new ChunkWriter(storage);
    this.resizing = new ArrayResizing(storage, hierarchy.writer());
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

  /** The options of operations on this array; {@link #withOptions} changes them. */
  public ZarrOptions options() {
    return hierarchy.options();
  }

  /** The grid that divides the array into chunks. */
  public ChunkGrid chunkGrid() {
    return storage.grid();
  }

  /**
   * Reads a selection into one array in memory, of the selection's shape. {@link
   * UnsupportedFeatureException} beyond 2 GiB; {@link #chunks(Selection)} has no such limit.
   */
  public Mono<NdArray> read(Selection selection) {
    return observe(Kind.READ, "read of", reader.read(selection.resolve(shape()), null));
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
   * Reads a selection into one array of converted elements. Codec threads convert, several chunks
   * at a time, while the elements are still in the processor's cache. Elements that are joined and
   * that chunks divide are read first, and converted then. Otherwise as {@link #read(Selection)}.
   *
   * @return elements of {@link ElementConversion#target}; {@link UnsupportedFeatureException} for
   *     stored elements of a {@link dev.zarrreactive.datatype.VariableLengthType}
   * @throws IllegalArgumentException if the selection does not fit, or divides elements that are
   *     joined
   */
  public Mono<NdArray> read(Selection selection, ElementConversion conversion) {
    return observe(Kind.READ, "read of", reader.read(selection.resolve(shape()), conversion));
  }

  /**
   * Reads a selection's elements in C order into the caller's memory, at the buffer's position,
   * which stays. They are memory images as {@link #readBytes} has them, little-endian. A heap
   * buffer is decoded into without a copy; a direct one is filled in bands of chunks. After a
   * cancel or an error its content is undefined, and threads may still write to it.
   *
   * @return the written part of the buffer, from position 0 to its limit, in little-endian order;
   *     {@link UnsupportedFeatureException} for elements of variable length
   * @throws IllegalArgumentException if the selection does not fit the shape, the buffer is
   *     read-only, or too few bytes remain in it
   */
  public Mono<ByteBuffer> readInto(Selection selection, ByteBuffer target) {
    return observe(
        Kind.READ, "read of", encodedReader.readInto(selection.resolve(shape()), target));
  }

  /**
   * Reads a selection's converted elements into the caller's memory, as {@link #readInto(Selection,
   * ByteBuffer)}: memory that is used again is neither cleared nor collected.
   *
   * @throws IllegalArgumentException as there, and if elements are joined
   */
  public Mono<ByteBuffer> readInto(
      Selection selection, ElementConversion conversion, ByteBuffer target) {
    return observe(
        Kind.READ,
        "read of",
        encodedReader.readInto(selection.resolve(shape()), conversion, target));
  }

  /**
   * Reads a selection chunk by chunk, in the order in which they arrive. Chunks are fetched on
   * demand, at most {@link ZarrOptions#maxConcurrency} ahead. Empty for an empty selection.
   */
  public Flux<Chunk> chunks(Selection selection) {
    return observe(
        Kind.READ_CHUNKS,
        "chunks of",
        reader.chunks(selection.resolve(shape()), chunk -> chunk, false));
  }

  /** Reads all elements, as {@link #chunks(Selection)}. */
  public Flux<Chunk> chunks() {
    return chunks(Selection.all());
  }

  /** As {@link #chunks(Selection)}, in C order of the chunks' indices. */
  public Flux<Chunk> chunksInOrder(Selection selection) {
    return observe(
        Kind.READ_CHUNKS,
        "chunks of",
        reader.chunks(selection.resolve(shape()), chunk -> chunk, true));
  }

  /**
   * Makes something of each chunk on the codec threads, and hands on the results as they arrive;
   * otherwise as {@link #chunks(Selection)}. An error of the work ends the read. The work may be
   * called twice for one chunk, of a shard that another program replaces.
   */
  public <T> Flux<T> chunks(Selection selection, ChunkWork<T> work) {
    return observe(
        Kind.READ_CHUNKS, "chunks of", reader.chunks(selection.resolve(shape()), work, false));
  }

  /** As {@link #chunks(Selection, ChunkWork)}, in C order of the chunks' indices. */
  public <T> Flux<T> chunksInOrder(Selection selection, ChunkWork<T> work) {
    return observe(
        Kind.READ_CHUNKS, "chunks of", reader.chunks(selection.resolve(shape()), work, true));
  }

  /**
   * Reads a selection's elements in C order, as the bytes of their memory images: every component
   * of an element little-endian, and {@code itemSize()} bytes for each element (an {@code int4} has
   * one), as NumPy's {@code tobytes()} gives them. Pieces are views of a band's memory.
   *
   * <p>A band is as many rows of chunks as fit into at most a 32nd of {@link
   * ZarrOptions#maxInFlightBytes}, or one row that is larger. The first band is read when a piece
   * is demanded; the next one when three quarters of the band before are delivered. A subscriber
   * that has to wait for a band gets two bands read ahead, then four, at most eight. A band counts
   * in {@link ZarrHierarchy#bytesInFlight()} until its last piece is delivered. If one row of
   * chunks is larger than a quarter of {@code maxInFlightBytes}, bands are thinner than chunks, and
   * each chunk is read and decoded once for each band, as for points and long lists of indices.
   *
   * <p>Pieces come on the thread that demands them, or on a codec thread. An error may come before
   * pieces that are read but not demanded; {@link UnsupportedFeatureException} for elements of
   * variable length. A cancel ends the reads of bands in flight.
   *
   * @param pieceSize the most bytes of a piece, such as 16 KiB for a network
   * @return pieces of 1 to that many bytes; empty for an empty selection
   */
  public Flux<Bytes> readBytes(Selection selection, int pieceSize) {
    return encode(selection, Encoding.raw(ByteOrder.LITTLE_ENDIAN), pieceSize);
  }

  /**
   * Reads a selection's elements in C order, in a format such as {@code .npy}, CSV or PNG. Bands
   * are read on demand, and count until they are delivered, as in {@link #readBytes}. An element of
   * variable length counts as 64 bytes. A codec thread encodes, at most one piece ahead of the
   * demand. The header comes with the first band: an error before it is the first signal.
   *
   * <p>A format without the data type or the shape is an {@link UnsupportedFeatureException}, which
   * names a format that has it. Other errors and {@code pieceSize} are as of {@link #readBytes}.
   *
   * @return pieces of 1 to that many bytes; {@link Encoding#length} is their sum where it is known
   */
  public Flux<Bytes> encode(Selection selection, Encoding encoding, int pieceSize) {
    ResolvedSelection resolved = selection.resolve(shape());
    return observe(
        Kind.READ_BYTES, "bytes of", encodedReader.encode(resolved, encoding, pieceSize));
  }

  /**
   * Reads a part of what {@link #encode(Selection, Encoding, int)} publishes: {@code count} bytes
   * from {@code offset}, or to the end. Bands outside are not read. An {@link
   * UnsupportedFeatureException} for text and pictures.
   */
  public Flux<Bytes> encode(
      Selection selection, Encoding encoding, long offset, long count, int pieceSize) {
    ResolvedSelection resolved = selection.resolve(shape());
    return observe(
        Kind.READ_BYTES,
        "bytes of",
        encodedReader.encode(resolved, encoding, offset, count, pieceSize));
  }

  /**
   * Reads one whole chunk, in the shape that it has in the chunk grid: with the part of it that
   * lies beyond the array's end. It shares requests and cached chunks with all other reads. Of a
   * shard, only what its index refers to is read where the shard is larger than its inner chunks
   * can be.
   */
  public Mono<NdArray> readChunk(long... index) {
    return observe(Kind.READ_CHUNK, "read of a chunk of", reader.readChunk(index));
  }

  /**
   * Reads the stored bytes of one chunk; empty if the chunk is missing. A {@link
   * dev.zarrreactive.error.CodecException} for a value that is larger than such a chunk can be, as
   * a shard with many unused bytes; none of it is read.
   */
  public Mono<Bytes> readEncodedChunk(long... index) {
    return observe(Kind.READ_CHUNK, "read of a chunk of", reader.readEncodedChunk(index));
  }

  /** Returns true if one chunk is stored. A chunk of fill value alone may have been erased. */
  public Mono<Boolean> chunkExists(long... index) {
    return observe(Kind.EXISTS, "look at a chunk of", reader.isStored(index));
  }

  /**
   * Writes a selection. Chunks that it covers are set without being read; of any other the rest is
   * read first. Writers of one chunk in this process take turns. Chunks that are all fill value are
   * erased instead, unless {@link ZarrOptions#withWriteEmptyChunks} says otherwise.
   *
   * @param data what to write, of the array's data type; an array of another shape is {@linkplain
   *     NdArray#broadcastTo broadcast} to the selection's by NumPy's rules, a scalar to any
   * @return completes when all is stored; each chunk is whole, also after an error or a cancel
   * @throws IllegalArgumentException where the selection or the data do not fit
   */
  public Mono<Void> write(Selection selection, NdArray data) {
    return observe(Kind.WRITE, "write of", writer.write(selection.resolve(shape()), data));
  }

  /** Writes a selection in NumPy notation: see {@link Selection#parse}. */
  public Mono<Void> write(String selection, NdArray data) {
    return write(Selection.parse(selection), data);
  }

  /**
   * Writes one number to each selected element. {@link #write(Selection, NdArray)} writes any.
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
   * Writes chunks of any chunk grid in any order; of two that overlap the later one stays. Parts of
   * a chunk are gathered in a quarter of the bytes in flight; a larger shard changes with each one.
   *
   * @return completes when everything is stored; the error of the publisher, or {@link
   *     IllegalArgumentException} for a chunk of another shape or data type, drops gathered parts
   */
  public Mono<Void> write(Publisher<Chunk> chunks) {
    return observe(Kind.WRITE, "write of", writer.write(chunks));
  }

  /**
   * Writes a selection from blocks that follow one another along its first dimension. They are
   * demanded one at a time, and gathered until chunks or shards are complete. A row of chunks may
   * have a quarter of {@link ZarrOptions#maxInFlightBytes}. A larger row of shards that the
   * selection covers is stored as inner chunks are complete; other chunks of it are changed by each
   * part.
   *
   * @param blocks of the array's data type; their other extents are the selection's
   * @return completes when everything is stored; {@link UnfinishedWriteException} for an error of
   *     the publisher, and for blocks that do not fit or have too few or too many rows
   * @throws IllegalArgumentException if the selection does not fit, or has a single element
   */
  public Mono<Void> write(Selection selection, Publisher<NdArray> blocks) {
    return observe(Kind.WRITE, "write of", writer.write(selection.resolve(shape()), blocks));
  }

  /** Stores the encoded bytes of one chunk, which are checked when they are read. */
  public Mono<Void> writeEncodedChunk(long[] index, Bytes encoded) {
    return observe(Kind.WRITE, "write of a chunk of", writer.writeEncodedChunk(encoded, index));
  }

  /** As {@link #writeEncodedChunk(long[], Bytes)}, in pieces for a value beyond the memory. */
  public Mono<Void> writeEncodedChunk(long[] index, Publisher<Bytes> pieces) {
    return observe(Kind.WRITE, "write of a chunk of", writer.writeEncodedChunk(pieces, index));
  }

  /**
   * Stores one shard, which may be larger than the memory, while its parts arrive: boxes of whole
   * inner chunks in any order, as far as the array goes, which together are the shard. A part that
   * is wrong or missing is an {@link IllegalArgumentException}, and the stored shard stays.
   *
   * @throws UnsupportedFeatureException unless its index is at its end
   */
  public Mono<Void> writeShard(long[] index, Publisher<Chunk> parts) {
    return observe(Kind.WRITE, "write of a shard of", writer.writeShard(parts, index));
  }

  /**
   * As {@link #resize(Shape, ShrinkMode)} with {@link ShrinkMode#TRIM}: no old element comes back.
   */
  public Mono<ZarrArray> resize(Shape shape) {
    return resize(shape, ShrinkMode.TRIM);
  }

  /**
   * Gives the array another shape. This handle keeps the old one. Elements that come with a growth
   * are fill value, unless an earlier shrink or another program has left bytes there. A {@code
   * rectilinear} chunk grid that lists its edges gets one more for the growth, or several no longer
   * than the longest one; any other stays.
   *
   * <p>The document is read afresh, and stored only if it has not changed since; else it is read
   * again. All else in it stays; attributes of Zarr v2 are those of this handle. Consolidated
   * metadata above are removed first. To grow takes one GET, one PUT and a look at each group
   * above.
   *
   * <p>A shrink first stores the new shape, and then lists the array for chunks that lie outside.
   * Appends of other programs lose nothing in stores with versions, conditional writes and
   * conditional erasure. Chunks that an error or a cancel leaves outside are erased by the same
   * resize of the array, opened again.
   *
   * @return the array with its new shape. {@link PreconditionFailedException} if it would cut off
   *     what another writer has added; {@link UnfinishedResizeException} if chunks outside are
   *     left; {@link StoreCapabilityException} if the store can neither list nor erase what is to
   *     be erased; {@link MetadataException} if the chunk grid or the codecs cannot grow
   * @throws IllegalArgumentException if the shape has another rank
   */
  public Mono<ZarrArray> resize(Shape shape, ShrinkMode mode) {
    return observe(Kind.WRITE_METADATA, "resize of", resizing.resize(shape, mode))
        .map(resized -> new ZarrArray(hierarchy, resized));
  }

  /**
   * Appends a block at the end that an axis has in the store now, not only in this handle.
   *
   * <p>The array first becomes longer, as by {@link #resize(Shape, ShrinkMode)}, and then the block
   * is written to its place. In stores with versions and conditional writes, appends of any number
   * of programs lose nothing. In any other store that holds for appends through one store object. A
   * reader in between finds fill value in the place of the block. A chunk that the block shares
   * with earlier elements is read.
   *
   * <p>After a cancel the array may have grown: to append again may leave a gap of fill value.
   *
   * @param block of the array's data type; its other extents are the array's
   * @return the longer array, when the block is stored; {@link UnfinishedAppendException} if it has
   *     grown and the block was not stored whole
   * @throws IllegalArgumentException if the axis or the block do not fit the shape of this handle;
   *     signalled if they do not fit the array as it is now
   */
  public Mono<ZarrArray> append(int axis, NdArray block) {
    return longer(resizing.append(axis, block));
  }

  /**
   * Appends blocks in order, as {@link #append(int, NdArray)}. In a {@code regular} grid, blocks
   * that come while the store works are one, up to a row of chunks or an eighth of the bytes in
   * flight. An error ends the append; the batches before it are stored whole.
   *
   * @return the array with the last block; this array if there is none
   */
  public Mono<ZarrArray> append(int axis, Publisher<NdArray> blocks) {
    return longer(resizing.append(axis, blocks));
  }

  private Mono<ZarrArray> longer(Mono<ArrayStorage> append) {
    return observe(Kind.WRITE, "append to", append)
        .map(appended -> appended == storage ? this : new ZarrArray(hierarchy, appended));
  }

  private <T> Mono<T> observe(Kind kind, String work, Mono<T> operation) {
    return hierarchy
        .instrumentation()
        .of(kind, path().toString(), operation)
        .checkpoint("zarr " + work + " " + path());
  }

  private <T> Flux<T> observe(Kind kind, String work, Flux<T> operation) {
    return hierarchy
        .instrumentation()
        .of(kind, path().toString(), operation)
        .checkpoint("zarr " + work + " " + path());
  }

  /**
   * This array with other options; asks the store for nothing. Arrays of one store object with
   * equal options share one bound of bytes in flight and the caches.
   */
  public ZarrArray withOptions(ZarrOptions options) {
    return ZarrHierarchy.shared(storage.context(), options)
        .array(new FoundNode(path(), metadata()));
  }

  @Override
  public Mono<ZarrArray> updateAttributes(UnaryOperator<JsonObject> change) {
    return hierarchy.updateAttributes(path(), metadata(), change).map(hierarchy::array);
  }

  @Override
  public String toString() {
    return "array " + path() + " " + dataType() + shape() + " in " + store();
  }
}
