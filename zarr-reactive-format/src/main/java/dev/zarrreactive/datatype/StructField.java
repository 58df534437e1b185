package dev.zarrreactive.datatype;

/**
 * One field of a {@link StructType}.
 *
 * @param name the name, which is not empty and unique in the struct
 * @param dataType the type of the field's values
 */
public record StructField(String name, DataType dataType) {
  /** Checks the name. */
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
