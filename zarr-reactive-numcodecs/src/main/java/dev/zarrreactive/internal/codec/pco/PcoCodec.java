package dev.zarrreactive.internal.codec.pco;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ArrayToBytesCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.LocatedJson;

/**
 * The codec {@code pcodec} of numcodecs: the elements in C order as a file of pcodec. Its
 * configuration is for the writer; a reader finds all in the file.
 */
final class PcoCodec implements ArrayToBytesCodec {
  private static final int MOST_PAGE = 1 << 24;
  private static final int PAGE = 1 << 18;
  private static final int MOST_LEVEL = 12;
  private static final int MOST_ORDER = 7;
  private static final int ANY_ORDER = -1;

  private final NamedConfiguration configuration;
  private final int pageSize;
  private final int order;

  private PcoCodec(NamedConfiguration configuration, int pageSize, int order) {
    this.configuration = configuration;
    this.pageSize = pageSize;
    this.order = order;
  }

  static PcoCodec of(NamedConfiguration use) {
    LocatedJson configuration = use.configuration();
    configuration.allowOnly(
        "level",
        "mode_spec",
        "delta_spec",
        "paging_spec",
        "delta_encoding_order",
        "equal_pages_up_to");
    LocatedJson level = configuration.nonNull("level");
    if (level != null) {
      level.integer(0, MOST_LEVEL);
    }
    LocatedJson mode = configuration.nonNull("mode_spec");
    if (mode != null) {
      mode.oneOf("auto", "classic");
    }
    LocatedJson paging = configuration.nonNull("paging_spec");
    if (paging != null) {
      paging.oneOf("equal_pages_up_to");
    }
    LocatedJson page = configuration.nonNull("equal_pages_up_to");
    return new PcoCodec(
        use, page == null ? PAGE : page.integer(1, MOST_PAGE), order(configuration));
  }

  private static int order(LocatedJson configuration) {
    LocatedJson delta = configuration.nonNull("delta_spec");
    String kind =
        delta == null
            ? "auto"
            : delta.oneOf("auto", "none", "no_op", "try_consecutive", "try_lookback");
    LocatedJson order = configuration.nonNull("delta_encoding_order");
    if (order != null) {
      return order.integer(0, MOST_ORDER);
    }
    return kind.equals("none") || kind.equals("no_op") ? 0 : ANY_ORDER;
  }

  @Override
  public NamedConfiguration configuration() {
    return configuration;
  }

  @Override
  public SizeBound encodedSize(ChunkRepresentation decoded) {
    if (PcoNumber.of(decoded.dataType()) == null) {
      throw configuration.error(
          "the codec "
              + name()
              + " stores integers of 8 to 64 bits, float16, float32, float64 and complex numbers"
              + " of them, but the chunk is "
              + decoded.dataType());
    }
    return SizeBound.exactly(decoded.byteSize()).compressed();
  }

  private static PcoNumber number(ChunkRepresentation chunk) {
    PcoNumber number = PcoNumber.of(chunk.dataType());
    if (number == null) {
      throw new IllegalArgumentException("pcodec does not store " + chunk.dataType());
    }
    return number;
  }

  @Override
  public Bytes encode(NdArray decoded, ChunkRepresentation representation) {
    PcoNumber number = number(representation);
    Bytes image = decoded.bytes();
    return PcoEncoder.encode(
        number,
        image.unsafeArray(),
        image.unsafeOffset(),
        image.size() / number.bytes(),
        pageSize,
        order);
  }

  @Override
  public NdArray decode(Bytes encoded, ChunkRepresentation decoded) {
    PcoNumber number = number(decoded);
    byte[] image = new byte[decoded.shape().byteSize(decoded.dataType().itemSize())];
    new PcoDecoder(new PcoInput(encoded), number).decode(image, image.length / number.bytes());
    return NdArray.wrap(decoded.dataType(), decoded.shape(), Bytes.wrap(image));
  }
}
