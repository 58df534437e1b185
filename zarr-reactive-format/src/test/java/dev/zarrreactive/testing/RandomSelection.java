package dev.zarrreactive.testing;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataTypes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A selection of any kind, and what it selects spelled out.
 *
 * @param elements the indices of the elements, in the result's C order
 */
public record RandomSelection(Selection selection, List<long[]> elements) {
  /** Some selection of an array of this shape. */
  public static RandomSelection of(Shape shape, Random random) {
    return switch (random.nextInt(6)) {
      case 0 -> new RandomSelection(Selection.all(), all(shape));
      case 1 -> box(shape, random);
      case 2 -> points(shape, random);
      case 3 -> mask(shape, random);
      default -> orthogonal(shape, random);
    };
  }

  /** Every index of an array, in C order. */
  public static List<long[]> all(Shape shape) {
    List<List<Long>> axes = new ArrayList<>();
    for (long extent : shape.toArray()) {
      axes.add(range(0, extent, 1));
    }
    return product(axes);
  }

  /** For each chunk, in C order, the places of the result that it gives. */
  public Map<long[], List<Integer>> placesByChunk(RandomGrid grid) {
    Map<long[], List<Integer>> places = new TreeMap<>(Arrays::compare);
    for (int i = 0; i < elements.size(); i++) {
      places.computeIfAbsent(grid.chunkOf(elements.get(i)), chunk -> new ArrayList<>()).add(i);
    }
    return places;
  }

  private static RandomSelection box(Shape shape, Random random) {
    long[] offset = new long[shape.rank()];
    long[] size = new long[shape.rank()];
    List<List<Long>> axes = new ArrayList<>();
    for (int d = 0; d < offset.length; d++) {
      offset[d] = random.nextInt((int) shape.extent(d) + 1);
      size[d] = random.nextInt((int) (shape.extent(d) - offset[d]) + 1);
      axes.add(range(offset[d], offset[d] + size[d], 1));
    }
    return new RandomSelection(Selection.box(offset, size), product(axes));
  }

  private static RandomSelection points(Shape shape, Random random) {
    int count = shape.isEmpty() ? 0 : random.nextInt(20);
    long[][] points = new long[count][shape.rank()];
    for (long[] point : points) {
      for (int d = 0; d < point.length; d++) {
        point[d] = random.nextInt((int) shape.extent(d));
      }
    }
    return new RandomSelection(Selection.points(points), List.of(points));
  }

  private static RandomSelection mask(Shape shape, Random random) {
    List<long[]> selected = new ArrayList<>();
    List<long[]> all = all(shape);
    byte[] truth = new byte[all.size()];
    for (int i = 0; i < truth.length; i++) {
      truth[i] = (byte) random.nextInt(2);
      if (truth[i] != 0) {
        selected.add(all.get(i));
      }
    }
    NdArray mask = NdArray.wrap(DataTypes.BOOL, shape, Bytes.wrap(truth));
    return new RandomSelection(Selection.mask(mask), selected);
  }

  private static RandomSelection orthogonal(Shape shape, Random random) {
    List<DimensionSelection> entries = new ArrayList<>();
    List<List<Long>> axes = new ArrayList<>();
    for (long extent : shape.toArray()) {
      List<Long> taken = new ArrayList<>();
      entries.add(axis(extent, random, taken));
      axes.add(taken);
    }
    return new RandomSelection(
        Selection.of(entries.toArray(DimensionSelection[]::new)), product(axes));
  }

  private static DimensionSelection axis(long extent, Random random, List<Long> taken) {
    int kind = random.nextInt(5);
    if (kind == 0 && extent > 0) {
      long index = random.nextInt((int) extent);
      taken.add(index);
      return DimensionSelection.at(random.nextBoolean() ? index : index - extent);
    }
    if (kind == 1) {
      long[] indices = new long[extent == 0 ? 0 : random.nextInt(8)];
      for (int i = 0; i < indices.length; i++) {
        indices[i] = random.nextInt((int) extent);
        taken.add(indices[i]);
      }
      return DimensionSelection.indices(indices);
    }
    if (kind == 2) {
      boolean[] mask = new boolean[(int) extent];
      for (int i = 0; i < mask.length; i++) {
        mask[i] = random.nextInt(3) > 0;
        if (mask[i]) {
          taken.add((long) i);
        }
      }
      return DimensionSelection.mask(mask);
    }
    long from = random.nextInt((int) extent + 1);
    long to = random.nextInt((int) extent + 1);
    long step = 1 + random.nextInt(4);
    taken.addAll(range(from, to, step));
    return DimensionSelection.slice(from, to, step);
  }

  private static List<Long> range(long from, long to, long step) {
    List<Long> range = new ArrayList<>();
    for (long i = from; i < to; i += step) {
      range.add(i);
    }
    return range;
  }

  private static List<long[]> product(List<List<Long>> axes) {
    List<long[]> product = List.of(new long[0]);
    for (List<Long> axis : axes) {
      List<long[]> longer = new ArrayList<>();
      for (long[] head : product) {
        for (long index : axis) {
          long[] element = Arrays.copyOf(head, head.length + 1);
          element[head.length] = index;
          longer.add(element);
        }
      }
      product = longer;
    }
    return product;
  }
}
