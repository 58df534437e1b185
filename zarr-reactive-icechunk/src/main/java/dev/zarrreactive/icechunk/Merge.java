package dev.zarrreactive.icechunk;

import dev.zarrreactive.error.CommitConflictException;
import dev.zarrreactive.error.CommitConflictException.Conflict;
import dev.zarrreactive.error.CommitConflictException.Kind;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.icechunk.ChangeSet.ChangedNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Takes the changes of a fork into the session that it was made of: all of them, or none where one
 * contradicts what the session has changed since. What was changed since is told by the numbers of
 * writes, and for a chunk by its stamp, which the fork tells as it was.
 */
final class Merge {
  private static final int MOST_TOLD = 10_000;

  private final ChangeSet session;
  private final ForkChanges fork;
  private final Map<String, ForkedNode> nodes = new HashMap<>();
  private final List<Conflict> found = new ArrayList<>();

  private Merge(ChangeSet session, ForkChanges fork) {
    this.session = session;
    this.fork = fork;
    fork.nodes().forEach(node -> nodes.put(node.path(), node));
  }

  /** Merges, from within {@link ChangeSet#use}. */
  static void run(ChangeSet session, ForkChanges fork) {
    new Merge(session, fork).run();
  }

  private void run() {
    String base = session.base().entry().id();
    if (!base.equals(fork.snapshot())) {
      throw new StoreException(
          "the session has gone on from the snapshot "
              + base
              + " since this fork was made of it at the snapshot "
              + fork.snapshot()
              + ": make another fork, and write the chunks again",
          Location.UNKNOWN);
    }
    check();
    if (!found.isEmpty()) {
      throw new CommitConflictException(
          "the changes of a fork contradict other changes of its session",
          found,
          "None of them was merged. Let each chunk and each node be written by one fork alone");
    }
    fork.removed()
        .forEach(
            (path, id) -> {
              if (id.equals(session.idAt(path))) {
                session.mergeRemoval(path);
              }
            });
    fork.nodes().forEach(session::mergeNode);
  }

  private void add(Kind kind, String path, int @Nullable [] chunk) {
    if (found.size() == MOST_TOLD) {
      return;
    }
    List<Long> index =
        chunk == null ? null : Arrays.stream(chunk).mapToObj(Integer::toUnsignedLong).toList();
    found.add(new Conflict(kind, path, index, fork.snapshot()));
  }

  private void check() {
    fork.removed().forEach(this::checkRemoved);
    for (ChangedNode node : session.nodes().values()) {
      if (node.isNew && node.isChangedSince(fork.clock()) && !isRemoved(node.path)) {
        checkAbove(node.path);
      }
    }
    for (ForkedNode node : fork.nodes()) {
      if (node.isNew()) {
        checkNew(node);
      } else {
        checkChanged(node);
      }
    }
  }

  /** Returns true for a path whose node the fork has removed. */
  private boolean isRemoved(String path) {
    Long id = fork.removed().get(path);
    return id != null && id.equals(session.idAt(path));
  }

  private void checkRemoved(String path, long id) {
    ChangedNode node = session.nodes().get(path);
    if (node != null && node.id == id && node.isChangedSince(fork.clock())) {
      add(Kind.DELETED_NODE_WAS_CHANGED, path, null);
    }
  }

  /** Looks at what the fork has done above a new node of the session. */
  private void checkAbove(String path) {
    for (String above = parent(path); above != null; above = parent(above)) {
      ForkedNode node = nodes.get(above);
      if (node != null && node.isNew() && node.rank() >= 0) {
        add(Kind.NODE_BELOW_ARRAY, path, null);
      } else if (node == null && fork.removed().containsKey(above)) {
        add(Kind.NODE_BELOW_DELETED_GROUP, path, null);
      }
    }
  }

  private void checkNew(ForkedNode node) {
    ChangedNode ours = session.nodes().get(node.path());
    if (session.idAt(node.path()) != null && !isRemoved(node.path())) {
      if (ours == null || !isSame(ours, node)) {
        add(Kind.NODE_EXISTS, node.path(), null);
      } else {
        checkChunks(ours, node);
      }
    }
    for (String above = parent(node.path()); above != null; above = parent(above)) {
      if (nodes.containsKey(above) || isRemoved(above)) {
        continue;
      }
      if (session.hasArray(above)) {
        add(Kind.NODE_BELOW_ARRAY, node.path(), null);
      } else if (session.idAt(above) == null && session.isRemovedSince(above, fork.clock())) {
        add(Kind.NODE_BELOW_DELETED_GROUP, node.path(), null);
      }
    }
  }

  /** Returns true for nodes that both have made, and in the same way. */
  private static boolean isSame(ChangedNode ours, ForkedNode theirs) {
    NodeDocument mine = ours.document;
    NodeDocument its = theirs.document();
    return ours.isNew
        && ours.rank == theirs.rank()
        && (mine == null || its == null || mine.bytes().equals(its.bytes()));
  }

  private void checkChanged(ForkedNode node) {
    Long now = session.idAt(node.path());
    if (now == null || now != node.id()) {
      add(
          node.document() != null ? Kind.METADATA_OF_DELETED_NODE : Kind.CHUNKS_OF_DELETED_ARRAY,
          node.path(),
          null);
      return;
    }
    if (session.rankAt(node.path()) != node.rank()) {
      throw ForkReader.damaged("a node of another number of dimensions at " + node.path());
    }
    ChangedNode ours = session.nodes().get(node.path());
    if (ours == null) {
      return;
    }
    NodeDocument mine = ours.write > fork.clock() ? ours.document : null;
    NodeDocument its = node.document();
    if (mine != null && its != null) {
      if (!mine.bytes().equals(its.bytes())) {
        add(Kind.BOTH_CHANGED_METADATA, node.path(), null);
      }
    } else if ((mine != null && node.chunks().size() > 0)
        || (its != null && ours.chunkWrite > fork.clock())) {
      add(Kind.CHUNKS_OF_CHANGED_ARRAY, node.path(), null);
    }
    checkChunks(ours, node);
  }

  private void checkChunks(ChangedNode ours, ForkedNode theirs) {
    ChunkChanges chunks = theirs.chunks();
    for (int entry = 0; entry < chunks.size(); entry++) {
      int[] index = chunks.indexAt(entry);
      if (ours.chunks.stamp(index) != theirs.before(entry)) {
        add(Kind.BOTH_CHANGED_CHUNK, theirs.path(), index);
      }
    }
  }

  private static @Nullable String parent(String path) {
    int slash = path.lastIndexOf('/');
    return path.length() == 1 ? null : slash == 0 ? "/" : path.substring(0, slash);
  }
}
