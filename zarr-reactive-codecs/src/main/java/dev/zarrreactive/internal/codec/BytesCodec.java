package dev.zarrreactive.internal.codec;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ArrayToBytesCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.datatype.Components;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.StructType;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.LocatedJson;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The {@code bytes} codec: the elements in C order, the bytes of each component in the order {@code
 * endian}. Little-endian data is passed on without a copy. The bytes of a {@code bool} are kept;
 * readers of an element take every byte but 0 for true.
 */
final class BytesCodec implements ArrayToBytesCodec {
  static final String NAME = "bytes";

  /** The codec's name before January 2024. It is read; {@link #NAME} is written. */
  static final String OLD_NAME = "endian";

  private final NamedConfiguration configuration;
  private final @Nullable ByteOrder order;

  private BytesCodec(NamedConfiguration configuration, @Nullable ByteOrder order) {
    this.configuration = configuration;
    this.order = order;
  }

  static BytesCodec of(NamedConfiguration use) {
    use.configuration().allowOnly("endian");
    LocatedJson endian = use.optional("endian");
    ByteOrder order = null;
    if (endian != null) {
      order =
          endian.oneOf("little", "big").equals("big")
              ? ByteOrder.BIG_ENDIAN
              : ByteOrder.LITTLE_ENDIAN;
    }
    return new BytesCodec(underItsName(use), order);
  }

  private static NamedConfiguration underItsName(NamedConfiguration use) {
    return use.name().equals(NAME)
        ? use
        : NamedConfiguration.parse(
            new LocatedJson(use.toJson().with("name", NAME), use.source().location()));
  }

  @Override
  public NamedConfiguration configuration() {
    return configuration;
  }

  @Override
  public SizeBound encodedSize(ChunkRepresentation decoded) {
    decoded.requireImages(configuration);
    swaps(decoded.dataType());
    return SizeBound.exactly(decoded.byteSize());
  }

  /**
   * Returns whether the components are stored with their bytes reversed. Programs that wrote the
   * data type {@code structured} left {@code endian} out for little-endian data.
   */
  private boolean swaps(DataType type) {
    if (!type.hasByteOrder()) {
      return false;
    }
    if (order == null && !(type instanceof StructType struct && struct.isLegacy())) {
      int widest = type.components().stream().mapToInt(Components::size).max().orElseThrow();
      throw configuration.error(
          "\"endian\" is missing; it must be \"little\" or \"big\", since "
              + type
              + " has components of "
              + widest
              + " bytes");
    }
    return order == ByteOrder.BIG_ENDIAN;
  }

  @Override
  public boolean isMemoryImage(ChunkRepresentation decoded) {
    return !swaps(decoded.dataType());
  }

  @Override
  public Bytes encode(NdArray decoded, ChunkRepresentation representation) {
    return stored(decoded.bytes(), decoded.dataType());
  }

  @Override
  public NdArray decode(Bytes encoded, ChunkRepresentation decoded) {
    DataType type = decoded.dataType();
    int size = decoded.shape().byteSize(type.itemSize());
    if (encoded.size() != size) {
      throw new CodecException(
          "expected %s bytes for %s of shape %s, found %s"
              .formatted(size, type, decoded.shape(), encoded.size()),
          Location.UNKNOWN);
    }
    return NdArray.wrap(type, decoded.shape(), stored(encoded, type));
  }

  /** Converts between the memory image and the stored form: a swap undoes itself. */
  private Bytes stored(Bytes image, DataType type) {
    if (!swaps(type)) {
      return image;
    }
    byte[] swapped = image.toByteArray();
    ByteSwap.swap(swapped, type.components());
    return Bytes.wrap(swapped);
  }
}
