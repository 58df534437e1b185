package dev.zarrreactive.icechunk;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.internal.icechunk.ManifestFile;
import dev.zarrreactive.internal.icechunk.ManifestWriter;
import dev.zarrreactive.internal.icechunk.NodeRecord;
import dev.zarrreactive.internal.icechunk.ObjectIds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes the manifests of one array of a commit. The references are split into cells of the grid; a
 * cell that no change touches keeps its manifest, unless that reaches into another cell.
 */
final class NewManifests {
  /** The most cells that a manifest is looked for in; one with more of them is written anew. */
  private static final long MOST_CELLS = 100_000;

  private final long node;
  private final NodeRecord.Grid grid;
  private final NodeRecord.@Nullable Grid before;
  private final ChunkChanges changes;
  private final int[] changed;
  private final int[] sizes;
  private final List<NodeRecord.Extents> kept;
  private final List<NodeRecord.Extents> rewritten;

  /**
   * Decides which manifests stay.
   *
   * @param grid of the array in the new snapshot
   * @param before the grid in the snapshot before, with its manifests; null for a new array
   * @param sizes of a cell along each axis, unsigned
   */
  NewManifests(
      long node,
      NodeRecord.Grid grid,
      NodeRecord.@Nullable Grid before,
      ChunkChanges changes,
      int[] sizes) {
    this.node = node;
    this.grid = grid;
    this.before = before;
    this.changes = changes;
    this.changed = changes.sorted();
    this.sizes = sizes;
    List<NodeRecord.Extents> all = before == null ? List.of() : before.manifests();
    this.kept = unchanged(all);
    this.rewritten = all.stream().filter(manifest -> !kept.contains(manifest)).toList();
  }

  private List<NodeRecord.Extents> unchanged(List<NodeRecord.Extents> all) {
    Set<Cell> dirty = new HashSet<>();
    for (int entry : changed) {
      dirty.add(cell(changes.indexAt(entry)));
    }
    List<NodeRecord.Extents> open = new ArrayList<>(all);
    boolean isSettled = false;
    while (!isSettled) {
      isSettled = true;
      for (NodeRecord.Extents manifest : List.copyOf(open)) {
        Set<Cell> cells = cells(manifest.box());
        if (cells == null
            || cells.size() > 1
            || reachesOut(manifest.box())
            || cells.stream().anyMatch(dirty::contains)) {
          if (cells == null) {
            return List.of();
          }
          open.remove(manifest);
          isSettled &= !dirty.addAll(cells);
        }
      }
    }
    return open;
  }

  /** The place of a cell. */
  private record Cell(List<Integer> at) implements Comparable<Cell> {
    @Override
    public int compareTo(Cell other) {
      for (int axis = 0; axis < at.size(); axis++) {
        int order = Integer.compareUnsigned(at.get(axis), other.at.get(axis));
        if (order != 0) {
          return order;
        }
      }
      return 0;
    }
  }

  private Cell cell(int[] index) {
    List<Integer> at = new ArrayList<>(index.length);
    for (int axis = 0; axis < index.length; axis++) {
      at.add(Integer.divideUnsigned(index[axis], sizes[axis]));
    }
    return new Cell(at);
  }

  /** The cells that a box reaches into; null for too many. */
  private @Nullable Set<Cell> cells(int[] box) {
    List<List<Integer>> all = List.of(List.of());
    for (int axis = 0; axis < sizes.length; axis++) {
      long from = Integer.toUnsignedLong(Integer.divideUnsigned(box[2 * axis], sizes[axis]));
      long to = Integer.toUnsignedLong(Integer.divideUnsigned(box[2 * axis + 1] - 1, sizes[axis]));
      if ((to - from + 1) * all.size() > MOST_CELLS) {
        return null;
      }
      List<List<Integer>> longer = new ArrayList<>();
      for (List<Integer> beginning : all) {
        for (long at = from; at <= to; at++) {
          List<Integer> next = new ArrayList<>(beginning);
          next.add((int) at);
          longer.add(next);
        }
      }
      all = longer;
    }
    Set<Cell> cells = new LinkedHashSet<>();
    all.forEach(at -> cells.add(new Cell(at)));
    return cells;
  }

  /** Returns true where a box has indices outside of the grid of now, or of the one before. */
  private boolean reachesOut(int[] box) {
    for (int axis = 0; axis < sizes.length; axis++) {
      long to = Integer.toUnsignedLong(box[2 * axis + 1]);
      if (to > grid.chunks().get(axis) || (before != null && to > before.chunks().get(axis))) {
        return true;
      }
    }
    return false;
  }

  /** The manifests that are read, and are no part of the new snapshot. */
  List<NodeRecord.Extents> rewritten() {
    return rewritten;
  }

  /** The manifests that stay. */
  List<NodeRecord.Extents> kept() {
    return kept;
  }

  /** A new manifest, to be stored. */
  record Made(NodeRecord.Extents extents, Bytes file, long references) {}

  /** References in the order of their indices: of a manifest, or those that were written. */
  private static final class Run {
    final int number;
    final ManifestFile.@Nullable References source;
    int[] places = new int[16];
    int size;
    int at;
    int[] index = new int[0];

    Run(int number, ManifestFile.@Nullable References source) {
      this.number = number;
      this.source = source;
    }

    void add(int place) {
      if (size == places.length) {
        places = Arrays.copyOf(places, 2 * size);
      }
      places[size++] = place;
    }
  }

  /**
   * Makes the new manifests.
   *
   * @param read the {@link #rewritten} ones, in their order
   */
  void make(List<ManifestFile> read, ObjectIds ids, Consumer<Made> action) {
    Map<Cell, List<Run>> cells = new TreeMap<>();
    int number = 0;
    for (int entry : changed) {
      ChunkChanges.State state = changes.state(entry);
      int[] index = changes.indexAt(entry);
      if (state != ChunkChanges.State.ERASED && grid.has(index)) {
        run(cells, cell(index), number, null).add(entry);
      }
    }
    for (ManifestFile manifest : read) {
      number++;
      ManifestFile.References references = manifest.of(node);
      for (int at = 0; references != null && at < references.size(); at++) {
        int[] index = references.indexAt(at);
        if (grid.has(index) && before != null && before.has(index) && !isChanged(index)) {
          run(cells, cell(index), number, references).add(at);
        }
      }
    }
    cells.forEach((cell, runs) -> action.accept(merge(runs, ids.object())));
  }

  private boolean isChanged(int[] index) {
    int entry = changes.find(index);
    return entry != ChunkChanges.NONE && changes.state(entry) != ChunkChanges.State.AS_BEFORE;
  }

  private static Run run(
      Map<Cell, List<Run>> cells, Cell cell, int number, ManifestFile.@Nullable References source) {
    List<Run> runs = cells.computeIfAbsent(cell, each -> new ArrayList<>());
    Run last = runs.isEmpty() ? null : runs.get(runs.size() - 1);
    if (last != null && last.number == number) {
      return last;
    }
    Run next = new Run(number, source);
    runs.add(next);
    return next;
  }

  private Made merge(List<Run> runs, String id) {
    int expected = runs.stream().mapToInt(run -> run.size).sum();
    ManifestWriter writer = new ManifestWriter(id, node, sizes.length, expected);
    PriorityQueue<Run> open =
        new PriorityQueue<>(
            (one, other) -> {
              int order = ChunkChanges.compare(one.index, other.index);
              return order == 0 ? Integer.compare(one.number, other.number) : order;
            });
    for (Run run : runs) {
      open(run, open);
    }
    int[] last = null;
    for (Run run = open.poll(); run != null; run = open.poll()) {
      // a chunk in two manifests: icechunk 1.1 left some, and the first one counts
      if (last == null || !Arrays.equals(last, run.index)) {
        write(writer, run);
      }
      last = run.index;
      run.at++;
      open(run, open);
    }
    Bytes file = writer.finish();
    return new Made(new NodeRecord.Extents(id, writer.extents()), file, writer.size());
  }

  private void open(Run run, PriorityQueue<Run> open) {
    if (run.at < run.size) {
      int place = run.places[run.at];
      run.index = run.source == null ? changes.indexAt(place) : run.source.indexAt(place);
      open.add(run);
    }
  }

  private void write(ManifestWriter writer, Run run) {
    int place = run.places[run.at];
    if (run.source != null) {
      writer.add(run.index, run.source.reference(place));
    } else if (changes.state(place) == ChunkChanges.State.INLINE) {
      writer.inline(run.index, changes.inline(place));
    } else {
      writer.chunk(run.index, changes.first(place), changes.last(place), 0, changes.length(place));
    }
  }
}
