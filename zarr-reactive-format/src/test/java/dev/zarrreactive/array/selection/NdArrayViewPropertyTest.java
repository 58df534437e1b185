package dev.zarrreactive.array.selection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.StructField;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Views of views hold the elements of a model that maps every index one by one. */
class NdArrayViewPropertyTest {
  private static final List<DataType> TYPES =
      List.of(
          DataTypes.UINT8,
          DataTypes.INT16,
          DataTypes.FLOAT32,
          DataTypes.INT64,
          DataTypes.COMPLEX128,
          DataTypes.struct(
              new StructField("a", DataTypes.UINT8), new StructField("b", DataTypes.INT16)),
          DataTypes.STRING);

  /** The elements of an array in C order, as numbers of elements of the first array. */
  private record Model(long[] extents, List<Integer> numbers) {
    int at(long... index) {
      long position = 0;
      for (int d = 0; d < extents.length; d++) {
        position = position * extents[d] + index[d];
      }
      return numbers.get((int) position);
    }

    /** Makes the model of a view from the index in this array of each index of the view. */
    Model view(long[] viewExtents, Mapping mapping) {
      List<Integer> taken = new ArrayList<>();
      Shape.of(viewExtents); // all of them are possible
      collect(viewExtents, new long[viewExtents.length], 0, mapping, taken);
      return new Model(viewExtents, taken);
    }

    private void collect(
        long[] viewExtents, long[] index, int d, Mapping mapping, List<Integer> taken) {
      if (d == viewExtents.length) {
        taken.add(at(mapping.source(index)));
        return;
      }
      for (long i = 0; i < viewExtents[d]; i++) {
        index[d] = i;
        collect(viewExtents, index, d + 1, mapping, taken);
      }
    }
  }

  private interface Mapping {
    long[] source(long[] index);
  }

  private NdArray array;
  private Model model;

  @Property(tries = 500)
  void a_chain_of_views_has_the_elements_of_the_model(@ForAll long seed) {
    Random random = new Random(seed);
    DataType type = TYPES.get(random.nextInt(TYPES.size()));
    long[] extents = random.longs(random.nextInt(4), 0, 5).toArray();
    Shape shape = Shape.of(extents);
    int count = shape.elementCount().intValue();
    NdArray whole = numbered(type, shape, count);
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      numbers.add(i);
    }
    array = whole;
    model = new Model(extents, numbers);
    for (int steps = random.nextInt(5); steps > 0; steps--) {
      switch (random.nextInt(5)) {
        case 0 -> slice(random);
        case 1 -> transpose(random);
        case 2 -> squeeze();
        case 3 -> newAxis(random);
        default -> broadcast(random);
      }
      assertThat(array.shape()).isEqualTo(Shape.of(model.extents()));
      check(whole);
    }
  }

  private static NdArray numbered(DataType type, Shape shape, int count) {
    if (type.equals(DataTypes.STRING)) {
      String[] texts = new String[count];
      for (int i = 0; i < count; i++) {
        texts[i] = "text " + i;
      }
      return NdArray.ofStrings(type, shape, texts);
    }
    byte[] images = new byte[count * type.itemSize() + 3];
    for (int i = 0; i < images.length; i++) {
      images[i] = (byte) (i * 37);
    }
    return NdArray.wrap(type, shape, Bytes.wrap(images, 3, images.length - 3));
  }

  private void check(NdArray whole) {
    int count = model.numbers().size();
    for (int i = 0; i < count; i++) {
      assertThat(array.toJson(i)).isEqualTo(whole.toJson(model.numbers().get(i)));
    }
    int[] position = {0};
    array.forEachIndex(
        index -> {
          assertThat(array.toJson(position[0]++)).isEqualTo(whole.toJson(model.at(index)));
        });
    assertThat(position[0]).isEqualTo(count);
    NdArray copy = array.toContiguous();
    assertThat(copy.isContiguous()).isTrue();
    assertThat(array).isEqualTo(copy).hasSameHashCodeAs(copy).hasToString(copy.toString());
    if (!whole.dataType().equals(DataTypes.STRING)) {
      int size = whole.dataType().itemSize();
      byte[] expected = new byte[count * size];
      for (int i = 0; i < count; i++) {
        whole.bytes().copyTo(model.numbers().get(i) * size, expected, i * size, size);
      }
      assertThat(array.bytes()).isEqualTo(Bytes.wrap(expected));
      ByteBuffer buffer = ByteBuffer.allocateDirect(expected.length);
      array.copyTo(buffer);
      assertThat(Bytes.copyOf(buffer.flip())).isEqualTo(Bytes.wrap(expected));
    }
  }

  private void slice(Random random) {
    int rank = model.extents().length;
    DimensionSelection[] parts = new DimensionSelection[rank];
    long[][] indices = new long[rank][];
    boolean[] dropped = new boolean[rank];
    for (int d = 0; d < rank; d++) {
      long extent = model.extents()[d];
      int kind = random.nextInt(extent == 0 ? 1 : 4);
      if (kind == 3) {
        indices[d] = random.longs(random.nextInt(4), 0, extent).toArray();
        parts[d] = DimensionSelection.indices(indices[d]);
      } else if (kind == 2) {
        indices[d] = new long[] {random.nextInt((int) extent)};
        parts[d] = DimensionSelection.at(indices[d][0] - extent);
        dropped[d] = true;
      } else {
        long from = random.nextInt((int) extent + 1);
        long to = from + random.nextInt((int) (extent - from) + 1);
        long step = 1 + random.nextInt(3);
        parts[d] = DimensionSelection.slice(from, to, step);
        List<Long> taken = new ArrayList<>();
        for (long i = from; i < to; i += step) {
          taken.add(i);
        }
        indices[d] = taken.stream().mapToLong(Long::longValue).toArray();
      }
    }
    List<Integer> kept = new ArrayList<>();
    for (int d = 0; d < rank; d++) {
      if (!dropped[d]) {
        kept.add(d);
      }
    }
    long[] extents = kept.stream().mapToLong(d -> indices[d].length).toArray();
    array = array.slice(Selection.of(parts));
    model =
        model.view(
            extents,
            index -> {
              long[] source = new long[rank];
              for (int d = 0; d < rank; d++) {
                int at = kept.indexOf(d);
                source[d] = indices[d][at < 0 ? 0 : (int) index[at]];
              }
              return source;
            });
  }

  private void transpose(Random random) {
    int rank = model.extents().length;
    int[] order = new int[rank];
    for (int d = 0; d < rank; d++) {
      int other = random.nextInt(d + 1);
      order[d] = order[other];
      order[other] = d;
    }
    long[] extents = new long[rank];
    for (int d = 0; d < rank; d++) {
      extents[d] = model.extents()[order[d]];
    }
    array = array.transpose(order);
    model =
        model.view(
            extents,
            index -> {
              long[] source = new long[rank];
              for (int d = 0; d < rank; d++) {
                source[order[d]] = index[d];
              }
              return source;
            });
  }

  private void squeeze() {
    List<Integer> kept = new ArrayList<>();
    for (int d = 0; d < model.extents().length; d++) {
      if (model.extents()[d] != 1) {
        kept.add(d);
      }
    }
    array = array.squeeze();
    model = new Model(kept.stream().mapToLong(d -> model.extents()[d]).toArray(), model.numbers());
  }

  private void newAxis(Random random) {
    int axis = random.nextInt(model.extents().length + 1);
    List<Long> extents = new ArrayList<>();
    for (long extent : model.extents()) {
      extents.add(extent);
    }
    extents.add(axis, 1L);
    array = array.newAxis(axis);
    model = new Model(extents.stream().mapToLong(Long::longValue).toArray(), model.numbers());
  }

  private void broadcast(Random random) {
    int rank = model.extents().length;
    int more = random.nextInt(2);
    long[] extents = new long[rank + more];
    for (int d = 0; d < extents.length; d++) {
      boolean repeats = d < more || model.extents()[d - more] == 1;
      extents[d] = repeats ? random.nextInt(3) : model.extents()[d - more];
    }
    long[] old = model.extents();
    array = array.broadcastTo(Shape.of(extents));
    model =
        model.view(
            extents,
            index -> {
              long[] source = new long[rank];
              for (int d = 0; d < rank; d++) {
                source[d] = old[d] == 1 ? 0 : index[more + d];
              }
              return source;
            });
  }
}
