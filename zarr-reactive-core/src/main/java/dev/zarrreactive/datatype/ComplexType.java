package dev.zarrreactive.datatype;

import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.util.List;

/**
 * {@code complex64} and {@code complex128}: two floats, the real part first.
 *
 * @param component the type of each part
 */
public record ComplexType(FloatType component) implements DataType {
  /** The type with two such parts. */
  public ComplexType {
    if (component.bits() == 16) {
      throw new IllegalArgumentException("complex numbers have parts of 32 or 64 bits, not 16");
    }
  }

  @Override
  public String name() {
    return "complex" + 2 * component.bits();
  }

  @Override
  public int itemSize() {
    return 2 * component.itemSize();
  }

  @Override
  public int componentSize() {
    return component.itemSize();
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

  @Override
  public JsonValue toMetadata() {
    return new JsonString(name());
  }

  @Override
  public String toString() {
    return name();
  }
}
