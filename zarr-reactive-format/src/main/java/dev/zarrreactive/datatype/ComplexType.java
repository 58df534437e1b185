package dev.zarrreactive.datatype;

import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Complex numbers: two floats, the real part first. {@code complex64} and {@code complex128} have
 * the second names {@code complex_float32} and {@code complex_float64}. Metadata keep the name, and
 * types with different names are equal. Any other name is {@code complex_} and the name of the
 * parts.
 *
 * @param component the type of each part
 * @param name one of its names
 */
public record ComplexType(FloatType component, String name) implements DataType {
  private static final Map<FloatFormat, String> CORE_NAMES =
      Map.of(FloatFormat.FLOAT32, "complex64", FloatFormat.FLOAT64, "complex128");

  /** Checks that the name fits the parts. */
  public ComplexType {
    if (!name.equals(longName(component)) && !name.equals(CORE_NAMES.get(component.format()))) {
      throw new IllegalArgumentException(
          "complex numbers of " + component + " are not named " + name);
    }
  }

  /** Creates the type with two parts of a float type, and the shorter of two names. */
  public ComplexType(FloatType component) {
    this(component, CORE_NAMES.getOrDefault(component.format(), longName(component)));
  }

  /**
   * Returns the type with two parts of a float type, and the name that begins with {@code
   * complex_}.
   */
  static ComplexType ofLongName(FloatType component) {
    return new ComplexType(component, longName(component));
  }

  private static String longName(FloatType component) {
    return "complex_" + component.name();
  }

  @Override
  public int itemSize() {
    return 2 * component.itemSize();
  }

  @Override
  public List<Components> components() {
    return List.of(new Components(component.itemSize(), 2));
  }

  @Override
  public FillValue parseFillValue(LocatedJson json) {
    if (!(json.value() instanceof JsonArray array) || array.elements().size() != 2) {
      throw json.expected("a fill value of " + name() + ": an array of two numbers");
    }
    byte[] image = new byte[itemSize()];
    List<LocatedJson> parts = json.elements();
    component.putFillValue(parts.get(0), image, 0);
    component.putFillValue(parts.get(1), image, component.itemSize());
    return FillValue.of(this, image);
  }

  @Override
  public JsonValue toJson(byte[] image, int offset) {
    return JsonArray.of(
        component.toJson(image, offset), component.toJson(image, offset + component.itemSize()));
  }

  /** Compares the types of the parts, but not the names. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ComplexType that && component.equals(that.component);
  }

  @Override
  public int hashCode() {
    return 31 * component.hashCode();
  }

  @Override
  public String toString() {
    return name();
  }
}
