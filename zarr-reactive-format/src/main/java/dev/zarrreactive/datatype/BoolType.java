package dev.zarrreactive.datatype;

import dev.zarrreactive.json.JsonBoolean;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.util.List;

/** {@code bool}: one byte, 0 or 1. A reader takes any other byte as true. */
public record BoolType() implements DataType {
  @Override
  public String name() {
    return "bool";
  }

  @Override
  public int itemSize() {
    return 1;
  }

  @Override
  public List<Components> components() {
    return List.of(new Components(1, 1));
  }

  @Override
  public FillValue parseFillValue(LocatedJson json) {
    if (!(json.value() instanceof JsonBoolean bool)) {
      throw json.expected("a fill value of bool: true or false");
    }
    return FillValue.of(this, new byte[] {(byte) (bool.value() ? 1 : 0)});
  }

  @Override
  public JsonValue toJson(byte[] image, int offset) {
    return new JsonBoolean(image[offset] != 0);
  }

  @Override
  public String toString() {
    return name();
  }
}
