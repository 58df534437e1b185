package dev.zarrreactive.datatype;

import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonValue;
import java.util.Arrays;
import java.util.Optional;

/** The JSON of optional elements that are there. */
final class OptionalJson {
  private OptionalJson() {}

  /** Returns the inner element, in a list if it is null, so that it differs from a missing one. */
  static JsonValue element(JsonValue inner) {
    JsonValue end = inner;
    while (end instanceof JsonArray list && list.elements().size() == 1) {
      end = list.elements().get(0);
    }
    return end.equals(JsonNull.NULL) ? JsonArray.of(inner) : inner;
  }

  /** Returns the fill value in metadata: null, or a list with that of the inner type. */
  static JsonValue fillValue(OptionalType type, FillValue value) {
    if (value.isZero()) {
      return JsonNull.NULL;
    }
    FillValue inner =
        type.inner() instanceof VariableLengthType variable
            ? FillValue.ofValue(variable, ((Optional<?>) value.value()).orElseThrow())
            : FillValue.of(type.inner(), Arrays.copyOf(value.image(), type.itemSize() - 1));
    return JsonArray.of(inner.toJson());
  }
}
