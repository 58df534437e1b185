package dev.zarrreactive.internal.drafts;

import dev.zarrreactive.internal.metadata.Deviations;
import dev.zarrreactive.internal.metadata.V2Array;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Translates codec chains of the 2023 draft to Zarr v3. In the draft the array→bytes codec is
 * optional, because elements have a default binary representation, little-endian. A permutation may
 * be {@code "C"} or {@code "F"}. The index of shards has no codecs of its own.
 */
final class Draft2023Codecs {
  /** The codec of an optional checksum at the end of a shard's index. */
  private static final String INDEX_CHECKSUM = "draft.index_checksum";

  /** The array→array codecs of the programs of that year. */
  private static final Set<String> ARRAY_TO_ARRAY = Set.of("transpose");

  /** The bytes→bytes codecs of the programs of that year. */
  private static final Set<String> BYTES_TO_BYTES = Set.of("gzip", "blosc", "zstd", "crc32c");

  private static final JsonObject LITTLE_ENDIAN =
      use("bytes", JsonObject.EMPTY.with("endian", "little"));

  private final Deviations deviations;

  private Draft2023Codecs(Deviations deviations) {
    this.deviations = deviations;
  }

  /** Returns the array's document with its codecs in the forms of Zarr v3. */
  static LocatedJson inArray(LocatedJson document, int rank, Deviations deviations) {
    return new Draft2023Codecs(deviations).in(document, rank);
  }

  private static JsonObject use(String name, JsonObject configuration) {
    JsonObject use = JsonObject.EMPTY.with("name", name);
    return configuration.members().isEmpty() ? use : use.with("configuration", configuration);
  }

  /** Returns the object, whose member {@code codecs} is a chain for {@code rank} dimensions. */
  private LocatedJson in(LocatedJson object, int rank) {
    if (object.optional("codecs") == null) {
      deviations.take(object, "the member \"codecs\" is missing");
      return Draft2023Document.with(object, "codecs", JsonArray.of(LITTLE_ENDIAN));
    }
    return Draft2023Document.replaced(object, "codecs", codecs -> chain(codecs, rank));
  }

  private JsonValue chain(LocatedJson json, int rank) {
    if (!(json.value() instanceof JsonArray array)) {
      return json.value();
    }
    List<JsonValue> codecs = new ArrayList<>();
    for (LocatedJson codec : json.elements()) {
      codecs.add(codec(codec, rank));
    }
    if (codecs.stream().allMatch(codec -> is(codec, ARRAY_TO_ARRAY) || is(codec, BYTES_TO_BYTES))) {
      deviations.take(json, "the codec chain has no array→bytes codec, such as \"bytes\"");
      int place = codecs.size();
      while (place > 0 && !is(codecs.get(place - 1), ARRAY_TO_ARRAY)) {
        place--;
      }
      codecs.add(place, LITTLE_ENDIAN);
    }
    return codecs.equals(array.elements()) ? array : new JsonArray(codecs);
  }

  private static boolean is(JsonValue codec, Set<String> names) {
    String name = name(codec);
    return name != null && names.contains(name);
  }

  private static @Nullable String name(JsonValue codec) {
    JsonValue name = codec instanceof JsonObject object ? object.get("name") : codec;
    return name instanceof JsonString text ? text.value() : null;
  }

  private JsonValue codec(LocatedJson json, int rank) {
    JsonValue named = Draft2023Document.named(json, deviations);
    LocatedJson codec = new LocatedJson(named, json.location());
    String name = name(named);
    if (name == null) {
      return named;
    }
    return switch (name) {
      case "endian" -> {
        deviations.note(json, "the codec \"bytes\" under its old name \"endian\"");
        yield named;
      }
      case "transpose" -> configured(codec, configuration -> transpose(configuration, rank));
      case "sharding_indexed" -> configured(codec, configuration -> sharding(configuration, rank));
      default -> named;
    };
  }

  private static JsonValue configured(LocatedJson codec, Draft2023Document.Change change) {
    boolean has =
        codec.value() instanceof JsonObject object
            && object.get("configuration") instanceof JsonObject;
    return has ? Draft2023Document.replaced(codec, "configuration", change).value() : codec.value();
  }

  private JsonValue transpose(LocatedJson configuration, int rank) {
    return Draft2023Document.replaced(
            configuration,
            "order",
            order -> {
              JsonValue permutation = permutation(order.value(), rank);
              if (permutation != order.value()) {
                deviations.take(order, "the word " + order.value() + " for a permutation");
              }
              return permutation;
            })
        .value();
  }

  /**
   * Returns the permutation of {@code rank} dimensions that a word stands for, and any other value
   * unchanged.
   */
  static JsonValue permutation(JsonValue order, int rank) {
    if (order.equals(new JsonString("F"))) {
      return V2Array.reversal(rank);
    }
    if (order.equals(new JsonString("C"))) {
      JsonValue[] identity = new JsonValue[rank];
      Arrays.setAll(identity, JsonNumber::of);
      return JsonArray.of(identity);
    }
    return order;
  }

  private JsonValue sharding(LocatedJson configuration, int rank) {
    LocatedJson result = in(configuration, rank);
    if (result.optional("index_codecs") == null) {
      deviations.take(configuration, "the member \"index_codecs\" is missing");
      return result
          .object()
          .with("index_codecs", JsonArray.of(LITTLE_ENDIAN, use(INDEX_CHECKSUM, JsonObject.EMPTY)));
    }
    return Draft2023Document.replaced(result, "index_codecs", codecs -> chain(codecs, rank + 1))
        .value();
  }
}
