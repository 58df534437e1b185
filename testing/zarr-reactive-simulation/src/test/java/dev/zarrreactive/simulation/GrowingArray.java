package dev.zarrreactive.simulation;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.chunkgrid.ShrinkMode;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.simulation.PlannedOperation.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * An array that is written, grown and shrunk, one operation after the other, while the others of
 * the scenario are under way. Each may be cancelled, or fail. The next one begins when the last
 * request of the one before has arrived, so that the model knows the shape, and for each element
 * the values that it may have.
 */
final class GrowingArray {
  private static final int FIRST_ID = 800;
  private static final int MOST_STEPS = 8;
  private static final int MOST_EXTENT = 24;
  private static final int FILL = -7;

  private final Simulation run;
  private final ArrayPlan plan;
  private final ZarrHierarchy other;
  private final int rank;

  /** The values that elements may have, also outside of the array; null for fill value alone. */
  private final @Nullable Set<Integer>[] values;

  private final List<long[]> shapes = new ArrayList<>();
  private long[] shape;
  private Step step = new Step(new int[0], false, new long[0], null);

  /**
   * An array that begins empty of values.
   *
   * @param other another program, which needs no time
   */
  @SuppressWarnings({"unchecked", "rawtypes"})
  GrowingArray(Simulation run, ZarrHierarchy other) {
    this.run = run;
    this.plan = plan(run.scenario());
    this.other = other;
    this.rank = plan.shape().length;
    this.shape = plan.shape().clone();
    this.values = new Set[(int) Math.pow(MOST_EXTENT, rank)];
    shapes.add(shape);
    Immediately.get(other.createArray(plan.path(), plan.metadata()));
  }

  /**
   * What an operation changes.
   *
   * @param touched the numbers of elements that it gives values
   * @param isFill whether the values are fill value
   * @param newShape the shape after it; empty if it stays
   */
  private record Step(
      int[] touched, boolean isFill, long[] newShape, @Nullable ShrinkMode outside) {}

  private static ArrayPlan plan(Scenario scenario) {
    int format = scenario.arrays().get(0).format();
    SplittableRandom chance = new SplittableRandom(scenario.seed() ^ 0x9209);
    int rank = 1 + chance.nextInt(2);
    long[] chunk = new long[rank];
    Arrays.setAll(chunk, d -> 2 + chance.nextInt(2));
    List<long[]> grids = new ArrayList<>(List.of(chunk));
    if (format == 3 && chance.nextBoolean()) {
      long[] shard = chunk.clone();
      Arrays.setAll(shard, d -> shard[d] * (1 + chance.nextInt(3)));
      grids.add(0, shard);
    }
    long[] shape = new long[rank];
    Arrays.setAll(shape, d -> 1 + chance.nextInt(10));
    return new ArrayPlan(
        "growing", format, shape, grids, FILL, format == 3 && chance.nextBoolean(), false);
  }

  /** Returns the operations; each follows the one before. */
  static List<PlannedOperation> operations(
      SplittableRandom chance, int hierarchies, Box box, long latency) {
    List<PlannedOperation> steps = new ArrayList<>();
    int count = 1 + chance.nextInt(MOST_STEPS);
    for (int i = 0; i < count; i++) {
      steps.add(
          new PlannedOperation(
              FIRST_ID + i,
              Kind.GROW,
              1 + chance.nextLong(latency + 500),
              chance.nextInt(hierarchies),
              0,
              box,
              Pace.FAST,
              chance.nextInt(3) == 0 ? chance.nextLong(4 * latency + 100) : -1));
    }
    return steps;
  }

  /** Begins the operation that the number of the plan decides, and judges what it is given. */
  Flux<?> begin(PlannedOperation operation, ZarrHierarchy hierarchy) {
    look();
    SplittableRandom chance =
        new SplittableRandom(run.scenario().seed() * 31 + operation.id() ^ 0x960);
    ZarrArray array = hierarchy.array(plan.path(), planOf(shape).metadata());
    int kind = chance.nextInt(9);
    if (kind < 4) {
      return write(operation, array, chance, kind);
    }
    if (kind < 6) {
      return append(operation, array, chance, kind == 5);
    }
    if (kind < 8) {
      return resize(array, chance);
    }
    step = new Step(new int[0], false, new long[0], null);
    return array.read().doOnNext(read -> judge(operation + " reads", read.toIntArray())).flux();
  }

  private Flux<?> write(
      PlannedOperation operation, ZarrArray array, SplittableRandom chance, int kind) {
    Box box = ScenarioGenerator.anyBox(planOf(shape), chance);
    boolean isFill = chance.nextInt(5) == 0;
    step = new Step(numbers(box, new long[rank]), isFill, new long[0], null);
    NdArray data = data(operation, box.shape(), step.touched(), isFill);
    log(operation, "writes " + box);
    return switch (kind) {
      case 0 -> array.write(box.selection(), data).flux();
      case 1 -> array.write(box.selection(), rows(data, 1 + chance.nextInt(4))).flux();
      default -> array.write(Flux.fromIterable(chunks(box, data, shape, chance))).flux();
    };
  }

  private Flux<?> append(
      PlannedOperation operation, ZarrArray array, SplittableRandom chance, boolean isStream) {
    int axis = chance.nextInt(rank);
    long[] block = shape.clone();
    block[axis] = Math.min(1 + chance.nextInt(7), MOST_EXTENT - shape[axis]);
    if (block[axis] <= 0) {
      return resize(array, chance);
    }
    long[] place = new long[rank];
    place[axis] = shape[axis];
    long[] longer = shape.clone();
    longer[axis] += block[axis];
    step = new Step(numbers(Box.all(block), place), false, longer, null);
    if (isStream && axis == 0) {
      for (long end = shape[0] + 1; end < longer[0]; end++) { // each row may be the last one
        long[] between = longer.clone();
        between[0] = end;
        shapes.add(between);
      }
    }
    shapes.add(longer);
    NdArray data = data(operation, Shape.of(block), step.touched(), false);
    log(operation, "appends " + Arrays.toString(block) + " along " + axis);
    return (isStream && axis == 0 ? array.append(0, rows(data, 2)) : array.append(axis, data))
        .doOnNext(grown -> judgeShape(operation, grown, longer))
        .flux();
  }

  private Flux<?> resize(ZarrArray array, SplittableRandom chance) {
    long[] other = new long[rank];
    Arrays.setAll(
        other, d -> chance.nextInt(3) == 0 ? shape[d] : 1 + chance.nextInt(MOST_EXTENT - 1));
    ShrinkMode outside = ShrinkMode.values()[chance.nextInt(ShrinkMode.values().length)];
    step = new Step(new int[0], false, other, outside);
    shapes.add(other);
    run.log(
        () ->
            "resizes " + Arrays.toString(shape) + " to " + Arrays.toString(other) + ", " + outside);
    return array.resize(Shape.of(other), outside).flux();
  }

  /** The operation has ended, and the last of its requests has arrived. */
  void ended(RunningOperation operation) {
    boolean isComplete = operation.isComplete();
    Step done = step;
    for (int number : done.touched()) {
      int value = done.isFill() ? FILL : value(operation.plan(), number);
      if (isComplete) {
        values[number] = value == FILL ? null : new HashSet<>(Set.of(value));
      } else {
        allow(number, value);
      }
    }
    long[] before = shape;
    if (isComplete && done.newShape().length > 0) {
      shapes.clear();
      shapes.add(done.newShape());
    }
    look();
    for (int number = 0; number < values.length; number++) {
      boolean isOutside = isOutside(number, shape);
      boolean wasOutside = isOutside(number, before);
      if (isOutside) { // a write of the chunk at the end leaves fill value there
        allow(number, FILL);
        if (isComplete && done.outside() == ShrinkMode.TRIM && !wasOutside) {
          values[number] = null;
        }
      }
    }
    step = new Step(new int[0], false, new long[0], null);
  }

  /** Takes the stored shape, which must be a possible one. */
  private void look() {
    ZarrArray stored = Immediately.get(other.openArray(plan.path()));
    long[] now = stored == null ? new long[0] : stored.shape().toArray();
    if (shapes.stream().noneMatch(possible -> Arrays.equals(possible, now))) {
      run.found(
          Rule.VALUES,
          "the growing array has the shape "
              + Arrays.toString(now)
              + " in place of one of "
              + shapes.stream().map(Arrays::toString).toList());
      return;
    }
    shape = now;
    shapes.clear();
    shapes.add(now);
  }

  /** Judges what is stored in the end. */
  void judgeValues() {
    ZarrArray stored = Immediately.get(other.openArray(plan.path()));
    look();
    NdArray all = stored == null ? null : Immediately.get(stored.read());
    if (all != null) {
      judge("in the end the store", all.toIntArray());
    }
  }

  private void judge(String what, int[] elements) {
    int[] numbers = numbers(Box.all(shape), new long[rank]);
    for (int i = 0; i < numbers.length; i++) {
      Set<Integer> possible = values[numbers[i]];
      if (possible == null ? elements[i] != FILL : !possible.contains(elements[i])) {
        run.found(
            Rule.VALUES,
            what
                + " element "
                + i
                + " of the growing array of shape "
                + Arrays.toString(shape)
                + " as "
                + name(elements[i])
                + " in place of "
                + (possible == null ? "fill value" : possible.stream().map(this::name).toList()));
        return;
      }
    }
  }

  private void judgeShape(PlannedOperation operation, ZarrArray grown, long[] expected) {
    if (!Arrays.equals(grown.shape().toArray(), expected)) {
      run.found(Rule.VALUES, operation + " returned " + grown);
    }
  }

  private void allow(int number, int value) {
    Set<Integer> possible = values[number];
    if (possible == null) {
      values[number] = value == FILL ? null : new HashSet<>(Set.of(FILL, value));
    } else {
      possible.add(value);
    }
  }

  private String name(int value) {
    return value == FILL ? "fill value" : "value of #" + value / ValueModel.MOST;
  }

  private static int value(PlannedOperation operation, int number) {
    return ValueModel.value(operation.id(), number);
  }

  private NdArray data(PlannedOperation operation, Shape shape, int[] numbers, boolean isFill) {
    int[] elements = Arrays.stream(numbers).map(n -> isFill ? FILL : value(operation, n)).toArray();
    return NdArray.ofInts(DataTypes.INT32, shape, elements);
  }

  private ArrayPlan planOf(long[] shape) {
    return new ArrayPlan(
        plan.path(), plan.format(), shape, plan.grids(), FILL, plan.hasChecksums(), false);
  }

  /** Returns the numbers of a box's elements, which do not depend on the shape. */
  private int[] numbers(Box box, long[] place) {
    long[] most = new long[rank];
    Arrays.fill(most, MOST_EXTENT);
    long[] first = new long[rank];
    Arrays.setAll(first, d -> box.first()[d] + place[d]);
    return new Box(first, box.count(), box.step()).indices(most);
  }

  private boolean isOutside(int number, long[] shape) {
    int rest = number;
    for (int d = rank - 1; d >= 0; d--) {
      if (rest % MOST_EXTENT >= shape[d]) {
        return true;
      }
      rest /= MOST_EXTENT;
    }
    return false;
  }

  private static Flux<NdArray> rows(NdArray data, int rows) {
    long all = data.shape().extent(0);
    return Flux.range(0, (int) ((all + rows - 1) / rows))
        .map(
            number -> {
              long[] offset = new long[data.shape().rank()];
              long[] part = data.shape().toArray();
              offset[0] = (long) number * rows;
              part[0] = Math.min(rows, all - offset[0]);
              return data.slice(Selection.box(offset, part));
            });
  }

  /** Cuts a box into pieces of any extent, in any order; some come twice. */
  static List<Chunk> chunks(Box box, NdArray data, long[] shape, SplittableRandom chance) {
    List<Box> pieces = new ArrayList<>(List.of(Box.all(box.count())));
    for (int d = 0; d < shape.length; d++) {
      long most = 1 + chance.nextInt(4);
      List<Box> cut = new ArrayList<>();
      for (Box piece : pieces) {
        for (long from = 0; from < piece.count()[d]; from += most) {
          long[] first = piece.first().clone();
          long[] count = piece.count().clone();
          first[d] += from;
          count[d] = Math.min(most, piece.count()[d] - from);
          cut.add(Box.of(first, count));
        }
      }
      pieces = cut;
    }
    if (chance.nextInt(3) == 0) {
      pieces.add(pieces.get(chance.nextInt(pieces.size())));
    }
    for (int i = pieces.size() - 1; i > 0; i--) {
      Collections.swap(pieces, i, chance.nextInt(i + 1));
    }
    return pieces.stream().map(piece -> chunk(box, piece, data, shape)).toList();
  }

  private static Chunk chunk(Box box, Box piece, NdArray data, long[] shape) {
    long[] first = new long[shape.length];
    Arrays.setAll(first, d -> box.first()[d] + piece.first()[d] * box.step()[d]);
    Box place = new Box(first, piece.count(), box.step());
    return new Chunk(
        new long[shape.length],
        place.selection().resolve(Shape.of(shape)),
        data.slice(piece.selection()));
  }

  private void log(PlannedOperation operation, String what) {
    run.log(() -> "#" + operation.id() + " " + what);
  }
}
