package dev.zarrreactive.icechunk;

import dev.zarrreactive.error.CommitConflictException.Conflict;
import dev.zarrreactive.error.CommitConflictException.Kind;
import dev.zarrreactive.icechunk.ChangeSet.ChangedNode;
import dev.zarrreactive.icechunk.ChangeSet.Gone;
import dev.zarrreactive.internal.icechunk.SnapshotFile;
import dev.zarrreactive.internal.icechunk.TransactionFile;
import dev.zarrreactive.internal.icechunk.TransactionFile.Nodes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compares the changes of a session with a commit that came in between. */
final class Conflicts {
  private final ChangeSet changes;
  private final ChunkConflicts chunks;
  private final boolean isDeletedAnyway;
  private final TransactionFile log;
  private final SnapshotFile theirs;
  private final Set<Long> updated = new HashSet<>();
  private final Set<Long> deleted = new HashSet<>();
  private final List<Conflict> found = new ArrayList<>();

  private Conflicts(
      ChangeSet changes,
      ChunkConflicts chunks,
      boolean isDeletedAnyway,
      TransactionFile log,
      SnapshotFile theirs) {
    this.changes = changes;
    this.chunks = chunks;
    this.isDeletedAnyway = isDeletedAnyway;
    this.log = log;
    this.theirs = theirs;
    addAll(updated, Nodes.UPDATED_ARRAYS, Nodes.UPDATED_GROUPS);
    addAll(deleted, Nodes.DELETED_ARRAYS, Nodes.DELETED_GROUPS);
  }

  private void addAll(Set<Long> all, Nodes... lists) {
    for (Nodes list : lists) {
      for (long id : log.nodes(list)) {
        all.add(id);
      }
    }
  }

  /**
   * Returns the conflicts with a commit. Where chunks of the other commit are to stay, those of the
   * session are taken back.
   *
   * @param log of the commit
   * @param theirs the snapshot of the commit
   */
  static List<Conflict> of(
      ChangeSet changes,
      ChunkConflicts chunks,
      boolean isDeletedAnyway,
      TransactionFile log,
      SnapshotFile theirs) {
    Conflicts conflicts = new Conflicts(changes, chunks, isDeletedAnyway, log, theirs);
    conflicts.find();
    return conflicts.found;
  }

  private void add(Kind kind, String path, int @Nullable [] chunk) {
    List<Long> index =
        chunk == null ? null : Arrays.stream(chunk).mapToObj(Integer::toUnsignedLong).toList();
    found.add(new Conflict(kind, path, index, theirs.entry().id()));
  }

  private void find() {
    if (!log.moved().isEmpty()) {
      add(Kind.NODES_WERE_MOVED, "/", null);
    }
    Map<String, Gone> gone = changes.goneNodes();
    for (ChangedNode node : changes.changedNodes()) {
      if (node.isNew) {
        checkNew(node, gone.get(node.path));
      } else {
        checkChanged(node);
      }
    }
    gone.forEach(this::checkGone);
    checkBelowGone(gone);
  }

  private void checkNew(ChangedNode node, @Nullable Gone before) {
    int rank = theirs.find(node.path);
    if (rank >= 0 && (before == null || theirs.idOf(rank) != before.id())) {
      add(Kind.NODE_EXISTS, node.path, null);
    }
    for (String path = parent(node.path); path != null; path = parent(path)) {
      int ancestor = theirs.find(path);
      if (ancestor >= 0 && theirs.isArray(ancestor)) {
        Gone mine = changes.goneNodes().get(path);
        if (mine == null || mine.id() != theirs.idOf(ancestor)) {
          add(Kind.NODE_BELOW_ARRAY, node.path, null);
        }
      }
      int known = ancestor < 0 ? changes.base().find(path) : -1;
      if (known >= 0 && deleted.contains(changes.base().idOf(known))) {
        add(Kind.NODE_BELOW_DELETED_GROUP, node.path, null);
      }
    }
  }

  private static @Nullable String parent(String path) {
    int slash = path.lastIndexOf('/');
    return path.length() == 1 ? null : slash == 0 ? "/" : path.substring(0, slash);
  }

  private void checkChanged(ChangedNode node) {
    boolean hasChunks = node.chunks.isChanged();
    if (node.document != null) {
      if (updated.contains(node.id)) {
        add(Kind.BOTH_CHANGED_METADATA, node.path, null);
      } else if (deleted.contains(node.id)) {
        add(Kind.METADATA_OF_DELETED_NODE, node.path, null);
      }
    }
    if (!hasChunks) {
      return;
    }
    if (deleted.contains(node.id)) {
      add(Kind.CHUNKS_OF_DELETED_ARRAY, node.path, null);
    } else if (updated.contains(node.id)) {
      add(Kind.CHUNKS_OF_CHANGED_ARRAY, node.path, null);
    }
    log.forEachChunk(node.id, index -> checkChunk(node, index));
  }

  private void checkChunk(ChangedNode node, int[] index) {
    if (index.length != node.rank) {
      return;
    }
    int entry = node.chunks.find(index);
    if (entry == ChunkChanges.NONE
        || node.chunks.state(entry) == ChunkChanges.State.AS_BEFORE
        || chunks == ChunkConflicts.OURS) {
      return;
    }
    if (chunks == ChunkConflicts.THEIRS) {
      node.chunks.restore(index);
    } else {
      add(Kind.BOTH_CHANGED_CHUNK, node.path, index);
    }
  }

  private void checkGone(String path, Gone node) {
    boolean isChanged = updated.contains(node.id()) || log.chunks().containsKey(node.id());
    if (isChanged && !isDeletedAnyway) {
      add(Kind.DELETED_NODE_WAS_CHANGED, path, null);
    }
  }

  /** A group that this session deletes, and below which they have made a node. */
  private void checkBelowGone(Map<String, Gone> gone) {
    if (gone.isEmpty()) {
      return;
    }
    Map<Long, String> paths = new HashMap<>();
    for (int rank = 0; rank < theirs.size(); rank++) {
      paths.put(theirs.idOf(rank), theirs.pathOf(rank));
    }
    for (Nodes list : List.of(Nodes.NEW_ARRAYS, Nodes.NEW_GROUPS)) {
      for (long id : log.nodes(list)) {
        String made = paths.get(id);
        for (String path = made == null ? null : parent(made); path != null; path = parent(path)) {
          if (made != null && gone.containsKey(path)) {
            add(Kind.NODE_BELOW_DELETED_GROUP, made, null);
            break;
          }
        }
      }
    }
  }
}
