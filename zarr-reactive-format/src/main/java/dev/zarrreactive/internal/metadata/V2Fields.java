package dev.zarrreactive.internal.metadata;

import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.StructType;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Translates a structured data type of Zarr v2 to a {@code struct} of Zarr v3. A field with an
 * array becomes a struct of its elements, named by their number in C order. A field without a name
 * is padding, and gets NumPy's name: {@code f} and its position.
 */
final class V2Fields {
  /**
   * The maximum number of elements of all arrays and structs in the fields. Each becomes a field of
   * some kilobytes, while a short document can declare billions.
   */
  private static final long MAX_ELEMENTS = 1 << 12;

  private final List<JsonValue> fields = new ArrayList<>();
  private final Set<String> names = new HashSet<>();
  private final List<V2DataType.Swap> swaps = new ArrayList<>();
  private final Set<ByteOrder> orders = new HashSet<>();
  private boolean mixed;
  private long itemSize;
  private long elements;

  private V2Fields() {}

  static V2DataType read(LocatedJson dtype) {
    V2Fields reader = new V2Fields();
    List<LocatedJson> fields = dtype.elements();
    if (fields.isEmpty()) {
      throw dtype.expected("at least one field");
    }
    for (int i = 0; i < fields.size(); i++) {
      reader.add(fields.get(i), i);
    }
    return new V2DataType(
        dtype.value(),
        V2DataType.Kind.STRUCT,
        V2DataType.parse(dtype, struct(reader.fields)),
        reader.order(),
        List.copyOf(reader.swaps));
  }

  /**
   * The common byte order of the fields. Null if they have different ones, which the swaps list.
   */
  private @Nullable ByteOrder order() {
    return mixed || orders.size() != 1 ? null : orders.iterator().next();
  }

  private void add(LocatedJson json, int position) {
    List<LocatedJson> field = json.elements();
    if (field.size() != 2 && field.size() != 3) {
      throw json.expected("a field: a name, a type and an optional shape");
    }
    String name = field.get(0).string().isEmpty() ? "f" + position : field.get(0).string();
    if (!names.add(name)) {
      throw field.get(0).error("duplicate field name \"" + name + '"');
    }
    V2DataType type = V2DataType.read(field.get(1), V2DataType.Spelling.STRICT);
    JsonValue v3 = type.dataType().toMetadata();
    long count = field.size() == 2 ? 1 : elementCount(field.get(2));
    elements += count * elements(type.dataType());
    if (elements > MAX_ELEMENTS) {
      throw tooMany(json);
    }
    fields.add(field(name, field.size() == 2 ? v3 : array(v3, count)));
    addSwaps(type, count);
  }

  private void addSwaps(V2DataType type, long count) {
    mixed |= type.isMixed();
    if (type.order() != null) {
      orders.add(type.order());
    }
    int size = type.dataType().itemSize();
    for (long i = 0; i < count && !type.swaps().isEmpty(); i++) {
      for (V2DataType.Swap swap : type.swaps()) {
        swaps.add(swap.at(Math.toIntExact(itemSize + i * size)));
      }
    }
    itemSize += count * size;
  }

  private static long elementCount(LocatedJson shape) {
    long count = 1;
    for (LocatedJson extent : shape.elements()) {
      count *= extent.integer(1, Integer.MAX_VALUE);
      if (count > MAX_ELEMENTS) {
        throw tooMany(shape);
      }
    }
    return count;
  }

  private static long elements(DataType type) {
    return type instanceof StructType struct
        ? struct.fields().stream().mapToLong(field -> elements(field.dataType())).sum()
        : 1;
  }

  private static UnsupportedFeatureException tooMany(LocatedJson place) {
    return new UnsupportedFeatureException(
        "fields that hold arrays of more than " + MAX_ELEMENTS + " elements are unsupported",
        place.location());
  }

  private static JsonObject array(JsonValue element, long count) {
    List<JsonValue> elements = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      elements.add(field(Long.toString(i), element));
    }
    return struct(elements);
  }

  private static JsonObject field(String name, JsonValue dataType) {
    return JsonObject.EMPTY.with("name", name).with("data_type", dataType);
  }

  private static JsonObject struct(List<JsonValue> fields) {
    return JsonObject.EMPTY
        .with("name", "struct")
        .with("configuration", JsonObject.EMPTY.with("fields", new JsonArray(fields)));
  }
}
