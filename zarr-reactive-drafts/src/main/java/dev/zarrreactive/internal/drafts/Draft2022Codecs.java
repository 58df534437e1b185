package dev.zarrreactive.internal.drafts;

import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.metadata.V2Codec;
import dev.zarrreactive.internal.metadata.V2CodecChain;
import dev.zarrreactive.internal.metadata.V2DataType;
import dev.zarrreactive.internal.metadata.V2ObjectType;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the codecs of an array of the 2022 draft. They are its {@code codecs}, or, as programs
 * wrote them, the filters among the attributes and its {@code compressor}. A URI names each codec,
 * which encodes as it does in Zarr v2.
 */
final class Draft2022Codecs {
  private static final Pattern URI =
      Pattern.compile(Pattern.quote(Draft2022Extensions.URI) + "codecs?/([^/]+)(/.*)?");

  private final boolean hasFilters;
  private final LocatedJson memoryLayout;
  private final List<V2Codec> filters = new ArrayList<>();
  private final List<V2Codec> codecs = new ArrayList<>();

  Draft2022Codecs(LocatedJson array, LocatedJson attributes, boolean hasFilters) {
    this.hasFilters = hasFilters;
    memoryLayout = array.member("chunk_memory_layout");
    LocatedJson list = attributes.optional("filters");
    if (list != null && isFilters(list.value())) {
      list.elements().forEach(filter -> filters.add(V2Codec.read(filter)));
    }
    LocatedJson compressor = array.nonNull("compressor");
    LocatedJson chain = array.optional("codecs");
    if (compressor != null && chain != null) {
      throw chain.error(
          "the array has both codecs and a compressor, whose order is unclear; expected one of the two");
    }
    if (compressor != null) {
      compressor.allowOnly("codec", "configuration");
      codecs.add(codec(compressor, compressor.member("codec")));
    }
    if (chain != null) {
      for (LocatedJson codec : chain.elements()) {
        codec.allowOnly("type", "configuration");
        codecs.add(codec(codec, codec.member("type")));
      }
    }
  }

  /**
   * Returns true for the filters of the program that wrote them here, and false for other
   * attributes of that name.
   */
  boolean isFilters(@Nullable JsonValue attribute) {
    return hasFilters
        && attribute instanceof JsonArray list
        && !list.elements().isEmpty()
        && list.elements().stream()
            .allMatch(
                filter ->
                    filter instanceof JsonObject object && object.get("id") instanceof JsonString);
  }

  private static V2Codec codec(LocatedJson codec, LocatedJson uri) {
    Matcher name = URI.matcher(uri.string());
    if (!name.matches()) {
      throw new UnsupportedFeatureException(
          "the codec \"" + uri.string() + "\" is unknown", uri.location());
    }
    LocatedJson configuration = codec.optional("configuration");
    return V2Codec.of(
        name.group(1),
        configuration == null
            ? new LocatedJson(JsonObject.EMPTY, codec.location().child("configuration"))
            : configuration);
  }

  List<V2Codec> filters() {
    return filters;
  }

  /** Returns the chain in the terms of Zarr v3. */
  List<NamedConfiguration> chain(V2DataType type, int rank) {
    V2CodecChain chain = new V2CodecChain(memoryLayout, type);
    if (isReversed() && rank > 1 && !V2ObjectType.nestsDimensions(filters)) {
      chain.reverseDimensions(memoryLayout, rank);
    }
    filters.forEach(chain::add);
    for (V2Codec codec : codecs) {
      switch (codec.id()) {
        case "transpose" -> {
          LocatedJson order = codec.member("order");
          JsonValue permutation = Draft2023Codecs.permutation(order.value(), rank);
          chain.transpose(new LocatedJson(permutation, order.location()));
        }
        case "endian" ->
            chain.toBytes(
                codec,
                codec.member("endian").oneOf("little", "big").equals("big")
                    ? ByteOrder.BIG_ENDIAN
                    : ByteOrder.LITTLE_ENDIAN);
        default -> chain.add(codec);
      }
    }
    return chain.codecs();
  }

  private boolean isReversed() {
    if (memoryLayout.value() instanceof JsonObject) {
      throw new UnsupportedFeatureException(
          "the chunk memory layout of an extension is unsupported", memoryLayout.location());
    }
    return memoryLayout.oneOf("C", "F").equals("F");
  }
}
