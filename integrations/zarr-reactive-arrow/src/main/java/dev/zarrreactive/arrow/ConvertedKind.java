package dev.zarrreactive.arrow;

import dev.zarrreactive.array.NdArray;
import java.util.function.UnaryOperator;
import org.apache.arrow.vector.types.pojo.Field;

/** Elements that Arrow has no type for, as those of a type that it has. */
record ConvertedKind(ColumnKind to, UnaryOperator<NdArray> conversion) implements ColumnKind {
  @Override
  public Field field(String name) {
    return to.field(name);
  }

  @Override
  public int width() {
    return to.width();
  }

  @Override
  public Values values(NdArray decoded) {
    return to.values(conversion.apply(decoded));
  }
}
