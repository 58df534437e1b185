package dev.zarrreactive.metadata;

import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.LocatedJson;
import java.util.List;
import java.util.Set;

/** The dtype {@code |O} of Zarr v2: what the elements are, its object codec says. */
final class V2ObjectType {
  private static final JsonString OBJECT = new JsonString("|O");

  private static final Set<String> UNSUPPORTED =
      Set.of("vlen-array", "json2", "msgpack2", "categorize");

  private V2ObjectType() {}

  static boolean is(LocatedJson dtype) {
    return dtype.value().equals(OBJECT);
  }

  static V2DataType read(LocatedJson dtype, List<V2Codec> filters) {
    for (V2Codec filter : filters) {
      switch (filter.id()) {
        case "vlen-utf8" -> {
          return type(dtype, "string");
        }
        case "vlen-bytes" -> {
          return type(dtype, "bytes");
        }
        case "pickle" ->
            throw refused(dtype, filter, "pickle runs whatever code the stored bytes name");
        default -> {
          if (UNSUPPORTED.contains(filter.id())) {
            throw refused(dtype, filter, "there is no data type for its elements");
          }
        }
      }
    }
    throw dtype.error(
        "the dtype \"|O\" needs an object codec among the filters, such as \"vlen-utf8\", which"
            + " says what the elements are");
  }

  private static V2DataType type(LocatedJson dtype, String name) {
    return new V2DataType(
        "|O",
        V2DataType.Kind.OBJECT,
        V2DataType.parse(dtype, new JsonString(name)),
        null,
        List.of());
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
