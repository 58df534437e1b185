package dev.zarrreactive.internal.codec;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ArrayToBytesCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.datatype.BoolType;
import dev.zarrreactive.datatype.ComplexType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.datatype.TimeType;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.LocatedJson;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * The {@code packbits} codec: stores some bits of each component, one behind the other, and fills
 * each byte from its lowest bit on. A byte before or behind them may hold the number of unused bits
 * at their end.
 */
record PackbitsCodec(
    NamedConfiguration configuration, Padding padding, int firstBit, @Nullable LocatedJson lastBit)
    implements ArrayToBytesCodec {
  static final String NAME = "packbits";

  private enum Padding {
    NONE,
    FIRST_BYTE,
    LAST_BYTE
  }

  static PackbitsCodec of(NamedConfiguration use) {
    use.configuration().allowOnly("padding_encoding", "first_bit", "last_bit");
    LocatedJson padding = use.optional("padding_encoding");
    LocatedJson first = given(use, "first_bit");
    LocatedJson last = given(use, "last_bit");
    int firstBit = first == null ? 0 : first.integer(0, Long.SIZE - 1);
    if (last != null) {
      last.integer(firstBit, Long.SIZE - 1);
    }
    return new PackbitsCodec(
        use, padding == null ? Padding.NONE : padding(padding), firstBit, last);
  }

  private static Padding padding(LocatedJson json) {
    return switch (json.oneOf("none", "first_byte", "last_byte")) {
      case "first_byte" -> Padding.FIRST_BYTE;
      case "last_byte" -> Padding.LAST_BYTE;
      default -> Padding.NONE;
    };
  }

  private static @Nullable LocatedJson given(NamedConfiguration use, String member) {
    LocatedJson json = use.optional(member);
    return json == null || json.isNull() ? null : json;
  }

  /** Returns the number of bits that are kept of each component. */
  private int width(DataType type) {
    int bits = bits(type);
    if (firstBit >= bits) {
      throw configuration.member("first_bit").error(type + " has no bit " + firstBit);
    }
    return (lastBit == null ? bits - 1 : lastBit.integer(firstBit, bits - 1)) - firstBit + 1;
  }

  /** Returns the number of bits of each component. */
  private int bits(DataType type) {
    if (type instanceof BoolType) {
      return 1;
    } else if (type instanceof IntegerType integer) {
      return integer.bits();
    } else if (type instanceof FloatType floats) {
      return floats.bits();
    } else if (type instanceof ComplexType complex) {
      return complex.component().bits();
    } else if (type instanceof TimeType) {
      return Long.SIZE;
    }
    throw configuration.error(type + " has no bits that could be left out");
  }

  private static long components(ChunkRepresentation chunk) {
    return chunk.byteSize() / componentSize(chunk.dataType());
  }

  @Override
  public SizeBound encodedSize(ChunkRepresentation decoded) {
    decoded.requireImages(configuration);
    BigInteger bits =
        BigInteger.valueOf(components(decoded))
            .multiply(BigInteger.valueOf(width(decoded.dataType())));
    BigInteger bytes = bits.add(BigInteger.valueOf(7)).shiftRight(3);
    long size = bytes.bitLength() > 62 ? Long.MAX_VALUE - 1 : bytes.longValue();
    return SizeBound.exactly(size + (padding == Padding.NONE ? 0 : 1));
  }

  @Override
  public Bytes encode(NdArray decoded, ChunkRepresentation representation) {
    int width = width(representation.dataType());
    byte[] packed = new byte[size(representation)];
    Bytes image = decoded.bytes();
    int component = componentSize(representation.dataType());
    long at = padding == Padding.FIRST_BYTE ? Byte.SIZE : 0;
    for (int i = 0; i < image.size(); i += component) {
      long value = 0;
      for (int b = component - 1; b >= 0; b--) {
        value = value << Byte.SIZE | (image.get(i + b) & 0xff);
      }
      if (representation.dataType() instanceof BoolType) {
        value = value == 0 ? 0 : 1;
      }
      put(packed, at, width, value >>> firstBit);
      at += width;
    }
    if (padding != Padding.NONE) {
      packed[padding == Padding.FIRST_BYTE ? 0 : packed.length - 1] = (byte) (-at & 7);
    }
    return Bytes.wrap(packed);
  }

  private int size(ChunkRepresentation representation) {
    long size = encodedSize(representation).bytes();
    if (size > Bytes.MAX_SIZE) {
      throw new CodecException("a chunk of " + size + " bytes is too large", Location.UNKNOWN);
    }
    return (int) size;
  }

  private static void put(byte[] packed, long at, int width, long value) {
    for (int done = 0; done < width; ) {
      int index = (int) ((at + done) >>> 3);
      int shift = (int) ((at + done) & 7);
      int count = Math.min(Byte.SIZE - shift, width - done);
      long part = (value >>> done) & ((1 << count) - 1);
      packed[index] |= (byte) (part << shift);
      done += count;
    }
  }

  private static long get(Bytes packed, long at, int width) {
    long value = 0;
    for (int done = 0; done < width; ) {
      int index = (int) ((at + done) >>> 3);
      int shift = (int) ((at + done) & 7);
      int count = Math.min(Byte.SIZE - shift, width - done);
      long part = ((packed.get(index) & 0xffL) >>> shift) & ((1 << count) - 1);
      value |= part << done;
      done += count;
    }
    return value;
  }

  @Override
  public NdArray decode(Bytes encoded, ChunkRepresentation decoded) {
    int expected = size(decoded);
    if (encoded.size() != expected) {
      throw new CodecException(
          "expected " + expected + " bytes, found " + encoded.size(), Location.UNKNOWN);
    }
    DataType type = decoded.dataType();
    int width = width(type);
    long bits = components(decoded) * width;
    checkPadding(encoded, (int) (-bits & 7));
    byte[] image = new byte[decoded.shape().byteSize(type.itemSize())];
    boolean signed =
        type instanceof TimeType || (type instanceof IntegerType integer && integer.signed());
    long at = padding == Padding.FIRST_BYTE ? Byte.SIZE : 0;
    for (int i = 0; i < image.length; i += componentSize(type)) {
      long value = get(encoded, at, width);
      if (signed) {
        value = value << (Long.SIZE - width) >> (Long.SIZE - width);
      }
      value <<= firstBit;
      for (int b = 0; b < componentSize(type); b++) {
        image[i + b] = (byte) (value >>> (Byte.SIZE * b));
      }
      at += width;
    }
    return NdArray.wrap(type, decoded.shape(), Bytes.wrap(image));
  }

  private void checkPadding(Bytes encoded, int expected) {
    if (padding == Padding.NONE) {
      return;
    }
    int stored = encoded.get(padding == Padding.FIRST_BYTE ? 0 : encoded.size() - 1) & 0xff;
    if (stored != expected) {
      throw new CodecException(
          "expected " + expected + " unused bits at the end, found " + stored, Location.UNKNOWN);
    }
  }

  /** Returns the size of a component of a type whose components are all of one kind. */
  private static int componentSize(DataType type) {
    return type.components().get(0).size();
  }
}
