package dev.zarrreactive.spark.write;

import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.partition.Pull;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A task of a write. Its rows come sorted by the unit that owns them, and no other task has rows of
 * these units. It gathers the elements of one unit at a time, and writes them.
 */
final class UnitTask implements MapPartitionsFunction<Row, byte[]> {
  private static final long serialVersionUID = 2;

  private final TaskStore store;
  private final boolean isNew;
  private final @Nullable Claim claim;
  private final ArrayList<List<ArrayTarget>> groups;
  private final ArrayList<String> columns;

  /**
   * Creates the task.
   *
   * @param columns the columns with values; they follow the place of the row
   */
  UnitTask(TaskStore store, WriteTarget target, List<String> columns) {
    this.store = store;
    this.isNew = target.isNew();
    this.claim = target.claim();
    this.groups = new ArrayList<>(target.groups());
    this.columns = new ArrayList<>(columns);
  }

  /** Emits what the driver merges, where it merges anything. */
  @Override
  public Iterator<byte[]> call(Iterator<Row> rows) throws IOException {
    return rows.hasNext()
        ? store.write(isNew, hierarchy -> write(rows, hierarchy)).iterator()
        : Collections.emptyIterator();
  }

  private void write(Iterator<Row> rows, ZarrHierarchy hierarchy) throws IOException {
    List<List<ArrayTarget.Opened>> arrays =
        groups.stream()
            .map(group -> group.stream().map(target -> target.open(hierarchy)).toList())
            .toList();
    Unit unit = null;
    while (rows.hasNext()) {
      Row row = rows.next();
      Row place = row.getStruct(0);
      int group = place.getInt(0);
      long number = place.getLong(1);
      if (unit == null || unit.group != group || unit.number != number) {
        if (unit != null) {
          unit.write(hierarchy);
        }
        unit = new Unit(group, number, arrays.get(group));
      }
      unit.add(row, place);
    }
    if (unit != null) {
      unit.write(hierarchy);
    }
  }

  /** One unit of the arrays of a group. */
  private final class Unit {
    private final int group;
    private final long number;
    private final List<GatheredUnit> gathered = new ArrayList<>();
    private final List<@Nullable ValueBuffer> buffers = new ArrayList<>();
    private final int[] places;

    Unit(int group, long number, List<ArrayTarget.Opened> arrays) {
      this.group = group;
      this.number = number;
      this.places =
          groups.get(group).stream()
              .mapToInt(target -> 1 + columns.indexOf(target.column()))
              .toArray();
      for (int i = 0; i < arrays.size(); i++) {
        ArrayTarget.Opened opened = arrays.get(i);
        ArrayTarget.Units units = ArrayTarget.Units.of(opened.array().metadata());
        long[] chunk = units.chunk(number);
        gathered.add(
            new GatheredUnit(
                opened.array(),
                opened.array().chunkGrid().chunkStart(chunk),
                units.extents(chunk)));
        CellKind kind = CellKind.of(opened.coding());
        buffers.add(
            groups.get(group).get(i).areRaw()
                ? null
                : new ValueBuffer(Objects.requireNonNull(kind), opened.coding()));
      }
    }

    void add(Row row, Row place) {
      for (int i = 0; i < gathered.size(); i++) {
        GatheredUnit to = gathered.get(i);
        ValueBuffer buffer = buffers.get(i);
        try {
          if (buffer == null) {
            addBox(to, row, groups.get(group).get(i));
          } else {
            buffer.add(row.get(places[i]), place.getInt(2), to::put);
          }
        } catch (IllegalArgumentException e) {
          throw located(i, e);
        }
      }
    }

    private void addBox(GatheredUnit to, Row row, ArrayTarget target) {
      long[] origin = longs(row, 1);
      long[] shape = longs(row, 2);
      byte[] data = (byte[]) row.get(3);
      var type = target.array().metadata().dataType();
      int count = data.length / type.itemSize();
      if (Shape.of(shape).byteSize(type.itemSize()) != data.length) {
        throw new IllegalArgumentException(
            "the chunk at "
                + Arrays.toString(origin)
                + " of shape "
                + Arrays.toString(shape)
                + " has "
                + data.length
                + " bytes, not "
                + Shape.of(shape).byteSize(type.itemSize()));
      }
      to.put(origin, shape, ElementMemory.wrap(type, data, 0, count));
    }

    private long[] longs(Row row, int column) {
      List<Long> all = row.getList(column);
      return all.stream().mapToLong(Long::longValue).toArray();
    }

    private IllegalArgumentException located(int i, IllegalArgumentException e) {
      ArrayTarget target = groups.get(group).get(i);
      return new IllegalArgumentException(
          "the array " + target.array().path() + ": " + e.getMessage(), e);
    }

    void write(ZarrHierarchy hierarchy) throws IOException {
      TaskContext task = TaskContext.get();
      if (task != null && task.isInterrupted()) {
        throw new InterruptedIOException("Spark has ended this task");
      }
      for (int i = 0; i < gathered.size(); i++) {
        ValueBuffer buffer = buffers.get(i);
        try {
          if (buffer != null) {
            buffer.flush(gathered.get(i)::put);
          }
        } catch (IllegalArgumentException e) {
          throw located(i, e);
        }
      }
      Claim mark = claim;
      Mono<Void> mayWrite = mark == null ? Mono.empty() : mark.check(hierarchy.store());
      Pull.one(
          mayWrite
              .then(
                  Mono.defer(
                      () ->
                          Concurrently.map(
                                  Flux.fromIterable(gathered),
                                  Math.max(1, gathered.size()),
                                  GatheredUnit::write)
                              .then()))
              .then(Mono.just(true)));
    }
  }
}
