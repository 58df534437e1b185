package dev.zarrreactive.codec;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MemoryExhaustedException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.store.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A codec chain bound to chunks of one shape, data type and fill value. Immutable and thread-safe;
 * pure and synchronous. Every error is a {@link ZarrException} that names the codec.
 */
public final class ChunkCodec {
  private final List<ArrayToArrayCodec> arrayToArray;
  private final ArrayToBytesCodec arrayToBytes;
  private final List<BytesToBytesCodec> bytesToBytes;

  /** What enters each array→array codec, and last what enters the array→bytes codec. */
  private final List<ChunkRepresentation> representations = new ArrayList<>();

  /** How many bytes enter each bytes→bytes codec, and last how many leave the chain. */
  private final List<SizeBound> sizes = new ArrayList<>();

  private final @Nullable ShardLayout shardLayout;

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
  }

  /** Made once: it holds the layouts of the shards inside, and those hold theirs. */
  private static @Nullable ShardLayout layout(
      ArrayToBytesCodec codec, ChunkRepresentation representation) {
    return codec instanceof ShardedCodec sharded ? sharded.layout(representation) : null;
  }

  /**
   * How the chunk is laid out, where it is a shard whose inner chunks can be read alone; null where
   * it is not, or another codec stands before or after.
   */
  public @Nullable ShardLayout shardLayout() {
    return shardLayout;
  }

  /** What a decoded chunk is. */
  public ChunkRepresentation representation() {
    return representations.get(0);
  }

  /** How many bytes a stored chunk has. */
  public SizeBound encodedSize() {
    return sizes.get(sizes.size() - 1);
  }

  /**
   * Returns how many bytes a stored chunk may have before it is read: the bound of {@link
   * #encodedSize}. For a shard it is {@link Long#MAX_VALUE}, since a shard may have any number of
   * bytes that its index does not refer to.
   */
  public long maxStoredBytes() {
    return arrayToBytes instanceof ShardedCodec ? Long.MAX_VALUE : encodedSize().bytes();
  }

  /**
   * True where a chunk, its bytes→bytes codecs undone, is the memory image of its elements: {@link
   * #decodeInto} then needs no memory of its own.
   */
  public boolean decodesInPlace() {
    return arrayToArray.isEmpty() && arrayToBytes.isMemoryImage(representation());
  }

  /** Decodes a chunk into new memory, or where it can into a view of {@code encoded}. */
  public NdArray decode(Bytes encoded) {
    return decode(encoded, byte[]::new);
  }

  /**
   * Decodes a chunk into memory of the caller's.
   *
   * @param memory gives an array of at least the size asked for, of any content; the result is
   *     valid as long as nobody else writes to what it gave
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
   * Decodes a chunk to where its elements belong; straight there, where it {@link #decodesInPlace}.
   *
   * @param target the memory to write to
   * @param element the place of the chunk's first element in it
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

  /** How many bytes may enter bytes→bytes codec {@code i} of this stored chunk. */
  private SizeBound bound(int i, Bytes stored) {
    SizeBound size = sizes.get(i);
    return representation().dataType() instanceof VariableLengthType
        ? size.plausible(representation().byteSize(), stored.size())
        : size;
  }

  private Bytes undo(int i, Bytes encoded, DecodeTarget target) {
    BytesToBytesCodec codec = bytesToBytes.get(i);
    Bytes decoded = guarded(codec, () -> codec.decode(encoded, target));
    guarded(
        codec,
        () -> {
          target.check(decoded.size());
          return decoded;
        });
    return decoded;
  }

  private NdArray toArray(Bytes bytes) {
    ChunkRepresentation decoded = representations.get(arrayToArray.size());
    return guarded(arrayToBytes, () -> checked(arrayToBytes.decode(bytes, decoded), decoded));
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

  /**
   * Names the codec in its errors, and turns what a library throws into an error of ours. Also a
   * library that is not there, and memory or stack that does not suffice: Reactor would rethrow
   * these, and the subscriber would wait for ever.
   */
  private <T> T guarded(Codec codec, Supplier<T> work) {
    try {
      return work.get();
    } catch (ZarrException e) {
      throw e.at(Location.UNKNOWN.codec(codec.name()));
    } catch (OutOfMemoryError e) {
      throw new MemoryExhaustedException(
          "of a chunk", representation().byteSize(), Location.UNKNOWN.codec(codec.name()), e);
    } catch (RuntimeException | LinkageError | VirtualMachineError e) {
      throw new CodecException("the codec failed: " + e, Location.UNKNOWN.codec(codec.name()), e);
    }
  }
}
