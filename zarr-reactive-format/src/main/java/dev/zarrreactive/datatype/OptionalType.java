package dev.zarrreactive.datatype;

import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;

/**
 * {@code zarrs.optional}: elements of another type, each of which may be missing. zarrs defines it
 * together with a codec of the same name; older data name both {@code optional}. Types with
 * different names are equal.
 *
 * <p>In memory an element of fixed length is the image of its value, zeros if it is missing, and
 * behind it a byte that is 1 if the element is there. An element of variable length is a {@link
 * java.util.Optional}.
 */
public sealed interface OptionalType extends DataType
    permits FixedOptionalType, VariableOptionalType {
  /** The type of the elements that are there. It may be optional, too. */
  DataType inner();

  /** Returns the fill value of an element that is there. */
  FillValue present(FillValue inner);

  /** Reads null, or a list with a fill value of the inner type. */
  @Override
  default FillValue parseFillValue(LocatedJson json) {
    if (json.isNull()) {
      return FillValue.zero(this);
    }
    if (!(json.value() instanceof JsonArray list) || list.elements().size() != 1) {
      throw json.expected("a fill value of " + this + ": null, or a list with the one value");
    }
    return present(inner().parseFillValue(json.elements().get(0)));
  }

  @Override
  default JsonValue toMetadata() {
    JsonObject none = JsonObject.EMPTY;
    JsonValue type = inner().toMetadata();
    return NamedConfiguration.of(
            name(),
            type instanceof JsonObject named
                ? named
                : none.with("name", type).with("configuration", none))
        .toJson();
  }
}
