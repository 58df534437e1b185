package dev.zarrreactive.internal.metadata;

import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds the codec chain of Zarr v3 from the filters and the compressor of Zarr v2. In v2 each
 * filter takes the bytes of the filter before it, and names their data type. In v3 the elements are
 * arrays up to the codec {@code bytes}. That codec therefore comes before the first filter on
 * bytes, with the byte order that the elements have there.
 */
public final class V2CodecChain {
  /** The variant of {@code bytes} for structs whose fields have different byte orders. */
  private static final String STRUCT_BYTES = "v2.struct_bytes";

  private final List<NamedConfiguration> codecs = new ArrayList<>();
  private final LocatedJson dtype;

  /** The data type of the elements, until a codec turns them into bytes. */
  private V2DataType elements;

  /** The codec that turned the elements into bytes, or null before it. */
  private @Nullable String toBytes;

  public V2CodecChain(LocatedJson dtype, V2DataType elements) {
    this.dtype = dtype;
    this.elements = elements;
  }

  /** Transposes chunks to Fortran order, before all filters. */
  public void reverseDimensions(LocatedJson order, int rank) {
    transpose(new LocatedJson(V2Array.reversal(rank), order.location()));
  }

  /** Permutes the dimensions, for the codec of a draft. */
  public void transpose(LocatedJson order) {
    JsonObject configuration = JsonObject.EMPTY.with("order", order.value());
    codecs.add(
        NamedConfiguration.of("transpose", new LocatedJson(configuration, order.location())));
  }

  /** Turns the elements into bytes of this order, for the codec of a draft. */
  public void toBytes(V2Codec codec, ByteOrder order) {
    toBytes(codec);
    elements = elements.in(order);
    codecs.add(bytes());
  }

  public void add(V2Codec codec) {
    switch (codec.id()) {
      case "delta", "fixedscaleoffset", "quantize" -> {
        LocatedJson from = codec.member("dtype");
        LocatedJson to = codec.optional("astype");
        onElements(codec, from, to == null ? from : to);
      }
      case "astype" ->
          onElements(codec, codec.member("decode_dtype"), codec.member("encode_dtype"));
      case "bitround" -> onElements(codec, null, null);
      case "packbits" -> {
        onElements(codec, null, null);
        elements = V2DataType.BYTE;
      }
      case "categorize" -> {
        onElements(codec, null, codec.optional("astype"));
        elements = codec.optional("astype") == null ? V2DataType.BYTE : elements;
      }
      case "vlen-utf8", "vlen-bytes" -> {
        toBytes(codec);
        codecs.add(NamedConfiguration.of(codec.id(), codec.configuration()));
      }
      case "vlen-array", "json2", "msgpack2", "zfpy", "pcodec" -> {
        toBytes(codec);
        codecs.add(numcodecs(codec));
      }
      case "shuffle" -> onBytes(codec.optional("elementsize") == null ? shuffled(codec) : codec);
      case "blosc" -> onBytes(blosc(codec));
      default -> onBytes(codec);
    }
  }

  /**
   * Adds an array→array codec, which reads its input as elements of {@code from}: numcodecs has no
   * differences of times, so that programs name an integer for them.
   */
  private void onElements(V2Codec codec, @Nullable LocatedJson from, @Nullable LocatedJson to) {
    if (toBytes != null) {
      throw new UnsupportedFeatureException(
          "the filter \""
              + codec.id()
              + "\" works on elements, but stands after \""
              + toBytes
              + "\", which gives bytes; that is unsupported",
          codec.configuration().location());
    }
    if (from != null) {
      V2DataType seen = V2DataType.read(from, V2DataType.Spelling.AS_PROGRAMMERS_WRITE);
      if (!seen.hasBytesOf(elements)) {
        throw from.expected("the elements' type at this stage, " + elements.text());
      }
    }
    if (to != null) {
      elements = V2DataType.read(to, V2DataType.Spelling.AS_PROGRAMMERS_WRITE);
    }
    codecs.add(numcodecs(codec));
  }

  private void onBytes(V2Codec codec) {
    if (toBytes == null) {
      codecs.add(bytes());
      toBytes = codec.id();
    }
    codecs.add(numcodecs(codec));
  }

  private void toBytes(V2Codec codec) {
    if (toBytes != null) {
      throw codec
          .configuration()
          .error("the object codec \"" + codec.id() + "\" stands after \"" + toBytes + "\"");
    }
    toBytes = codec.id();
  }

  private static NamedConfiguration numcodecs(V2Codec codec) {
    return NamedConfiguration.of(V2Codec.PREFIX + codec.id(), codec.configuration());
  }

  private NamedConfiguration bytes() {
    if (elements.kind() == V2DataType.Kind.OBJECT) {
      throw dtype.error(
          "expected a filter before the compressor that turns the elements into bytes");
    }
    ByteOrder order = elements.order();
    String name = elements.isMixed() ? STRUCT_BYTES : "bytes";
    JsonObject configuration = JsonObject.EMPTY;
    if (elements.isMixed()) {
      configuration = configuration.with("big_endian", swaps(elements.swaps()));
    } else if (order != null) {
      String endian = order == ByteOrder.BIG_ENDIAN ? "big" : "little";
      configuration = configuration.with("endian", endian);
    }
    return NamedConfiguration.of(name, new LocatedJson(configuration, dtype.location()));
  }

  private static JsonArray swaps(List<V2DataType.Swap> swaps) {
    List<JsonValue> json = new ArrayList<>();
    for (V2DataType.Swap swap : swaps) {
      json.add(
          JsonArray.of(
              JsonNumber.of(swap.offset()),
              JsonNumber.of(swap.components().size()),
              JsonNumber.of(swap.components().count())));
    }
    return new JsonArray(json);
  }

  private static V2Codec shuffled(V2Codec codec) {
    return codec.with("elementsize", 4); // its default
  }

  /** Translates the shuffle, which may be a word, and adds the size of the items to shuffle. */
  private V2Codec blosc(V2Codec codec) {
    V2Codec result = codec;
    LocatedJson shuffle = codec.optional("shuffle");
    if (shuffle != null && shuffle.value() instanceof JsonString) {
      result =
          switch (shuffle.oneOf("NONE", "BYTE", "BIT", "noshuffle", "shuffle", "bitshuffle")) {
            case "NONE", "noshuffle" -> result.with("shuffle", 0);
            case "BYTE", "shuffle" -> result.with("shuffle", 1);
            default -> result.with("shuffle", 2);
          };
    }
    return result.optional("typesize") != null
        ? result
        : result.with("typesize", toBytes == null ? elements.itemSize() : 1);
  }

  public List<NamedConfiguration> codecs() {
    if (toBytes == null) {
      codecs.add(bytes());
      toBytes = "bytes";
    }
    return List.copyOf(codecs);
  }
}
