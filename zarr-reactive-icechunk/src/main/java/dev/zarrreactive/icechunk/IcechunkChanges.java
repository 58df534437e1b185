package dev.zarrreactive.icechunk;

import dev.zarrreactive.internal.icechunk.SnapshotFile;
import dev.zarrreactive.internal.icechunk.TransactionFile;
import dev.zarrreactive.internal.icechunk.TransactionFile.Nodes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What one commit has changed, as its transaction log tells it. Paths begin with a slash and are
 * sorted.
 *
 * @param created the nodes that are new
 * @param deleted the nodes that are gone
 * @param updated the nodes whose metadata document is another
 * @param chunks the number of chunks that were written or erased, by the path of their array
 * @param moved the new path of each node that was moved, by its old one
 */
public record IcechunkChanges(
    List<String> created,
    List<String> deleted,
    List<String> updated,
    SortedMap<String, Long> chunks,
    SortedMap<String, String> moved) {
  /** Changes. */
  public IcechunkChanges {
    created = List.copyOf(created);
    deleted = List.copyOf(deleted);
    updated = List.copyOf(updated);
    chunks = Collections.unmodifiableSortedMap(new TreeMap<>(chunks));
    moved = Collections.unmodifiableSortedMap(new TreeMap<>(moved));
  }

  /** Returns true if the commit has changed nothing. */
  public boolean isEmpty() {
    return created.isEmpty()
        && deleted.isEmpty()
        && updated.isEmpty()
        && chunks.isEmpty()
        && moved.isEmpty();
  }

  /**
   * Names the nodes of a log.
   *
   * @param log null for no changes
   * @param before the snapshot before, which has the deleted nodes; null for the first one
   */
  static IcechunkChanges of(
      @Nullable TransactionFile log, SnapshotFile snapshot, @Nullable SnapshotFile before) {
    if (log == null) {
      return new IcechunkChanges(List.of(), List.of(), List.of(), new TreeMap<>(), new TreeMap<>());
    }
    Map<Long, String> paths = new HashMap<>();
    if (before != null) {
      addPaths(before, paths);
    }
    addPaths(snapshot, paths);
    SortedMap<String, Long> chunks = new TreeMap<>();
    log.chunks().forEach((id, count) -> chunks.merge(path(id, paths), count, Long::sum));
    return new IcechunkChanges(
        paths(log, paths, Nodes.NEW_GROUPS, Nodes.NEW_ARRAYS),
        paths(log, paths, Nodes.DELETED_GROUPS, Nodes.DELETED_ARRAYS),
        paths(log, paths, Nodes.UPDATED_GROUPS, Nodes.UPDATED_ARRAYS),
        chunks,
        new TreeMap<>(log.moved()));
  }

  private static void addPaths(SnapshotFile snapshot, Map<Long, String> paths) {
    for (int node = 0; node < snapshot.size(); node++) {
      paths.put(snapshot.idOf(node), snapshot.pathOf(node));
    }
  }

  private static List<String> paths(
      TransactionFile log, Map<Long, String> paths, Nodes one, Nodes other) {
    List<String> found = new ArrayList<>();
    for (Nodes list : List.of(one, other)) {
      for (long id : log.nodes(list)) {
        found.add(path(id, paths));
      }
    }
    Collections.sort(found);
    return found;
  }

  /** Returns the path of a node; its id where neither snapshot has it. */
  private static String path(long id, Map<Long, String> paths) {
    String path = paths.get(id);
    return path == null ? "node " + Long.toHexString(id) : path;
  }
}
