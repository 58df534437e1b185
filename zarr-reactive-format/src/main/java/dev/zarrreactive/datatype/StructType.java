package dev.zarrreactive.datatype;

import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * {@code struct}: items of named fields, packed in the order of their declaration. The name {@code
 * structured} is that of older versions of zarr-python. It is read, and new metadata use {@code
 * struct} instead ({@link #toStruct}). Types with different names are equal.
 */
public final class StructType implements DataType {
  static final String NAME = "struct";
  static final String LEGACY_NAME = "structured";

  private final String name;
  private final List<StructField> fields;
  private final Map<String, Integer> offsets;
  private final List<Components> components;
  private final int itemSize;

  /**
   * Creates the type of items with these fields.
   *
   * @throws IllegalArgumentException if the list is empty, two fields have one name, or an item
   *     exceeds 16 MiB
   */
  public StructType(List<StructField> fields) {
    this(NAME, fields);
  }

  StructType(String name, List<StructField> fields) {
    this.name = name;
    this.fields = List.copyOf(fields);
    this.offsets = new LinkedHashMap<>();
    ComponentsBuilder layout = new ComponentsBuilder();
    for (StructField field : fields) {
      if (offsets.put(field.name(), layout.byteSize()) != null) {
        throw new IllegalArgumentException("two fields have the name \"" + field.name() + "\"");
      }
      layout.add(field.dataType());
    }
    if (fields.isEmpty()) {
      throw new IllegalArgumentException("a struct has at least one field");
    }
    this.components = layout.components();
    this.itemSize = layout.byteSize();
  }

  @Override
  public String name() {
    return name;
  }

  /** Returns true if the metadata name it {@code structured}. */
  public boolean isLegacy() {
    return name.equals(LEGACY_NAME);
  }

  /** Returns the same type under the name of new metadata, at every level. */
  public StructType toStruct() {
    return new StructType(
        fields.stream()
            .map(
                field ->
                    field.dataType() instanceof StructType nested
                        ? new StructField(field.name(), nested.toStruct())
                        : field)
            .toList());
  }

  /** The fields in the order of their values in an item. */
  public List<StructField> fields() {
    return fields;
  }

  /**
   * Returns the field of this name.
   *
   * @throws IllegalArgumentException if the struct has no such field
   */
  public StructField field(String field) {
    for (StructField candidate : fields) {
      if (candidate.name().equals(field)) {
        return candidate;
      }
    }
    throw new IllegalArgumentException(
        "no field \"" + field + "\"; there are " + String.join(", ", offsets.keySet()));
  }

  /** Returns the offset of the field's value in an item, in bytes. */
  public int offset(StructField field) {
    Integer offset = offsets.get(field.name());
    if (offset == null) {
      throw new IllegalArgumentException("no field \"" + field.name() + "\" in " + this);
    }
    return offset;
  }

  @Override
  public int itemSize() {
    return itemSize;
  }

  @Override
  public List<Components> components() {
    return components;
  }

  /**
   * Reads an object with the fill value of every field. For {@code structured} it also reads base64
   * of an item, little-endian.
   */
  @Override
  public FillValue parseFillValue(LocatedJson json) {
    return parseFillValue(json, ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Reads a fill value like {@link #parseFillValue(LocatedJson)}.
   *
   * @param packedOrder the byte order of a value in base64, which is that of the codec {@code
   *     bytes}
   */
  public FillValue parseFillValue(LocatedJson json, ByteOrder packedOrder) {
    if (json.value() instanceof JsonObject) {
      return parseFields(json);
    }
    byte[] packed = isLegacy() ? Images.ofBase64(json.value()) : null;
    if (packed != null && packed.length == itemSize) {
      return FillValue.of(this, packed, packedOrder);
    }
    throw json.expected(
        "a fill value of "
            + this
            + ": an object with the fill value of every field"
            + (isLegacy() ? ", or base64 of " + itemSize + " bytes" : ""));
  }

  private FillValue parseFields(LocatedJson json) {
    json.allowOnly(offsets.keySet().toArray(String[]::new));
    byte[] image = new byte[itemSize];
    for (StructField field : fields) {
      FillValue value = field.dataType().parseFillValue(json.member(field.name()));
      System.arraycopy(value.image(), 0, image, offset(field), field.dataType().itemSize());
    }
    return FillValue.of(this, image);
  }

  /** Returns an object of the fields' values. */
  @Override
  public JsonValue toJson(byte[] image, int offset) {
    Map<String, JsonValue> values = new LinkedHashMap<>();
    for (StructField field : fields) {
      values.put(field.name(), field.dataType().toJson(image, offset + offset(field)));
    }
    return new JsonObject(values);
  }

  @Override
  public JsonObject toMetadata() {
    return StructMetadata.write(this);
  }

  /** Compares the fields, but not the names of the type. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof StructType that && fields.equals(that.fields);
  }

  @Override
  public int hashCode() {
    return fields.hashCode();
  }

  /**
   * Returns a text for people: the name and the fields, such as {@code struct{a: int32, b:
   * float64}}.
   */
  @Override
  public String toString() {
    return fields.stream()
        .map(StructField::toString)
        .collect(Collectors.joining(", ", name + "{", "}"));
  }

  /** Collects the components of packed fields. */
  private static final class ComponentsBuilder {
    private final List<Components> components = new ArrayList<>();
    private int byteSize;

    /** Adds a field after the others. */
    void add(DataType field) {
      if (field.itemSize() > LengthBytes.LONGEST_PADDED - byteSize) {
        throw new IllegalArgumentException(
            "the fields of a struct have at most "
                + LengthBytes.LONGEST_PADDED
                + " bytes together");
      }
      byteSize += field.itemSize();
      field.components().forEach(this::add);
    }

    private void add(Components next) {
      int last = components.size() - 1;
      if (last >= 0 && components.get(last).size() == next.size()) {
        int count = components.get(last).count() + next.count();
        components.set(last, new Components(next.size(), count));
      } else {
        components.add(next);
      }
    }

    List<Components> components() {
      return List.copyOf(components);
    }

    /** The size of all fields so far, in bytes. */
    int byteSize() {
      return byteSize;
    }
  }
}
