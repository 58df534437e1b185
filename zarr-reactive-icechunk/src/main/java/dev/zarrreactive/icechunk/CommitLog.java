package dev.zarrreactive.icechunk;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.icechunk.ChangeSet.ChangedNode;
import dev.zarrreactive.internal.icechunk.NodeRecord;
import dev.zarrreactive.internal.icechunk.TransactionFile;
import dev.zarrreactive.internal.icechunk.TransactionFile.Nodes;
import dev.zarrreactive.internal.icechunk.TransactionWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The log of a commit: its own changes, and those of a commit that it takes the place of. */
final class CommitLog {
  private final ChangeSet changes;
  private final @Nullable TransactionFile amended;
  private final Set<Long> made = new HashSet<>();
  private final Set<Long> gone = new HashSet<>();
  private final Map<Long, Nodes> lists = new TreeMap<>(Long::compareUnsigned);

  /**
   * Creates a log.
   *
   * @param amended the log of the commit that this one takes the place of; null where it takes none
   */
  CommitLog(ChangeSet changes, @Nullable TransactionFile amended) {
    this.changes = changes;
    this.amended = amended;
  }

  /** Returns the file. */
  Bytes write(String id) {
    if (amended != null) {
      addAmended(amended);
    }
    changes
        .goneNodes()
        .values()
        .forEach(
            node ->
                remove(node.id(), node.isArray() ? Nodes.DELETED_ARRAYS : Nodes.DELETED_GROUPS));
    Map<Long, ChangedNode> arrays = new TreeMap<>(Long::compareUnsigned);
    for (ChangedNode node : changes.changedNodes()) {
      if (node.isNew) {
        lists.put(node.id, node.isArray() ? Nodes.NEW_ARRAYS : Nodes.NEW_GROUPS);
      } else if (node.document != null && !made.contains(node.id)) {
        lists.put(node.id, node.isArray() ? Nodes.UPDATED_ARRAYS : Nodes.UPDATED_GROUPS);
      }
      if (node.isArray()) {
        arrays.put(node.id, node);
      }
    }
    TransactionWriter log = new TransactionWriter(id);
    lists.forEach((node, list) -> log.add(list, node));
    addChunks(log, arrays);
    return log.finish();
  }

  /** Returns what the log of a commit of now would tell, by paths. */
  static IcechunkChanges pending(ChangeSet changes) {
    List<String> created = new ArrayList<>();
    List<String> updated = new ArrayList<>();
    SortedMap<String, Long> chunks = new TreeMap<>();
    for (ChangedNode node : changes.changedNodes()) {
      if (node.isNew) {
        created.add(node.path);
      } else if (node.document != null) {
        updated.add(node.path);
      }
      int changed = node.isArray() ? entries(node).length : 0;
      if (changed > 0) {
        chunks.put(node.path, (long) changed);
      }
    }
    return new IcechunkChanges(
        sorted(created),
        sorted(changes.goneNodes().keySet()),
        sorted(updated),
        chunks,
        new TreeMap<>());
  }

  private static List<String> sorted(Collection<String> paths) {
    return paths.stream().sorted().toList();
  }

  private void addAmended(TransactionFile log) {
    if (!log.moved().isEmpty()) {
      throw new UnsupportedFeatureException(
          "the commit to be amended has moved nodes, which this library does not write; make"
              + " another commit",
          Location.UNKNOWN);
    }
    for (Nodes list : Nodes.values()) {
      for (long node : log.nodes(list)) {
        lists.put(node, list);
        if (list == Nodes.NEW_ARRAYS || list == Nodes.NEW_GROUPS) {
          made.add(node);
        }
      }
    }
  }

  /** A node that the amended commit had made has never been there. */
  private void remove(long node, Nodes list) {
    gone.add(node);
    if (made.contains(node)) {
      lists.remove(node);
    } else {
      lists.put(node, list);
    }
  }

  private void addChunks(TransactionWriter log, Map<Long, ChangedNode> arrays) {
    Set<Long> all = new TreeSet<>(Long::compareUnsigned);
    all.addAll(arrays.keySet());
    if (amended != null) {
      all.addAll(amended.chunks().keySet());
    }
    all.removeAll(gone);
    for (long array : all) {
      ChangedNode node = arrays.get(array);
      int[] own = node == null ? new int[0] : entries(node);
      if (amended == null || !amended.chunks().containsKey(array)) {
        if (node != null && own.length > 0) {
          log.add(array, () -> Arrays.stream(own).mapToObj(node.chunks::indexAt).iterator());
        }
      } else {
        TreeSet<int[]> both = new TreeSet<>(ChunkChanges::compare);
        amended.forEachChunk(array, both::add);
        if (node != null) {
          Arrays.stream(own).forEach(entry -> both.add(node.chunks.indexAt(entry)));
        }
        log.add(array, both);
      }
    }
  }

  /** The changed chunks in their order, without those that are outside of the grid. */
  private static int[] entries(ChangedNode node) {
    NodeRecord.Grid grid = node.grid();
    return Arrays.stream(node.chunks.sorted())
        .filter(
            entry ->
                node.chunks.state(entry) == ChunkChanges.State.ERASED
                    || (grid != null && grid.has(node.chunks.indexAt(entry))))
        .toArray();
  }
}
