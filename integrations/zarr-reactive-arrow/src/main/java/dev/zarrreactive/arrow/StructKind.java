package dev.zarrreactive.arrow;

import dev.zarrreactive.array.NdArray;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** Elements of several parts: structs, and complex numbers. */
record StructKind(List<Part> parts) implements ColumnKind {
  /** A part: its name, how it becomes a vector, and which elements it has of the whole. */
  record Part(String name, ColumnKind kind, UnaryOperator<NdArray> elements) {}

  @Override
  public Field field(String name) {
    List<Field> children = parts.stream().map(part -> part.kind().field(part.name())).toList();
    return new Field(name, FieldType.nullable(ArrowType.Struct.INSTANCE), children);
  }

  @Override
  public int width() {
    return parts.stream().mapToInt(part -> part.kind().width()).sum();
  }

  @Override
  public Values values(NdArray decoded) {
    List<Values> all =
        parts.stream().map(part -> part.kind().values(part.elements().apply(decoded))).toList();
    return new Values() {
      @Override
      public int extra(int place) {
        return all.stream().mapToInt(values -> values.extra(place)).sum();
      }

      @Override
      public void fill(FieldVector vector, Places places) {
        StructVector struct = (StructVector) vector;
        struct.setInitialCapacity(places.count());
        struct.allocateNew();
        List<FieldVector> children = struct.getChildrenFromFields();
        for (int i = 0; i < all.size(); i++) {
          all.get(i).fill(children.get(i), places);
        }
        Validity.setAll(struct.getValidityBuffer(), places.count());
        struct.setValueCount(places.count());
      }
    };
  }
}
