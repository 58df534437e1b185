package dev.zarrreactive.datatype;

import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Optional elements of a type of fixed length. */
record FixedOptionalType(String name, DataType inner) implements OptionalType {
  FixedOptionalType {
    if (inner.itemSize() >= Integer.MAX_VALUE) {
      throw new IllegalArgumentException("elements of " + inner + " are too large to be optional");
    }
  }

  @Override
  public int itemSize() {
    return inner.itemSize() + 1;
  }

  @Override
  public List<Components> components() {
    List<Components> all = new ArrayList<>(inner.components());
    all.add(new Components(1, 1));
    return all;
  }

  @Override
  public FillValue present(FillValue value) {
    byte[] image = Arrays.copyOf(value.image(), itemSize());
    image[itemSize() - 1] = 1;
    return FillValue.of(this, image);
  }

  private boolean isPresent(byte[] image, int offset) {
    return image[offset + inner.itemSize()] != 0;
  }

  @Override
  public JsonValue toJson(byte[] image, int offset) {
    return isPresent(image, offset)
        ? OptionalJson.element(inner.toJson(image, offset))
        : JsonNull.NULL;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FixedOptionalType that && inner.equals(that.inner);
  }

  @Override
  public int hashCode() {
    return inner.hashCode() + 1;
  }

  @Override
  public String toString() {
    return "optional " + inner;
  }
}
