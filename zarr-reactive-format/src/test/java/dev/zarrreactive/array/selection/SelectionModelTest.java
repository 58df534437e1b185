package dev.zarrreactive.array.selection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Random selections of random arrays against a naive model, which writes out every index that a
 * selection takes of each dimension, one by one, and numbers the elements in C order.
 */
class SelectionModelTest {

  /**
   * What the model takes of one dimension; null indices where NumPy, or our strictness, objects.
   */
  private record Entry(DimensionSelection selection, List<Long> indices, boolean dropped) {}

  @Property(tries = 5000)
  void every_selection_takes_what_the_model_takes(@ForAll long seed) {
    Random random = new Random(seed);
    Shape shape = shape(random);
    List<Entry> entries = new ArrayList<>();
    for (long extent : shape.toArray()) {
      entries.add(entry(random, extent));
    }
    Selection selection = Selection.of(written(random, entries));

    if (entries.stream().anyMatch(entry -> entry.indices() == null)) {
      assertThatThrownBy(() -> selection.resolve(shape))
          .isInstanceOf(IllegalArgumentException.class);
      return;
    }
    ResolvedSelection resolved = selection.resolve(shape);
    assertThat(resolved.shape()).isEqualTo(modelShape(entries));
    assertThat(numbers(resolved, shape)).isEqualTo(modelNumbers(entries, shape));
    if (entries.stream().noneMatch(entry -> entry.selection() instanceof DimensionMask)) {
      assertThat(Selection.parse(selection.toString()).resolve(shape)).isEqualTo(resolved);
    }
  }

  @Property
  void a_mask_of_the_array_takes_what_the_model_takes(@ForAll long seed) {
    Random random = new Random(seed);
    Shape shape = shape(random);
    boolean[] truth = new boolean[shape.elementCount().intValueExact()];
    List<Long> expected = new ArrayList<>();
    for (int i = 0; i < truth.length; i++) {
      truth[i] = random.nextBoolean();
      if (truth[i]) {
        expected.add((long) i);
      }
    }
    ResolvedSelection resolved = Selection.mask(NdArray.ofBooleans(shape, truth)).resolve(shape);
    assertThat(resolved.shape()).isEqualTo(Shape.of(expected.size()));
    assertThat(numbers(resolved, shape)).isEqualTo(expected);
  }

  @Property
  void points_take_what_the_model_takes(@ForAll long seed) {
    Random random = new Random(seed);
    Shape shape = shape(random);
    if (shape.isEmpty()) {
      return;
    }
    long[][] points = new long[random.nextInt(6)][shape.rank()];
    List<Long> expected = new ArrayList<>();
    for (long[] point : points) {
      long number = 0;
      for (int d = 0; d < point.length; d++) {
        long index = random.nextLong(shape.extent(d));
        number = number * shape.extent(d) + index;
        point[d] = random.nextBoolean() ? index : index - shape.extent(d);
      }
      expected.add(number);
    }
    ResolvedSelection resolved = Selection.points(points).resolve(shape);
    assertThat(resolved.shape()).isEqualTo(Shape.of(points.length));
    assertThat(numbers(resolved, shape)).isEqualTo(expected);
  }

  private static Shape shape(Random random) {
    return Shape.of(random.longs(random.nextInt(5), 0, 6).toArray());
  }

  private static Entry entry(Random random, long extent) {
    return switch (random.nextInt(5)) {
      case 0 -> index(random.nextLong(-extent - 1, extent + 1), extent);
      case 1 -> list(random.longs(random.nextInt(4), -extent, extent + 1).toArray(), extent);
      case 2 -> mask(random, extent);
      case 3 -> new Entry(DimensionSelection.full(), range(0, extent, 1), false);
      default -> slice(random, extent);
    };
  }

  private static Entry index(long index, long extent) {
    boolean inside = index >= -extent && index < extent;
    return new Entry(
        DimensionSelection.at(index), inside ? List.of(fromStart(index, extent)) : null, true);
  }

  private static Entry list(long[] list, long extent) {
    List<Long> indices = new ArrayList<>();
    for (long index : list) {
      if (index >= extent) {
        return new Entry(DimensionSelection.indices(list), null, false);
      }
      indices.add(fromStart(index, extent));
    }
    return new Entry(DimensionSelection.indices(list), indices, false);
  }

  private static Entry mask(Random random, long extent) {
    boolean[] mask = new boolean[(int) extent + (random.nextInt(20) == 0 ? 1 : 0)];
    List<Long> indices = new ArrayList<>();
    for (int i = 0; i < mask.length; i++) {
      mask[i] = random.nextBoolean();
      if (mask[i]) {
        indices.add((long) i);
      }
    }
    return new Entry(DimensionSelection.mask(mask), mask.length == extent ? indices : null, false);
  }

  private static Entry slice(Random random, long extent) {
    Long from = random.nextInt(4) == 0 ? null : random.nextLong(-extent - 1, extent + 2);
    Long to = random.nextInt(4) == 0 ? null : random.nextLong(-extent - 1, extent + 2);
    long step = 1 + random.nextInt(3);
    boolean inside =
        (from == null || (from >= -extent && from <= extent))
            && (to == null || (to >= -extent && to <= extent));
    long first = from == null ? 0 : fromStart(from, extent);
    long end = to == null ? extent : fromStart(to, extent);
    return new Entry(new Slice(from, to, step), inside ? range(first, end, step) : null, false);
  }

  private static List<Long> range(long first, long end, long step) {
    List<Long> indices = new ArrayList<>();
    for (long i = first; i < end; i += step) {
      indices.add(i);
    }
    return indices;
  }

  private static long fromStart(long index, long extent) {
    return index < 0 ? index + extent : index;
  }

  /** The entries as a user may write them: an ellipsis, or nothing, for whole dimensions. */
  private static DimensionSelection[] written(Random random, List<Entry> entries) {
    List<DimensionSelection> written = new ArrayList<>();
    entries.forEach(entry -> written.add(entry.selection()));
    int begin = random.nextInt(written.size() + 1);
    int end = begin;
    while (end < written.size() && written.get(end).equals(DimensionSelection.full())) {
      end++;
    }
    if (random.nextBoolean()) {
      written.subList(begin, end).clear();
      written.add(begin, DimensionSelection.ellipsis());
    } else if (end == written.size()) {
      written.subList(begin, end).clear();
    }
    return written.toArray(DimensionSelection[]::new);
  }

  private static Shape modelShape(List<Entry> entries) {
    return Shape.of(
        entries.stream()
            .filter(entry -> !entry.dropped())
            .mapToLong(entry -> entry.indices().size())
            .toArray());
  }

  private static List<Long> modelNumbers(List<Entry> entries, Shape shape) {
    List<Long> numbers = List.of(0L);
    for (int d = 0; d < entries.size(); d++) {
      List<Long> longer = new ArrayList<>();
      for (long number : numbers) {
        for (long index : entries.get(d).indices()) {
          longer.add(number * shape.extent(d) + index);
        }
      }
      numbers = longer;
    }
    return numbers;
  }

  /** The numbers in C order of the elements that a resolved selection takes. */
  private static List<Long> numbers(ResolvedSelection resolved, Shape shape) {
    List<Long> numbers = new ArrayList<>();
    if (resolved instanceof ResolvedSelection.Points points) {
      for (int point = 0; point < points.count(); point++) {
        long number = 0;
        for (int d = 0; d < points.rank(); d++) {
          number = number * shape.extent(d) + points.index(d, point);
        }
        numbers.add(number);
      }
    } else if (resolved instanceof ResolvedSelection.Orthogonal orthogonal) {
      collect(orthogonal.axes(), shape, 0, 0, numbers);
    }
    return numbers;
  }

  private static void collect(
      List<Axis> axes, Shape shape, int dimension, long number, List<Long> numbers) {
    if (dimension == axes.size()) {
      numbers.add(number);
      return;
    }
    Axis axis = axes.get(dimension);
    for (int i = 0; i < axis.count(); i++) {
      long index =
          axis instanceof Axis.Range range
              ? range.start() + i * range.step()
              : ((Axis.Indices) axis).index(i);
      collect(axes, shape, dimension + 1, number * shape.extent(dimension) + index, numbers);
    }
  }
}
