package dev.zarrreactive.internal.codec.vlen;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ArrayToBytesCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.datatype.ListType;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.extension.NamedConfiguration;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Function;

/**
 * The codecs {@code vlen-utf8} and {@code vlen-bytes}, and others of Zarr v2 with their layout: the
 * number of elements, and then for each its length in bytes and its bytes. Numbers are 32-bit
 * integers, little-endian.
 */
final class VlenCodec implements ArrayToBytesCodec {
  /**
   * The bytes of single elements.
   *
   * @param supports returns whether a data type has such elements
   * @param encode makes bytes of an element
   * @param decode makes an element of bytes
   */
  record Element(
      Function<VariableLengthType, Boolean> supports,
      Function<Object, Bytes> encode,
      Function<Bytes, Object> decode) {}

  private final NamedConfiguration configuration;
  private final Element element;

  /** Creates the codec of a name. */
  VlenCodec(NamedConfiguration configuration, Element element) {
    this.configuration = configuration;
    this.element = element;
  }

  @Override
  public NamedConfiguration configuration() {
    return configuration;
  }

  @Override
  public SizeBound encodedSize(ChunkRepresentation decoded) {
    if (!(decoded.dataType() instanceof VariableLengthType type) || !element.supports.apply(type)) {
      throw configuration.error(
          "the codec " + name() + " is not for the data type " + decoded.dataType());
    }
    return SizeBound.atMost(Bytes.MAX_SIZE);
  }

  @Override
  public Bytes encode(NdArray decoded, ChunkRepresentation representation) {
    Object[] values = (Object[]) ElementMemory.of(decoded).array();
    Bytes[] encoded = new Bytes[values.length];
    long size = Integer.BYTES * (1L + values.length);
    for (int i = 0; i < values.length; i++) {
      encoded[i] = element.encode.apply(values[i]);
      size += encoded[i].size();
    }
    if (size > Bytes.MAX_SIZE) {
      throw error("the elements have " + size + " bytes, more than one Java array holds (2 GiB)");
    }
    ByteBuffer out = ByteBuffer.allocate((int) size).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(values.length);
    for (Bytes bytes : encoded) {
      out.putInt(bytes.size()).put(bytes.asByteBuffer());
    }
    return Bytes.wrap(out.array());
  }

  @Override
  public NdArray decode(Bytes encoded, ChunkRepresentation decoded) {
    long count = encoded.size() < Integer.BYTES ? -1 : Integer.toUnsignedLong(encoded.getInt(0));
    long expected = decoded.shape().elementCount().longValueExact();
    // Each element takes at least its length, so that a false count does not allocate more than
    // the bytes at hand.
    if (count != expected || Integer.BYTES * (1 + count) > encoded.size()) {
      throw error(
          "expected "
              + expected
              + " elements, found "
              + (count < 0 ? "" : count + " in ")
              + encoded.size()
              + " bytes");
    }
    ElementMemory memory = ElementMemory.allocate(decoded.dataType(), decoded.shape());
    Object[] values = (Object[]) memory.array();
    int at = Integer.BYTES;
    for (int i = 0; i < values.length; i++) {
      long left = (long) encoded.size() - at - Integer.BYTES;
      long length = left < 0 ? 0 : Integer.toUnsignedLong(encoded.getInt(at));
      if (left < 0 || length > left) {
        throw error("element " + i + " of " + length + " bytes goes on after the end of the chunk");
      }
      at += Integer.BYTES;
      values[i] = decode(i, encoded.slice(at, (int) length), decoded);
      at += (int) length;
    }
    if (at != encoded.size()) {
      throw error(encoded.size() - at + " bytes are left over after the last element");
    }
    return memory.toNdArray(decoded.shape());
  }

  private Object decode(int i, Bytes bytes, ChunkRepresentation chunk) {
    try {
      if (chunk.dataType() instanceof ListType lists) {
        lists.checkValue(bytes);
      }
      return element.decode.apply(bytes);
    } catch (CodecException e) {
      throw error("element " + i + ": " + e.statement());
    } catch (IllegalArgumentException e) { // a part of an item
      throw error("element " + i + ": " + e.getMessage());
    }
  }

  private static CodecException error(String message) {
    return new CodecException(message, Location.UNKNOWN);
  }
}
