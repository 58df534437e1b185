package dev.zarrreactive.internal.expression;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.guard.MemoryGuard;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Calculates formulas for all elements of a box. Sources are broadcast by the names of their
 * dimensions. The elements are calculated some at a time, which stay in the processor's cache.
 */
public final class Evaluation {
  private final List<String> dimensions;
  private final int[] extents;
  private final int count;
  private final int outer;
  private final int columns;
  private final List<Reader> readers = new ArrayList<>();

  /**
   * A source of a box.
   *
   * @param dimensions the names of its dimensions, each of which the box has
   * @param values with the extents that the box has
   */
  public record Operand(List<String> dimensions, NdArray values) {
    /** Copies the names. */
    public Operand {
      dimensions = List.copyOf(dimensions);
    }
  }

  /** The elements of a source, in the order of the box; each row has the same stride or is one. */
  private static final class Reader {
    final DataType type;
    final byte[] memory;
    final int begin;
    final int[] strides;
    final boolean isRow;
    Lanes lanes;

    Reader(NdArray values, int[] strides, boolean isRow, Lanes lanes) {
      Bytes bytes = values.bytes();
      this.type = values.dataType();
      this.memory = bytes.unsafeArray();
      this.begin = bytes.unsafeOffset();
      this.strides = strides;
      this.isRow = isRow;
      this.lanes = lanes;
    }

    void load(int row, int column, int size) {
      int at = begin + (row + (isRow ? column : 0)) * type.itemSize();
      if (isRow) {
        lanes.load(type, memory, at, size);
      } else if (column == 0) {
        lanes.load(type, memory, at, 1);
        Arrays.fill(lanes.reals, lanes.reals.length == 0 ? 0 : lanes.reals[0]);
        Arrays.fill(lanes.wholes, lanes.wholes.length == 0 ? 0 : lanes.wholes[0]);
      }
    }
  }

  private Evaluation(List<String> dimensions, int[] extents, List<Operand> sources) {
    this.dimensions = dimensions;
    this.extents = extents;
    this.count = Arrays.stream(extents).reduce(1, Math::multiplyExact);
    this.outer = outer(sources);
    this.columns = Arrays.stream(extents, outer, extents.length).reduce(1, Math::multiplyExact);
  }

  /**
   * Returns the results of formulas, each of the shape of the box.
   *
   * @param dimensions the names of the box's dimensions, slowest first
   * @param sources the sources by number
   * @throws dev.zarrreactive.error.MemoryExhaustedException if the heap has no room for the results
   */
  public static List<NdArray> of(
      List<String> dimensions, Shape shape, List<Operand> sources, List<Formula> formulas) {
    int[] extents = Arrays.stream(shape.toArray()).mapToInt(Math::toIntExact).toArray();
    return new Evaluation(dimensions, extents, sources).results(shape, sources, formulas);
  }

  private List<NdArray> results(Shape shape, List<Operand> sources, List<Formula> formulas) {
    Map<Integer, Lanes> used = new HashMap<>();
    Step.Sequence steps = new Step.Sequence(used);
    List<Lanes> results = formulas.stream().map(steps::add).toList();
    used.forEach((number, lanes) -> readers.add(reader(sources.get(number), lanes)));
    List<byte[]> memory = new ArrayList<>();
    for (Lanes each : results) {
      int bytes = shape.byteSize(each.type.itemSize());
      memory.add(
          MemoryGuard.allocating("of results", bytes, Location.UNKNOWN, () -> new byte[bytes]));
    }
    if (count > 0) {
      rows(steps, results, memory);
    }
    List<NdArray> arrays = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      arrays.add(NdArray.wrap(results.get(i).type, shape, Bytes.wrap(memory.get(i))));
    }
    return arrays;
  }

  private void rows(Step.Sequence steps, List<Lanes> results, List<byte[]> memory) {
    int[] place = new int[outer];
    for (int first = 0; first < count; first += columns) {
      for (int column = 0; column < columns; column += Lanes.MOST) {
        int size = Math.min(Lanes.MOST, columns - column);
        for (Reader reader : readers) {
          int row = 0;
          for (int d = 0; d < outer; d++) {
            row += place[d] * reader.strides[d];
          }
          reader.load(row, column, size);
        }
        steps.run(size);
        for (int i = 0; i < results.size(); i++) {
          Lanes each = results.get(i);
          each.store(memory.get(i), (first + column) * each.type.itemSize(), size);
        }
      }
      for (int d = outer - 1; d >= 0 && ++place[d] == extents[d]; d--) {
        place[d] = 0;
      }
    }
  }

  /** Returns the number of dimensions before the last ones that each source has all or none of. */
  private int outer(List<Operand> sources) {
    int d = extents.length;
    while (d > 0) {
      String name = dimensions.get(d - 1);
      String last = dimensions.get(extents.length - 1);
      boolean isAlike =
          sources.stream()
              .allMatch(
                  source ->
                      source.dimensions().contains(name) == source.dimensions().contains(last));
      if (!isAlike) {
        return d;
      }
      d--;
    }
    return 0;
  }

  private Reader reader(Operand source, Lanes lanes) {
    List<String> names = source.dimensions();
    int[] order = dimensions.stream().filter(names::contains).mapToInt(names::indexOf).toArray();
    NdArray values = source.values();
    if (!NumberTypes.areNumbers(values.dataType())) {
      values = values.cast(lanes.type);
    }
    if (order.length > 1) {
      values = values.transpose(order);
    }
    values = values.toContiguous();
    int[] strides = new int[outer];
    int stride = 1;
    for (int d = extents.length - 1; d >= 0; d--) {
      if (names.contains(dimensions.get(d))) {
        if (d < outer) {
          strides[d] = stride;
        }
        stride *= extents[d];
      }
    }
    boolean isRow = outer < extents.length && names.contains(dimensions.get(extents.length - 1));
    return new Reader(values, strides, isRow, Objects.requireNonNull(lanes));
  }
}
