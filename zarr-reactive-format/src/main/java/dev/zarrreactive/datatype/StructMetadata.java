package dev.zarrreactive.datatype;

import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads and writes the metadata of a {@link StructType}. Fields are objects, or under the name
 * {@code structured} pairs of a name and a data type.
 */
final class StructMetadata {
  private static final String FIELDS = "fields";
  private static final String FIELD_NAME = "name";
  private static final String DATA_TYPE = "data_type";

  private StructMetadata() {}

  static StructType read(NamedConfiguration use) {
    use.configuration().allowOnly(FIELDS);
    boolean legacy = use.name().equals(StructType.LEGACY_NAME);
    List<StructField> fields = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (LocatedJson json : use.member(FIELDS).elements()) {
      StructField field = legacy && isPair(json) ? pair(json) : object(json);
      if (!names.add(field.name())) {
        throw json.error("duplicate field name \"" + field.name() + '"');
      }
      fields.add(field);
    }
    try {
      return new StructType(use.name(), fields);
    } catch (IllegalArgumentException e) { // an empty list, or a too large item
      throw use.member(FIELDS).error("invalid struct: " + e.getMessage());
    }
  }

  private static boolean isPair(LocatedJson json) {
    return json.value() instanceof JsonArray array && array.elements().size() == 2;
  }

  private static StructField pair(LocatedJson json) {
    List<LocatedJson> pair = json.elements();
    return field(pair.get(0), pair.get(1));
  }

  private static StructField object(LocatedJson json) {
    json.allowOnly(FIELD_NAME, DATA_TYPE);
    return field(json.member(FIELD_NAME), json.member(DATA_TYPE));
  }

  private static StructField field(LocatedJson name, LocatedJson dataType) {
    if (name.string().isEmpty()) {
      throw name.expected("the name of a field");
    }
    DataType type = DataTypes.parse(NamedConfiguration.parse(dataType));
    if (type instanceof VariableLengthType || type instanceof OptionalType) {
      throw dataType.expected("a data type of fixed length, and not an optional one");
    }
    return new StructField(name.string(), type);
  }

  static JsonObject write(StructType type) {
    List<JsonValue> fields = new ArrayList<>();
    for (StructField field : type.fields()) {
      JsonString name = new JsonString(field.name());
      JsonValue dataType = field.dataType().toMetadata();
      fields.add(
          type.isLegacy()
              ? JsonArray.of(name, dataType)
              : JsonObject.EMPTY.with(FIELD_NAME, name).with(DATA_TYPE, dataType));
    }
    return NamedConfiguration.of(type.name(), JsonObject.EMPTY.with(FIELDS, new JsonArray(fields)))
        .toJson();
  }
}
