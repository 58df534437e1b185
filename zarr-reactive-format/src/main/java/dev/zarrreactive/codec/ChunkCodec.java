package dev.zarrreactive.codec;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MemoryExhaustedException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.spi.Spi;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A codec chain bound to chunks of one shape, data type and fill value. Immutable, thread-safe,
 * pure and synchronous. Every error is a {@link ZarrException} that names the codec.
 */
@Spi
public final class ChunkCodec {
  private final List<ArrayToArrayCodec> arrayToArray;
  private final ArrayToBytesCodec arrayToBytes;
  private final List<BytesToBytesCodec> bytesToBytes;

  /** The input of each array→array codec, and last the input of the array→bytes codec. */
  private final List<ChunkRepresentation> representations = new ArrayList<>();

  /** The size of the input of each bytes→bytes codec, and last the size of a stored chunk. */
  private final List<SizeBound> sizes = new ArrayList<>();

  private final @Nullable ShardLayout shardLayout;
  private final boolean decodesInPlace;

  ChunkCodec(
      List<ArrayToArrayCodec> arrayToArray,
      ArrayToBytesCodec arrayToBytes,
      List<BytesToBytesCodec> bytesToBytes,
      ChunkRepresentation chunk) {
    this.arrayToArray = arrayToArray;
    this.arrayToBytes = arrayToBytes;
    this.bytesToBytes = bytesToBytes;
    ChunkRepresentation representation = chunk;
    representations.add(chunk);
    for (ArrayToArrayCodec codec : arrayToArray) {
      representation = codec.encodedRepresentation(representation);
      representations.add(representation);
    }
    ShardLayout layout = layout(arrayToBytes, representation);
    SizeBound size =
        layout == null ? arrayToBytes.encodedSize(representation) : layout.encodedSize();
    sizes.add(size);
    for (BytesToBytesCodec codec : bytesToBytes) {
      size = codec.encodedSize(size).after(sizes.get(0));
      sizes.add(size);
    }
    shardLayout = arrayToArray.isEmpty() && bytesToBytes.isEmpty() ? layout : null;
    decodesInPlace = arrayToArray.isEmpty() && arrayToBytes.isMemoryImage(chunk);
  }

  /** Called once: a layout holds the layouts of the nested shards. */
  private static @Nullable ShardLayout layout(
      ArrayToBytesCodec codec, ChunkRepresentation representation) {
    return codec instanceof ShardedCodec sharded ? sharded.layout(representation) : null;
  }

  /**
   * The layout of a shard whose inner chunks can be read one by one. Null for a plain chunk, and
   * for a chain with another codec before or after the sharding.
   */
  public @Nullable ShardLayout shardLayout() {
    return shardLayout;
  }

  /** The representation of a decoded chunk. */
  public ChunkRepresentation representation() {
    return representations.get(0);
  }

  /** The size of a stored chunk. */
  public SizeBound encodedSize() {
    return sizes.get(sizes.size() - 1);
  }

  /**
   * Returns the maximum number of bytes of a chunk that is read whole: the bound of {@link
   * #encodedSize}. A shard may have any number of unused bytes; one that is larger than its inner
   * chunks can need is read by its index.
   */
  public long maxStoredBytes() {
    long bound = encodedSize().bytes();
    if (shardLayout == null || representation().dataType() instanceof VariableLengthType) {
      return bound;
    }
    double size = (double) representation().byteSize();
    double innerChunks = shardLayout.innerGrid().gridShape().elementCount().doubleValue();
    double generous = 2 * size + (1 << 20) + 1024 * innerChunks;
    double usual = size + size / 64 + 64 + 32 * innerChunks;
    return (long) Math.max(Math.min((double) bound, generous), usual);
  }

  /**
   * Returns true if the bytes→bytes codecs decode to the memory image of the elements: {@link
   * #decodeInto} then decodes without a copy.
   */
  public boolean decodesInPlace() {
    return decodesInPlace;
  }

  /** Decodes a chunk into new memory, or returns a view of {@code encoded} where possible. */
  public NdArray decode(Bytes encoded) {
    return decode(encoded, byte[]::new);
  }

  /**
   * Decodes a chunk into memory that the caller provides.
   *
   * @param memory gives an array of at least the requested size, of any content; the result is
   *     valid until the caller writes to these arrays
   */
  public NdArray decode(Bytes encoded, IntFunction<byte[]> memory) {
    checkSize();
    Bytes bytes = encoded;
    for (int i = bytesToBytes.size() - 1; i >= 0; i--) {
      bytes = undo(i, bytes, DecodeTarget.from(memory, bound(i, encoded)));
    }
    NdArray array = toArray(bytes);
    for (int i = arrayToArray.size() - 1; i >= 0; i--) {
      ArrayToArrayCodec codec = arrayToArray.get(i);
      ChunkRepresentation decoded = representations.get(i);
      NdArray encodedArray = array;
      array = guarded(codec, () -> checked(codec.decode(encodedArray, decoded), decoded));
    }
    return array;
  }

  /**
   * Decodes a chunk into memory that the caller provides, as {@link #decode(Bytes, IntFunction)}.
   * The caller only reads the result.
   */
  public ElementMemory decodeToMemory(Bytes encoded, IntFunction<byte[]> memory) {
    return decodeToMemory(encoded, memory, 0, Integer.MAX_VALUE);
  }

  /**
   * Decodes a chunk as {@link #decodeToMemory(Bytes, IntFunction)}, for a caller that reads no
   * elements but those from {@code first} to {@code end} in C order. A codec may leave the others
   * undecoded. Their content is then undefined, and damage there is found by a read of all elements
   * only.
   *
   * @param end the end, exclusive
   */
  public ElementMemory decodeToMemory(
      Bytes encoded, IntFunction<byte[]> memory, int first, int end) {
    if (!decodesInPlace) {
      return ElementMemory.of(decode(encoded, memory));
    }
    checkSize();
    ChunkRepresentation decoded = representation();
    Bytes bytes = encoded;
    for (int i = bytesToBytes.size() - 1; i >= 0; i--) {
      DecodeTarget target = DecodeTarget.from(memory, sizes.get(i));
      if (i == 0) {
        long size = decoded.dataType().itemSize();
        target = target.part((int) (first * size), (int) Math.min(Bytes.MAX_SIZE, end * size));
      }
      bytes = undo(i, bytes, target);
    }
    if (bytes.size() != decoded.byteSize()) {
      return ElementMemory.of(toArray(bytes)); // the codec's error
    }
    int count = bytes.size() / decoded.dataType().itemSize();
    return ElementMemory.wrap(decoded.dataType(), bytes.unsafeArray(), bytes.unsafeOffset(), count);
  }

  /**
   * Decodes a chunk into a place of {@code target}, without a copy if it {@link #decodesInPlace}.
   *
   * @param target the memory to write to
   * @param element the index of the chunk's first element in it
   */
  public void decodeInto(Bytes encoded, ElementMemory target, int element) {
    checkSize();
    if (!decodesInPlace()) {
      target.copyFrom(ElementMemory.of(decode(encoded)), element);
      return;
    }
    int length = (int) representation().byteSize();
    byte[] array = (byte[]) target.array();
    int offset = target.slot(element);
    Bytes bytes = encoded;
    for (int i = bytesToBytes.size() - 1; i >= 0; i--) {
      SizeBound size = sizes.get(i);
      boolean last = i == 0 && size.allows(length);
      DecodeTarget to = last ? DecodeTarget.into(array, offset, length) : DecodeTarget.fresh(size);
      bytes = undo(i, bytes, to);
    }
    Bytes elements = toArray(bytes).bytes();
    if (elements.unsafeArray() != array) {
      elements.copyTo(0, array, offset, length);
    }
  }

  /** The size that bytes→bytes codec {@code i} may decode this stored chunk to. */
  private SizeBound bound(int i, Bytes stored) {
    SizeBound size = sizes.get(i);
    return representation().dataType() instanceof VariableLengthType
        ? size.plausible(representation().byteSize(), stored.size())
        : size;
  }

  private Bytes undo(int i, Bytes encoded, DecodeTarget target) {
    BytesToBytesCodec codec = bytesToBytes.get(i);
    try {
      Bytes decoded = codec.decode(encoded, target);
      target.check(decoded.size());
      return decoded;
    } catch (RuntimeException | LinkageError | VirtualMachineError e) {
      throw failed(codec, e);
    }
  }

  private NdArray toArray(Bytes bytes) {
    ChunkRepresentation decoded = representations.get(arrayToArray.size());
    try {
      return checked(arrayToBytes.decode(bytes, decoded), decoded);
    } catch (RuntimeException | LinkageError | VirtualMachineError e) {
      throw failed(arrayToBytes, e);
    }
  }

  /** Encodes a chunk. */
  public Bytes encode(NdArray chunk) {
    NdArray array = chunk;
    for (int i = 0; i < arrayToArray.size(); i++) {
      ArrayToArrayCodec codec = arrayToArray.get(i);
      ChunkRepresentation encoded = representations.get(i + 1);
      NdArray decoded = array;
      array = guarded(codec, () -> checked(codec.encode(decoded), encoded));
    }
    NdArray last = array;
    ChunkRepresentation representation = representations.get(arrayToArray.size());
    Bytes bytes = guarded(arrayToBytes, () -> arrayToBytes.encode(last, representation));
    for (BytesToBytesCodec codec : bytesToBytes) {
      Bytes decoded = bytes;
      bytes = guarded(codec, () -> codec.encode(decoded));
    }
    return bytes;
  }

  private void checkSize() {
    if (!representation().fitsOneArray()) {
      throw new UnsupportedFeatureException(
          "a chunk of shape "
              + representation().shape()
              + " is larger than one Java array holds (2 GiB)",
          Location.UNKNOWN);
    }
  }

  private static NdArray checked(NdArray array, ChunkRepresentation expected) {
    if (!array.shape().equals(expected.shape()) || !array.dataType().equals(expected.dataType())) {
      throw new CodecException(
          "gives "
              + array.dataType()
              + array.shape()
              + ", expected "
              + expected.dataType()
              + expected.shape(),
          Location.UNKNOWN);
    }
    return array;
  }

  private <T> T guarded(Codec codec, Supplier<T> work) {
    try {
      return work.get();
    } catch (RuntimeException | LinkageError | VirtualMachineError e) {
      throw failed(codec, e);
    }
  }

  /**
   * Locates the codec's errors, and turns all that a library throws into a {@link ZarrException}.
   * This includes fatal errors, such as a missing library or a full stack: Reactor would rethrow
   * them, and the subscriber would wait for ever.
   */
  private ZarrException failed(Codec codec, Throwable error) {
    Location place = Location.UNKNOWN.codec(codec.name());
    if (error instanceof ZarrException known) {
      return known.at(place);
    }
    return error instanceof OutOfMemoryError memory
        ? new MemoryExhaustedException("of a chunk", representation().byteSize(), place, memory)
        : new CodecException("the codec failed: " + error, place, error);
  }
}
