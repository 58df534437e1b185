package dev.zarrreactive.arrow;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import java.util.List;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.jspecify.annotations.Nullable;

/** Texts and byte strings of any length, each copied to its row. */
record ByteKind(ArrowType type, Element element) implements ColumnKind {
  /** The bytes of an element. */
  interface Element {
    /** Returns the bytes of an element of a flat array; null for a missing one. */
    byte @Nullable [] of(NdArray flat, int index);
  }

  @Override
  public Field field(String name) {
    return new Field(name, FieldType.nullable(type), List.of());
  }

  @Override
  public int width() {
    return 4;
  }

  @Override
  public Values values(NdArray decoded) {
    int count = (int) decoded.shape().elementCountUpTo(Integer.MAX_VALUE);
    NdArray flat = decoded.reshape(Shape.of(count));
    byte[] @Nullable [] all = new byte[count][];
    for (int i = 0; i < count; i++) {
      all[i] = element.of(flat, i);
    }
    return new Values() {
      @Override
      public int extra(int place) {
        byte[] bytes = all[place];
        return bytes == null ? 0 : bytes.length;
      }

      @Override
      public void fill(FieldVector vector, Places places) {
        BaseVariableWidthVector texts = (BaseVariableWidthVector) vector;
        long bytes = 0;
        for (int i = 0; i < places.count(); i++) {
          bytes += extra(places.place(i));
        }
        texts.allocateNew(bytes, places.count());
        for (int i = 0; i < places.count(); i++) {
          byte[] its = all[places.place(i)];
          if (its == null) {
            texts.setNull(i);
          } else {
            texts.set(i, its);
          }
        }
        texts.setValueCount(places.count());
      }
    };
  }
}
