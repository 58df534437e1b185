package dev.zarrreactive.internal.drafts;

import dev.zarrreactive.datatype.BoolType;
import dev.zarrreactive.datatype.ComplexType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.metadata.Deviations;
import dev.zarrreactive.internal.metadata.V2Codec;
import dev.zarrreactive.internal.metadata.V2DataType;
import dev.zarrreactive.internal.metadata.V2ObjectType;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.LocatedJson;
import java.nio.ByteOrder;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads a data type of the 2022 draft. It is a little-endian name such as {@code float64}, or a
 * type string of NumPy such as {@code <f8}, which the draft has in its examples and programs in
 * their data. It may also be an object that names an extension, whose type is such a string too.
 */
final class Draft2022DataType {
  private static final Pattern CORE_NAME =
      Pattern.compile("bool|u?int(8|16|32|64)|float(16|32|64)|complex(64|128)|r[0-9]+");

  /** The prefixes of the URIs of the project's own extensions. Some extensions lack a URI. */
  private static final List<String> NUMPYS =
      List.of(Draft2022Extensions.URI, "https://zarr-specs.readthedocs.io/", "TODO");

  private Draft2022DataType() {}

  static V2DataType read(LocatedJson json, List<V2Codec> filters, Deviations deviations) {
    if (!(json.value() instanceof JsonObject)) {
      return plain(json, filters);
    }
    json.allowOnly("extension", "type", "fallback");
    String extension = json.member("extension").string();
    LocatedJson type = json.member("type");
    LocatedJson fallback = json.nonNull("fallback");
    try {
      if (isNumpys(extension)) {
        return plain(withoutName(type), filters);
      }
    } catch (ZarrException e) {
      if (fallback == null) {
        throw e;
      }
    }
    LocatedJson other =
        fallback == null
            ? type
            : FallbackDataType.of(type, fallback, name -> isKnown(name, filters), deviations);
    if (other.equals(type)) {
      throw new UnsupportedFeatureException(
          "the data type " + type.value() + " of the extension \"" + extension + "\" is unknown",
          json.location());
    }
    return plain(other, filters);
  }

  /** Returns true for the project's own extensions, which are NumPy's types. */
  private static boolean isNumpys(String extension) {
    return NUMPYS.stream().anyMatch(extension::startsWith);
  }

  /** Unwraps raw items, which programs wrote as NumPy's single field without a name. */
  private static LocatedJson withoutName(LocatedJson type) {
    boolean one =
        type.value() instanceof JsonArray fields
            && fields.elements().size() == 1
            && fields.elements().get(0) instanceof JsonArray field
            && field.elements().size() == 2
            && field.elements().get(0).toString().equals("\"\"");
    return one ? type.elements().get(0).elements().get(1) : type;
  }

  private static boolean isKnown(LocatedJson json, List<V2Codec> filters) {
    try {
      plain(json, filters);
      return true;
    } catch (ZarrException e) {
      return false;
    }
  }

  private static V2DataType plain(LocatedJson json, List<V2Codec> filters) {
    if (V2ObjectType.is(json)) {
      return V2ObjectType.read(json, filters);
    }
    if (json.value() instanceof JsonArray || !CORE_NAME.matcher(json.string()).matches()) {
      return V2DataType.read(json, V2DataType.Spelling.AS_PROGRAMMERS_WRITE);
    }
    DataType type = V2DataType.parse(json, json.value());
    @Nullable ByteOrder order = type.hasByteOrder() ? ByteOrder.LITTLE_ENDIAN : null;
    return new V2DataType(json.value(), kind(type), type, order, List.of());
  }

  private static V2DataType.Kind kind(DataType type) {
    if (type instanceof BoolType) {
      return V2DataType.Kind.BOOL;
    }
    if (type instanceof IntegerType) {
      return V2DataType.Kind.INTEGER;
    }
    if (type instanceof FloatType) {
      return V2DataType.Kind.FLOAT;
    }
    return type instanceof ComplexType ? V2DataType.Kind.COMPLEX : V2DataType.Kind.RAW;
  }
}
