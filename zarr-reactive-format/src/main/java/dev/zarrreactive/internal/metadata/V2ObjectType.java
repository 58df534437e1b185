package dev.zarrreactive.internal.metadata;

import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.JsonType;
import dev.zarrreactive.datatype.ListType;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.LocatedJson;
import java.util.List;
import java.util.Set;

/**
 * Resolves the dtype {@code |O} of Zarr v2, whose object codec determines the type of the elements.
 */
public final class V2ObjectType {
  static final JsonString OBJECT = new JsonString("|O");

  private static final Set<String> NESTING = Set.of("json2", "msgpack2");

  private V2ObjectType() {}

  public static boolean is(LocatedJson dtype) {
    return dtype.value().equals(OBJECT);
  }

  /**
   * Returns true if the object codec encodes the chunk with its dimensions, rather than as one row.
   */
  public static boolean nestsDimensions(List<V2Codec> filters) {
    return filters.stream().anyMatch(codec -> NESTING.contains(codec.id()));
  }

  public static V2DataType read(LocatedJson dtype, List<V2Codec> filters) {
    for (V2Codec filter : filters) {
      switch (filter.id()) {
        case "vlen-utf8", "categorize" -> {
          return type(DataTypes.STRING);
        }
        case "vlen-bytes" -> {
          return type(DataTypes.BYTES);
        }
        case "vlen-array" -> {
          return type(new ListType(items(filter)));
        }
        case "json2", "msgpack2" -> {
          return type(new JsonType());
        }
        case "pickle" -> throw refused(dtype, filter, "pickle executes code from the stored bytes");
        default -> {
          // any other codec
        }
      }
    }
    throw dtype.error(
        "the dtype \"|O\" needs an object codec among the filters, such as \"vlen-utf8\", which"
            + " determines the type of the elements");
  }

  private static DataType items(V2Codec filter) {
    return V2DataType.read(filter.member("dtype"), V2DataType.Spelling.AS_PROGRAMMERS_WRITE)
        .dataType();
  }

  private static V2DataType type(VariableLengthType type) {
    return new V2DataType(OBJECT, V2DataType.Kind.OBJECT, type, null, List.of());
  }

  private static UnsupportedFeatureException refused(LocatedJson dtype, V2Codec codec, String why) {
    return new UnsupportedFeatureException(
        "the dtype "
            + dtype.value()
            + " with the object codec \""
            + codec.id()
            + "\" is unsupported: "
            + why,
        codec.configuration().location());
  }
}
