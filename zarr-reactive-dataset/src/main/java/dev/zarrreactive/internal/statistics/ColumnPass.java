package dev.zarrreactive.internal.statistics;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * Calculates along one dimension, of blocks that come in their order along it, tile by tile.
 * Results of a block come when the blocks that they need are there; what later ones need is kept.
 * Used by one thread at a time.
 *
 * @param <K> what the caller knows a block by
 */
public final class ColumnPass<K> {
  private static final int TOGETHER = 16;

  /** The most doubles of the cells that are calculated together, if they are several. */
  private static final int MOST = 1 << 18;

  private static final VarHandle FLOATS =
      MethodHandles.byteArrayViewVarHandle(float[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle DOUBLES =
      MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.LITTLE_ENDIAN);

  private final Along how;
  private final int dimension;
  private final DataType type;
  private final long extent;
  private final Deque<Kept> kept = new ArrayDeque<>();
  private final Deque<Block<K>> waiting = new ArrayDeque<>();
  private double[] carried = {};

  /**
   * A block of values.
   *
   * @param from its first position along the dimension
   * @param to the position after its last one
   */
  public record Block<K>(K key, long from, long to, NdArray values) {}

  /**
   * Which results are wanted of a block.
   *
   * @param numbers what the caller knows them by
   * @param places their positions in the block
   */
  public record Wanted(Axis numbers, Axis places) {}

  /** Says which results of a range of positions are wanted. */
  @FunctionalInterface
  public interface Choice {
    /** Returns the results of the positions of a range that are wanted. */
    Wanted of(long from, long to);
  }

  /** The wanted results of a block, whose dimension has as many positions as are wanted. */
  public record Ready<K>(K key, Wanted wanted, NdArray values) {}

  /** The values of a block that is there. */
  private record Kept(long from, long to, Columns columns) {}

  /**
   * Creates a pass.
   *
   * @param dimension the number of the dimension
   * @param type of the results, {@code float32} or {@code float64}
   * @param extent of the dimension
   */
  public ColumnPass(Along how, int dimension, DataType type, long extent) {
    this.how = how;
    this.dimension = dimension;
    this.type = type;
    this.extent = extent;
  }

  /** Adds the next block, and returns what is ready now. */
  public List<Ready<K>> add(Block<K> block, Choice choice) {
    boolean[] isAlong = new boolean[block.values().shape().rank()];
    isAlong[dimension] = true;
    Columns columns = new Columns(block.values(), isAlong);
    if (block.from() == 0) {
      kept.clear();
      carried = new double[columns.cells()];
      Arrays.fill(carried, how.begin());
    }
    kept.add(new Kept(block.from(), block.to(), columns));
    waiting.add(block);
    List<Ready<K>> ready = new ArrayList<>();
    while (!waiting.isEmpty() && isComplete(waiting.element(), block.to())) {
      Block<K> next = waiting.remove();
      forgetBefore(next.from() - Math.min(next.from(), how.before()));
      Wanted wanted = choice.of(next.from(), next.to());
      NdArray results = results(next, wanted);
      if (wanted.numbers().count() > 0) {
        ready.add(new Ready<>(next.key(), wanted, results));
      }
      if (how.before() == Long.MAX_VALUE) {
        forgetBefore(next.to());
      }
    }
    return ready;
  }

  private boolean isComplete(Block<K> block, long there) {
    return there == extent || block.to() + how.after() <= there;
  }

  private void forgetBefore(long position) {
    while (!kept.isEmpty() && kept.element().to() <= position) {
      kept.remove();
    }
  }

  private NdArray results(Block<K> block, Wanted wanted) {
    long[] extents = block.values().shape().toArray();
    int[] rows = rows(wanted.places());
    extents[dimension] = rows.length;
    boolean[] isAlong = new boolean[extents.length];
    isAlong[dimension] = true;
    int[] cells = Columns.offsets(extents, isAlong, false);
    int[] places = Columns.offsets(extents, isAlong, true);
    boolean isWide = type.equals(DataTypes.FLOAT64);
    byte[] memory = new byte[Shape.of(extents).byteSize(type.itemSize())];
    long begin = kept.element().from();
    int length = (int) (kept.getLast().to() - begin);
    int count = (int) (block.to() - block.from());
    int together = Math.max(1, Math.min(TOGETHER, MOST / Math.max(1, length)));
    double[][] columns = new double[Math.min(together, carried.length)][length];
    double[] results = new double[count];
    for (int first = 0; first < carried.length; first += together) {
      int size = Math.min(together, carried.length - first);
      for (Kept piece : kept) {
        piece.columns().fill(first, size, columns, (int) (piece.from() - begin));
      }
      for (int i = 0; i < size; i++) {
        int cell = first + i;
        int from = (int) (block.from() - begin);
        carried[cell] = how.run(columns[i], from, results, count, carried[cell]);
        for (int k = 0; k < places.length; k++) {
          double result = results[rows[k]];
          int at = (cells[cell] + places[k]) * type.itemSize();
          if (isWide) {
            DOUBLES.set(memory, at, result);
          } else {
            FLOATS.set(memory, at, (float) result);
          }
        }
      }
    }
    return NdArray.wrap(type, Shape.of(extents), Bytes.wrap(memory));
  }

  private static int[] rows(Axis places) {
    int[] rows = new int[(int) places.count()];
    if (places instanceof Axis.Range range) {
      Arrays.setAll(rows, k -> (int) (range.start() + k * range.step()));
    } else {
      Arrays.setAll(rows, k -> (int) ((Axis.Indices) places).index(k));
    }
    return rows;
  }
}
