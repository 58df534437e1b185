package dev.zarrreactive.arrow;

import dev.zarrreactive.array.NdArray;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;

/** How elements of a data type become a vector. Immutable. */
interface ColumnKind {
  /** The part of a column's values that a block holds. */
  interface Values {
    /** Returns the bytes that an element takes beside those of {@link ColumnKind#width}. */
    int extra(int place);

    /** Allocates the memory of a vector, and fills it. */
    void fill(FieldVector vector, Places places);
  }

  /** Returns the field of a column. */
  Field field(String name);

  /** The bytes that each value takes in a vector, without those of {@link Values#extra}. */
  int width();

  /** Returns decoded elements in the form that vectors are filled from. */
  Values values(NdArray decoded);
}
