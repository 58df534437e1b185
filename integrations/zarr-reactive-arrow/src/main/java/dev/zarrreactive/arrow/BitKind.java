package dev.zarrreactive.arrow;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.Bytes;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** Truth values: a byte each in an array, a bit each in a vector. */
record BitKind() implements ColumnKind {
  @Override
  public Field field(String name) {
    return new Field(name, FieldType.nullable(ArrowType.Bool.INSTANCE), List.of());
  }

  @Override
  public int width() {
    return 1;
  }

  @Override
  public Values values(NdArray decoded) {
    Bytes images = decoded.bytes();
    return new Values() {
      @Override
      public int extra(int place) {
        return 0;
      }

      @Override
      public void fill(FieldVector vector, Places places) {
        BitKind.fill((BitVector) vector, images, places);
      }
    };
  }

  private static void fill(BitVector vector, Bytes images, Places places) {
    int count = places.count();
    vector.allocateNew(count);
    ArrowBuf data = vector.getDataBuffer();
    ArrowBuf validity = vector.getValidityBuffer();
    int truths = 0;
    int valid = 0;
    for (int i = 0; i < count; i++) {
      int place = places.place(i);
      if (place != Places.NONE) {
        valid |= 1 << (i & 7);
        truths |= images.get(place) == 0 ? 0 : 1 << (i & 7);
      }
      if ((i & 7) == 7 || i == count - 1) {
        data.setByte(i >> 3, truths);
        validity.setByte(i >> 3, valid);
        truths = 0;
        valid = 0;
      }
    }
    vector.setValueCount(count);
  }
}
