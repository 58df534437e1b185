package dev.zarrreactive.internal.codec.extension;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ArrayToBytesCodec;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.codec.CodecChain;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.OptionalType;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.LocatedJson;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Set;

/**
 * The codec {@code zarrs.optional}: the sizes of two parts as unsigned 64-bit integers,
 * little-endian; a mask with a bool for each element, encoded by {@code mask_codecs}; and the
 * values of the elements that are there, an array of one dimension, encoded by {@code data_codecs}.
 * Where every element is missing the second part is empty.
 */
final class OptionalCodec implements ArrayToBytesCodec {
  static final Set<String> NAMES =
      Set.of("zarrs.optional", "optional", "https://codec.zarrs.dev/array_to_bytes/optional");

  private static final String MASK = "mask_codecs";
  private static final String DATA = "data_codecs";
  private static final int HEADER = 2 * Long.BYTES;

  private final NamedConfiguration configuration;
  private final CodecChain mask;
  private final CodecChain data;

  private OptionalCodec(NamedConfiguration use, CodecRegistry registry) {
    use.configuration().allowOnly(MASK, DATA);
    configuration = use;
    mask = chain(use.member(MASK), registry);
    data = chain(use.member(DATA), registry);
  }

  static OptionalCodec of(NamedConfiguration use, CodecRegistry registry) {
    return new OptionalCodec(use, registry);
  }

  private static CodecChain chain(LocatedJson list, CodecRegistry registry) {
    return CodecChain.of(
        list.elements().stream().map(NamedConfiguration::parse).toList(), list, registry);
  }

  @Override
  public NamedConfiguration configuration() {
    return configuration;
  }

  private OptionalType type(ChunkRepresentation chunk) {
    if (chunk.dataType() instanceof OptionalType optional) {
      return optional;
    }
    throw configuration.error(
        "it encodes elements that may be missing, such as those of zarrs.optional, but the chunk is "
            + chunk.dataType());
  }

  private ChunkCodec mask(ChunkRepresentation chunk) {
    return mask.bind(
        new ChunkRepresentation(chunk.shape(), DataTypes.BOOL, FillValue.zero(DataTypes.BOOL)));
  }

  private ChunkCodec data(ChunkRepresentation chunk, long count) {
    OptionalType type = type(chunk);
    return data.bind(
        new ChunkRepresentation(Shape.of(count), type.inner(), FillValue.zero(type.inner())));
  }

  @Override
  public SizeBound encodedSize(ChunkRepresentation decoded) {
    long most = data(decoded, count(decoded.shape())).encodedSize().bytes();
    long both = mask(decoded).encodedSize().bytes() + most;
    return SizeBound.atMost(both < 0 ? Long.MAX_VALUE : both).plus(HEADER);
  }

  private static long count(Shape shape) {
    return shape.elementCountUpTo(Long.MAX_VALUE);
  }

  @Override
  public Bytes encode(NdArray decoded, ChunkRepresentation representation) {
    OptionalType type = type(representation);
    NdArray validity = decoded.validity();
    Bytes encodedMask = mask(representation).encode(validity);
    ElementMemory values = ElementMemory.of(decoded.values());
    boolean[] isThere = validity.toBooleanArray();
    Shape row = Shape.of(count(isThere));
    Bytes encodedData = Bytes.EMPTY;
    if (!row.isEmpty()) {
      ElementMemory there = ElementMemory.allocate(type.inner(), row);
      forEachRun(isThere, (element, number, count) -> copy(values, element, there, number, count));
      encodedData = data(representation, row.extent(0)).encode(there.toNdArray(row));
    }
    long size = (long) HEADER + encodedMask.size() + encodedData.size();
    if (size > Bytes.MAX_SIZE) {
      throw error("the chunk has " + size + " bytes, more than one Java array holds (2 GiB)");
    }
    ByteBuffer out = ByteBuffer.allocate((int) size).order(ByteOrder.LITTLE_ENDIAN);
    out.putLong(encodedMask.size()).putLong(encodedData.size());
    out.put(encodedMask.asByteBuffer()).put(encodedData.asByteBuffer());
    return Bytes.wrap(out.array());
  }

  @Override
  public NdArray decode(Bytes encoded, ChunkRepresentation decoded) {
    ByteBuffer header = encoded.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    int both = encoded.size() - HEADER;
    long maskSize = both < 0 ? -1 : header.getLong();
    long dataSize = both < 0 ? -1 : header.getLong();
    if (maskSize < 0 || maskSize > both || dataSize != both - maskSize) {
      throw error(
          both < 0
              ? "expected the sizes of the mask and the data, found " + encoded.size() + " bytes"
              : "the mask of "
                  + Long.toUnsignedString(maskSize)
                  + " and the data of "
                  + Long.toUnsignedString(dataSize)
                  + " bytes are not the "
                  + both
                  + " bytes of the chunk");
    }
    Bytes encodedMask = encoded.slice(HEADER, (int) maskSize);
    Bytes encodedData = encoded.slice(HEADER + (int) maskSize, (int) dataSize);
    NdArray validity = mask(decoded).decode(encodedMask);
    boolean[] isThere = validity.toBooleanArray();
    int there = count(isThere);
    ElementMemory values = ElementMemory.allocate(type(decoded).inner(), decoded.shape());
    if (there > 0) {
      ElementMemory stored = ElementMemory.of(data(decoded, there).decode(encodedData));
      forEachRun(isThere, (element, number, count) -> copy(stored, number, values, element, count));
    }
    return NdArray.ofOptional(values.toNdArray(decoded.shape()), validity);
  }

  private static int count(boolean[] isThere) {
    int count = 0;
    for (boolean there : isThere) {
      count += there ? 1 : 0;
    }
    return count;
  }

  /** Receives elements that are there and follow each other. */
  private interface Runs {
    /**
     * Receives a run.
     *
     * @param element the number of its first element in the chunk
     * @param number the number of this element among those that are there
     */
    void accept(int element, int number, int count);
  }

  private static void forEachRun(boolean[] isThere, Runs runs) {
    int number = 0;
    for (int first = 0; first < isThere.length; first++) {
      int end = first;
      while (end < isThere.length && isThere[end]) {
        end++;
      }
      if (end > first) {
        runs.accept(first, number, end - first);
        number += end - first;
        first = end;
      }
    }
  }

  private static void copy(ElementMemory from, int first, ElementMemory to, int at, int count) {
    System.arraycopy(
        from.array(), from.slot(first), to.array(), to.slot(at), count * to.slotsPerElement());
  }

  private static CodecException error(String message) {
    return new CodecException(message, Location.UNKNOWN);
  }
}
