package dev.zarrreactive.datatype;

import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonValue;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Optional elements of a type of variable length. */
record VariableOptionalType(String name, VariableLengthType inner)
    implements OptionalType, VariableLengthType {
  @Override
  public Class<?> valueClass() {
    return Optional.class;
  }

  @Override
  public Object emptyValue() {
    return Optional.empty();
  }

  @Override
  public void checkValue(Object value) {
    VariableLengthType.super.checkValue(value);
    ((Optional<?>) value).ifPresent(inner::checkValue);
  }

  @Override
  public FillValue present(FillValue value) {
    return FillValue.ofValue(this, Optional.of(value.value()));
  }

  @Override
  public JsonValue toJson(Object value) {
    return ((Optional<?>) value)
        .map(there -> OptionalJson.element(inner.toJson(there)))
        .orElse(JsonNull.NULL);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof VariableOptionalType that && inner.equals(that.inner);
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
