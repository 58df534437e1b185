package dev.zarrreactive.datatype;

/**
 * One field of a {@link StructType}.
 *
 * @param name not empty, and the field's alone
 * @param dataType the type of the field's values
 */
public record StructField(String name, DataType dataType) {
  /** A field of this name. */
  public StructField {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("a field of a struct needs a name");
    }
  }

  @Override
  public String toString() {
    return name + ": " + dataType;
  }
}
