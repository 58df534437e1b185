package dev.zarrreactive.interop;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataTypes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;

/**
 * Selections of an array that nobody would think of, and what the model takes for each. The same
 * seed gives the same ones.
 */
final class RandomSelections {
  private final NaiveModel model;
  private final Shape shape;
  private final Random random;

  RandomSelections(NaiveModel model, long seed) {
    this.model = model;
    this.shape = model.shape();
    this.random = new Random(seed);
  }

  /** A selection, the shape of its result and its elements. */
  record Expected(Selection selection, Shape shape, List<?> elements) {}

  /** One of each kind: orthogonal, points, mask. */
  List<Expected> three() {
    return List.of(orthogonal(), points(), mask());
  }

  private Expected orthogonal() {
    DimensionSelection[] dimensions = new DimensionSelection[shape.rank()];
    List<long[]> indices = new ArrayList<>();
    List<Long> extents = new ArrayList<>();
    for (int d = 0; d < dimensions.length; d++) {
      long extent = shape.extent(d);
      switch (extent == 0 ? 0 : random.nextInt(4)) {
        case 0 -> {
          long from = extent == 0 ? 0 : random.nextLong(extent);
          long to = from + random.nextLong(extent - from + 1);
          long step = 1 + random.nextLong(3);
          dimensions[d] = DimensionSelection.slice(from, to, step);
          indices.add(LongStream.iterate(from, i -> i < to, i -> i + step).toArray());
          extents.add((long) indices.get(d).length);
        }
        case 1 -> {
          long index = random.nextLong(extent);
          dimensions[d] = DimensionSelection.at(random.nextBoolean() ? index : index - extent);
          indices.add(new long[] {index});
        }
        case 2 -> {
          indices.add(random.longs(random.nextInt(5), 0, extent).toArray());
          dimensions[d] = DimensionSelection.indices(indices.get(d));
          extents.add((long) indices.get(d).length);
        }
        default -> {
          boolean[] mask = new boolean[Math.toIntExact(extent)];
          for (int i = 0; i < mask.length; i++) {
            mask[i] = random.nextInt(3) == 0;
          }
          dimensions[d] = DimensionSelection.mask(mask);
          indices.add(LongStream.range(0, extent).filter(i -> mask[(int) i]).toArray());
          extents.add((long) indices.get(d).length);
        }
      }
    }
    return new Expected(
        Selection.of(dimensions),
        Shape.of(extents.stream().mapToLong(Long::longValue).toArray()),
        model.crossings(indices));
  }

  private Expected points() {
    long[][] points = new long[shape.isEmpty() ? 0 : random.nextInt(8)][shape.rank()];
    for (long[] point : points) {
      Arrays.setAll(point, d -> random.nextLong(shape.extent(d)));
    }
    return new Expected(
        Selection.points(points), Shape.of(points.length), model.points(Arrays.asList(points)));
  }

  private Expected mask() {
    byte[] mask = new byte[model.elements().size()];
    List<Object> taken = new ArrayList<>();
    for (int i = 0; i < mask.length; i++) {
      if (random.nextInt(5) == 0) {
        mask[i] = 1;
        taken.add(model.elements().get(i));
      }
    }
    return new Expected(
        Selection.mask(NdArray.wrap(DataTypes.BOOL, shape, Bytes.wrap(mask))),
        Shape.of(taken.size()),
        taken);
  }
}
