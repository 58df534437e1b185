package dev.zarrreactive.internal.drafts;

import dev.zarrreactive.error.Leniency;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.metadata.Deviations;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * Chooses the type to read an unknown data type as, if the user allows it. It is the first known
 * one of the fallbacks in the document. Raw bits are the last resort.
 */
final class FallbackDataType {
  private FallbackDataType() {}

  /**
   * Returns the data type to read.
   *
   * @param type the unknown type, which is also the result if all fallbacks are unknown
   * @param fallback the fallback, or a list of fallbacks
   */
  static LocatedJson of(
      LocatedJson type,
      LocatedJson fallback,
      Predicate<LocatedJson> isKnown,
      Deviations deviations) {
    List<LocatedJson> candidates =
        new ArrayList<>(
            fallback.value() instanceof JsonArray ? fallback.elements() : List.of(fallback));
    candidates.removeIf(candidate -> !isKnown.test(candidate));
    candidates.sort(Comparator.comparing(FallbackDataType::isRaw)); // a stable sort
    if (candidates.isEmpty()) {
      return type;
    }
    LocatedJson chosen = candidates.get(0);
    if (!deviations.allowsFallbackDataTypes()) {
      throw new UnsupportedFeatureException(
          "the data type "
              + shown(type.value())
              + " is unknown; its document has the fallback "
              + shown(chosen.value())
              + ", which Drafts.withFallbackDataTypes(), or --fallback-types on the command line,"
              + " allows",
          type.location());
    }
    deviations.note(
        Leniency.FALLBACK_DATA_TYPE,
        type,
        "the unknown data type " + shown(type.value()) + " is read as " + shown(chosen.value()));
    return chosen;
  }

  private static boolean isRaw(LocatedJson type) {
    return type.value() instanceof JsonString name && name.value().matches("r[0-9]+");
  }

  /** Returns the name, or the whole value of a type without one. */
  private static String shown(JsonValue type) {
    JsonValue name = type instanceof JsonObject object ? object.get("name") : type;
    String text = String.valueOf(name == null ? type : name);
    return text.length() <= 80 ? text : String.format(Locale.ROOT, "%.77s...", text);
  }
}
