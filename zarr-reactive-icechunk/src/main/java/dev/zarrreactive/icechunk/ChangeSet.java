package dev.zarrreactive.icechunk;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.icechunk.ChunkReference;
import dev.zarrreactive.internal.icechunk.NodeRecord;
import dev.zarrreactive.internal.icechunk.ObjectIds;
import dev.zarrreactive.internal.icechunk.Orders;
import dev.zarrreactive.internal.icechunk.SnapshotFile;
import dev.zarrreactive.internal.icechunk.SnapshotNodes;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.Version;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a session has changed since the snapshot that it began at, its base. Thread-safe; nothing
 * foreign is called under its monitor.
 */
final class ChangeSet {
  /** What a session may still do. */
  private enum Phase {
    OPEN("open"),
    COMMITTING("being committed"),
    COMMITTED("committed; the repository gives another one"),
    DISCARDED("discarded; the repository gives another one");

    private final String words;

    Phase(String words) {
      this.words = words;
    }
  }

  private final ObjectIds ids;
  private final NavigableMap<String, ChangedNode> nodes = new TreeMap<>(Orders.BY_BYTES);
  private final Map<String, Gone> gone = new HashMap<>();

  /** The number of the last removal at a path. */
  private final Map<String, Long> removals = new HashMap<>();

  private SnapshotFile base;
  private Phase phase = Phase.OPEN;
  private long writes;

  ChangeSet(SnapshotFile base, ObjectIds ids) {
    this.base = base;
    this.ids = ids;
  }

  /** The changes that a session had made when a fork of it was made. */
  static ChangeSet of(SnapshotFile base, ObjectIds ids, ForkState state) {
    ChangeSet changes = new ChangeSet(base, ids);
    changes.writes = state.clock();
    state.gone().forEach(changes::restoreGone);
    state.nodes().forEach(changes::restore);
    return changes;
  }

  private void restoreGone(String path, Gone node) {
    int rank = base.find(path);
    if (rank < 0 || base.idOf(rank) != node.id() || base.isArray(rank) != node.isArray()) {
      throw ForkReader.damaged("it erases " + path + ", which its snapshot does not have so");
    }
    gone.put(path, node);
  }

  private void restore(ForkedNode forked) {
    NodeRecord.Grid grid = null;
    if (!forked.isNew()) {
      int rank = gone.containsKey(forked.path()) ? -1 : base.find(forked.path());
      NodeRecord record = rank < 0 ? null : SnapshotNodes.node(base, rank);
      grid = record == null ? null : record.array();
      if (record == null
          || record.id() != forked.id()
          || (grid == null ? -1 : grid.chunks().size()) != forked.rank()) {
        throw ForkReader.damaged(
            "it changes " + forked.path() + ", which its snapshot does not have so");
      }
    }
    List<Long> kept = forked.kept();
    NodeRecord.Grid cut = grid == null || kept == null ? grid : grid.cutTo(kept);
    nodes.put(forked.path(), new ChangedNode(forked, cut));
  }

  /** A node of the base that is gone. */
  record Gone(long id, boolean isArray) {}

  /** A node with changes. What changes of it is guarded by the change set. */
  static final class ChangedNode {
    final String path;
    final long id;

    /** True for a node that the base does not have. */
    final boolean isNew;

    /** The number of dimensions; negative for a group. */
    final int rank;

    /**
     * The grid that the base has, without the chunks that a smaller shape has cut off meanwhile;
     * null for a new node and for a group.
     */
    NodeRecord.@Nullable Grid baseGrid;

    /** The new document; null where it is as the base has it. */
    @Nullable NodeDocument document;

    /** The number of the write of the document. */
    long write;

    /** The number of the last change of a chunk. */
    long chunkWrite;

    final ChunkChanges chunks;

    ChangedNode(String path, long id, boolean isNew, int rank, NodeRecord.@Nullable Grid baseGrid) {
      this.path = path;
      this.id = id;
      this.isNew = isNew;
      this.rank = rank;
      this.baseGrid = baseGrid;
      this.chunks = new ChunkChanges(Math.max(0, rank));
    }

    private ChangedNode(ForkedNode forked, NodeRecord.@Nullable Grid baseGrid) {
      this.path = forked.path();
      this.id = forked.id();
      this.isNew = forked.isNew();
      this.rank = forked.rank();
      this.baseGrid = baseGrid;
      this.document = forked.document();
      this.write = forked.write();
      this.chunkWrite = forked.chunkWrite();
      this.chunks = forked.chunks();
    }

    boolean isArray() {
      return rank >= 0;
    }

    /** Returns true if the node or a chunk of it was changed after a write of this number. */
    boolean isChangedSince(long clock) {
      return write > clock || chunkWrite > clock;
    }

    /** Returns true for chunks whose array has no document yet. */
    boolean isPending() {
      return isNew && document == null;
    }

    /** Puts a new document; chunks of the base that its grid cuts off do not come back. */
    void put(NodeDocument next, long number) {
      NodeRecord.Grid old = baseGrid;
      NodeRecord.Grid grid = next.grid();
      document = next;
      write = number;
      if (old != null && grid != null) {
        baseGrid = old.cutTo(grid);
      }
    }

    /** The grid of the array as it is now; null for a group. */
    NodeRecord.@Nullable Grid grid() {
      NodeDocument changed = document;
      return changed == null ? baseGrid : changed.grid();
    }
  }

  /** The base. */
  synchronized SnapshotFile base() {
    return base;
  }

  private void checkOpen(StoreKey key) {
    checkOpen(Location.ofKey(key.value()));
  }

  private void checkOpen(Location place) {
    if (phase != Phase.OPEN) {
      throw new StoreException("this session takes no changes: it is " + phase.words, place);
    }
  }

  /** Begins a commit; no change is taken until it has failed. */
  synchronized void freeze() {
    if (phase != Phase.OPEN) {
      throw new StoreException(
          "this session cannot be committed: it is " + phase.words, Location.UNKNOWN);
    }
    phase = Phase.COMMITTING;
  }

  /** Ends a commit that has failed. */
  synchronized void thaw() {
    if (phase == Phase.COMMITTING) {
      phase = Phase.OPEN;
    }
  }

  /** Ends a commit that has taken place. */
  synchronized void committed() {
    phase = Phase.COMMITTED;
  }

  /** Forgets all changes. */
  synchronized void discard() {
    if (phase == Phase.COMMITTING) {
      throw new StoreException(
          "this session cannot be discarded: it is " + phase.words, Location.UNKNOWN);
    }
    if (phase == Phase.OPEN) {
      phase = Phase.DISCARDED;
      nodes.clear();
      gone.clear();
      removals.clear();
    }
  }

  /** Returns true if there is anything to commit. */
  synchronized boolean isChanged() {
    return phase != Phase.COMMITTED && isAnyChanged();
  }

  private boolean isAnyChanged() {
    return !gone.isEmpty()
        || nodes.values().stream()
            .anyMatch(node -> node.document != null || node.chunks.isChanged());
  }

  /** The bytes of memory that tables of chunks take, without inline chunks. */
  synchronized long weight() {
    return nodes.values().stream().mapToLong(node -> node.chunks.weight()).sum();
  }

  /** Lets the session go on from another snapshot, which has none of its nodes moved. */
  synchronized void rebase(SnapshotFile snapshot) {
    base = snapshot;
    for (ChangedNode node : nodes.values()) {
      int rank = node.isNew ? -1 : snapshot.find(node.path);
      NodeRecord.Grid theirs = rank < 0 ? null : SnapshotNodes.node(snapshot, rank).array();
      NodeRecord.Grid ours = node.baseGrid;
      if (theirs != null && ours != null) {
        node.baseGrid = node.document == null ? theirs : theirs.cutTo(ours);
      }
    }
  }

  // ---- reading

  /** The document of a node with its version; null where there is none. */
  synchronized @Nullable Held document(String path) {
    ChangedNode node = nodes.get(path);
    NodeDocument changed = node == null ? null : node.document;
    if (node != null && changed != null) {
      return new Held(changed.bytes(), version(node.write));
    }
    if (node == null ? gone.containsKey(path) : node.isPending()) {
      return null;
    }
    int rank = base.find(path);
    return rank < 0 ? null : new Held(base.document(rank), new Version(base.entry().id()));
  }

  /** Bytes with their version. */
  record Held(Bytes bytes, Version version) {}

  private static Version version(long write) {
    return new Version("session." + write);
  }

  /** Where a chunk is. */
  record Found(@Nullable Place place, long stamp) {}

  /** Where a chunk is. */
  sealed interface Place {}

  /** In the session: in memory, or in an object. */
  record Own(ChunkReference reference, Version version) implements Place {}

  /** Where the base has it. */
  record InBase() implements Place {}

  /** Tells where a chunk is, and the number of its last change; no place where it is missing. */
  synchronized Found find(ChunkKey key) {
    ChangedNode node = nodes.get(key.path());
    if (node == null) {
      return new Found(gone.containsKey(key.path()) ? null : new InBase(), 0);
    }
    if (node.rank != key.index().length) {
      return new Found(null, 0);
    }
    int entry = node.chunks.find(key.index());
    if (entry == ChunkChanges.NONE || node.chunks.state(entry) == ChunkChanges.State.AS_BEFORE) {
      return new Found(isInBase(node, key.index()) ? new InBase() : null, 0);
    }
    if (node.chunks.state(entry) == ChunkChanges.State.ERASED) {
      return new Found(null, -1);
    }
    long first = node.chunks.first(entry);
    if (node.chunks.state(entry) == ChunkChanges.State.INLINE) {
      return new Found(
          new Own(new ChunkReference.Inline(node.chunks.inline(entry)), version(first)), first);
    }
    String id = ObjectIds.text(first, node.chunks.last(entry));
    int length = node.chunks.length(entry);
    return new Found(
        new Own(new ChunkReference.Native(id, 0, length), new Version(id + ".0." + length)), first);
  }

  /** Returns true if the base may have a chunk that is still in the grid. */
  private static boolean isInBase(ChangedNode node, int[] index) {
    NodeRecord.Grid grid = node.grid();
    NodeRecord.Grid before = node.baseGrid;
    return before != null && before.has(index) && grid != null && grid.has(index);
  }

  /** What a listing shows of the session: the changes that were there when it began. */
  static final class View {
    final Map<String, ShownNode> nodes = new TreeMap<>(Orders.BY_BYTES);
    final Map<String, Gone> gone = new HashMap<>();
  }

  /** A changed node in a listing, with the number of its changed chunks when it began. */
  record ShownNode(ChangedNode node, @Nullable NodeDocument document, int chunks) {}

  /** The changes of now. */
  synchronized View view() {
    View view = new View();
    nodes.forEach(
        (path, node) ->
            view.nodes.put(path, new ShownNode(node, node.document, node.chunks.size())));
    view.gone.putAll(gone);
    return view;
  }

  /** Returns true if the base's chunk is still as it was when a listing began. */
  synchronized boolean isShownFromBase(View view, ChunkKey key) {
    ShownNode shown = view.nodes.get(key.path());
    if (shown == null) {
      return !view.gone.containsKey(key.path());
    }
    int entry = shown.node().chunks.find(key.index());
    boolean isUntouched =
        entry == ChunkChanges.NONE
            || entry >= shown.chunks()
            || shown.node().chunks.state(entry) == ChunkChanges.State.AS_BEFORE;
    return isUntouched && isInBase(shown.node(), key.index());
  }

  /** A chunk that the session has written: its index and size; null where it has erased it. */
  synchronized @Nullable Written written(ChangedNode node, int entry) {
    ChunkChanges.State state = node.chunks.state(entry);
    return state == ChunkChanges.State.OBJECT || state == ChunkChanges.State.INLINE
        ? new Written(node.chunks.indexAt(entry), node.chunks.length(entry))
        : null;
  }

  /** A chunk that was written. */
  @SuppressWarnings("ArrayRecordComponent")
  record Written(int[] index, int length) {}

  // ---- writing

  /** Checks the condition of a change against the version that is there. */
  static void check(StoreKey key, Precondition precondition, @Nullable Version actual) {
    Version wanted = precondition.version();
    if (wanted != null && !wanted.equals(actual)) {
      throw wanted.mismatch(key, actual);
    }
    if (precondition.equals(Precondition.ABSENT) && actual != null) {
      throw new PreconditionFailedException(
          "wanted no value, and there is one, of version " + actual, Location.ofKey(key.value()));
    }
  }

  /** Stores a document. */
  synchronized void setDocument(
      StoreKey key, String path, NodeDocument document, Precondition precondition) {
    checkOpen(key);
    Held held = document(path);
    check(key, precondition, held == null ? null : held.version());
    if (held != null && held.bytes().equals(document.bytes())) {
      return;
    }
    checkAncestors(key, path);
    ChangedNode node = changed(path);
    if (node != null && node.rank != document.rank()) {
      if (node.isPending() && node.chunks.isChanged()) {
        throw new StoreException(
            "the document is not of an array of "
                + node.rank
                + " dimensions, of which this session has written chunks before",
            Location.ofKey(key.value()));
      }
      remove(path);
      node = null;
    }
    if (node == null) {
      node = new ChangedNode(path, ids.node(), true, document.rank(), null);
      nodes.put(path, node);
    }
    node.put(document, ++writes);
  }

  private void checkAncestors(StoreKey key, String path) {
    for (int slash = path.lastIndexOf('/'); slash >= 0; slash = path.lastIndexOf('/', slash - 1)) {
      String ancestor = slash == 0 ? "/" : path.substring(0, slash);
      if (!ancestor.equals(path) && isArray(ancestor)) {
        throw new StoreException(
            "a node below the array " + ancestor + ", which can have none",
            Location.ofKey(key.value()));
      }
    }
  }

  private boolean isArray(String path) {
    ChangedNode node = nodes.get(path);
    if (node != null) {
      return node.isArray();
    }
    int rank = gone.containsKey(path) ? -1 : base.find(path);
    return rank >= 0 && base.isArray(rank);
  }

  /** The node at a path, to be changed; null where there is none. */
  private @Nullable ChangedNode changed(String path) {
    ChangedNode node = nodes.get(path);
    if (node != null || gone.containsKey(path)) {
      return node;
    }
    int rank = base.find(path);
    if (rank < 0) {
      return null;
    }
    NodeRecord record = SnapshotNodes.node(base, rank);
    NodeRecord.Grid grid = record.array();
    node =
        new ChangedNode(path, record.id(), false, grid == null ? -1 : grid.chunks().size(), grid);
    nodes.put(path, node);
    return node;
  }

  private void remove(String path) {
    removals.put(path, ++writes);
    ChangedNode node = nodes.remove(path);
    if (node != null && !node.isNew) {
      gone.put(path, new Gone(node.id, node.isArray()));
    } else if (node == null && !gone.containsKey(path)) {
      int rank = base.find(path);
      if (rank >= 0) {
        gone.put(path, new Gone(base.idOf(rank), base.isArray(rank)));
      }
    }
  }

  /** Removes a node, and the chunks of an array with it. */
  synchronized void eraseDocument(StoreKey key, String path, @Nullable Version version) {
    checkOpen(key);
    Held held = document(path);
    if (held == null) {
      return;
    }
    if (version != null && !version.equals(held.version())) {
      throw version.mismatch(key, held.version());
    }
    remove(path);
  }

  /** Removes the nodes at a path and below it. */
  synchronized void eraseTree(StoreKey key, String path) {
    checkOpen(key);
    String below = path.equals("/") ? "/" : path + "/";
    List<String> paths = new ArrayList<>();
    nodes.keySet().stream()
        .filter(each -> each.equals(path) || each.startsWith(below))
        .forEach(paths::add);
    int own = base.find(path);
    if (own >= 0) {
      paths.add(path);
    }
    String end = below.substring(0, below.length() - 1) + "0";
    for (int rank = base.ceiling(below); rank < base.ceiling(end); rank++) {
      paths.add(base.pathOf(rank));
    }
    paths.forEach(this::remove);
  }

  /**
   * Throws an error where a chunk cannot be written: there is a group, or an array of another rank.
   * The document of the array may come later, as that of a copy does.
   */
  synchronized void checkChunk(StoreKey key, ChunkKey chunk) {
    checkOpen(key);
    ChangedNode node = nodes.get(chunk.path());
    int rank;
    if (node != null) {
      rank = node.rank;
    } else {
      int at = gone.containsKey(chunk.path()) ? -1 : base.find(chunk.path());
      if (at < 0) {
        checkAncestors(key, chunk.path());
        return;
      }
      rank = base.isArray(at) ? base.array(at).rank() : -1;
    }
    if (rank != chunk.index().length) {
      throw new StoreException(
          rank < 0
              ? "there is a group at " + chunk.path() + ", which has no chunks"
              : "the array at "
                  + chunk.path()
                  + " has "
                  + rank
                  + " dimensions, and the key names a chunk of "
                  + chunk.index().length,
          Location.ofKey(key.value()));
    }
  }

  /** A change of a chunk that a condition allows only while nobody else has changed it. */
  private ChangedNode chunkNode(StoreKey key, ChunkKey chunk, @Nullable Long stamp) {
    checkChunk(key, chunk);
    if (stamp != null && find(chunk).stamp() != stamp) {
      throw new PreconditionFailedException(
          "another change of this session came in between", Location.ofKey(key.value()));
    }
    ChangedNode node = changed(chunk.path());
    if (node == null) {
      node = new ChangedNode(chunk.path(), ids.node(), true, chunk.index().length, null);
      nodes.put(chunk.path(), node);
    }
    node.chunkWrite = ++writes;
    return node;
  }

  /**
   * Notes a chunk that was stored as an object.
   *
   * @param stamp of the state that the write is made for; null for any
   */
  synchronized void putObject(
      StoreKey key, ChunkKey chunk, String id, int length, @Nullable Long stamp) {
    chunkNode(key, chunk, stamp).chunks.putObject(chunk.index(), id, length);
  }

  /** Notes a small chunk. */
  synchronized void putInline(StoreKey key, ChunkKey chunk, Bytes bytes, @Nullable Long stamp) {
    ChangedNode node = chunkNode(key, chunk, stamp);
    node.chunks.putInline(chunk.index(), bytes, node.chunkWrite);
  }

  /**
   * Notes that a chunk is gone.
   *
   * @param wasInBase whether the base has it
   */
  synchronized void eraseChunk(
      StoreKey key, ChunkKey chunk, boolean wasInBase, @Nullable Long stamp) {
    ChangedNode node = chunkNode(key, chunk, stamp);
    if (wasInBase && !node.isNew) {
      node.chunks.erase(chunk.index());
    } else {
      node.chunks.restore(chunk.index());
    }
  }

  // ---- forks: see Merge

  /** The number of the last write. */
  synchronized long clock() {
    return writes;
  }

  /** Calls an action of this package that reads or merges changes; no other one is made then. */
  synchronized <T> T use(Supplier<T> action) {
    checkOpen(Location.UNKNOWN);
    return action.get();
  }

  /** The changed nodes by their paths, pending ones among them; for {@link #use} alone. */
  NavigableMap<String, ChangedNode> nodes() {
    return nodes;
  }

  /** The id of the node that is at a path; null where there is none. */
  synchronized @Nullable Long idAt(String path) {
    ChangedNode node = nodes.get(path);
    if (node != null) {
      return node.id;
    }
    int rank = gone.containsKey(path) ? -1 : base.find(path);
    return rank < 0 ? null : base.idOf(rank);
  }

  /** The number of dimensions of the node at a path; negative where it has no chunks. */
  synchronized int rankAt(String path) {
    ChangedNode node = nodes.get(path);
    if (node != null) {
      return node.rank;
    }
    int rank = gone.containsKey(path) ? -1 : base.find(path);
    return rank < 0 || !base.isArray(rank) ? -1 : base.array(rank).rank();
  }

  /** Returns true for a path at which a node was removed after a write of this number. */
  synchronized boolean isRemovedSince(String path, long clock) {
    return removals.getOrDefault(path, 0L) > clock;
  }

  /** Removes the node at a path, as a fork has done. */
  synchronized void mergeRemoval(String path) {
    remove(path);
  }

  /** Takes what a fork has changed of a node, which contradicts nothing. */
  synchronized void mergeNode(ForkedNode forked) {
    ChangedNode node = changed(forked.path());
    if (node == null) {
      node = new ChangedNode(forked.path(), forked.id(), true, forked.rank(), null);
      nodes.put(node.path, node);
    }
    NodeDocument next = forked.document();
    NodeDocument old = node.document;
    if (next != null && (old == null || !old.bytes().equals(next.bytes()))) {
      node.put(next, ++writes);
    }
    NodeRecord.Grid grid = node.baseGrid;
    List<Long> kept = forked.kept();
    if (grid != null && kept != null) {
      node.baseGrid = grid.cutTo(kept);
    }
    ChunkChanges theirs = forked.chunks();
    if (theirs.size() > 0) {
      node.chunkWrite = ++writes;
      node.chunks.reserve(theirs.size());
    }
    for (int entry = 0; entry < theirs.size(); entry++) {
      int[] index = theirs.indexAt(entry);
      switch (theirs.state(entry)) {
        case OBJECT ->
            node.chunks.putObject(
                index, theirs.first(entry), theirs.last(entry), theirs.length(entry));
        case INLINE -> node.chunks.putInline(index, theirs.inline(entry), ++writes);
        case ERASED -> node.chunks.erase(index);
        case AS_BEFORE -> node.chunks.restore(index);
      }
    }
  }

  // ---- committing: frozen, so that what is returned does not change

  /** The changed nodes by path. */
  synchronized List<ChangedNode> changedNodes() {
    return nodes.values().stream().filter(node -> !node.isPending()).toList();
  }

  /** Throws an error for chunks whose array has no document. */
  synchronized void checkComplete() {
    for (ChangedNode node : nodes.values()) {
      if (node.isPending() && node.chunks.isChanged()) {
        throw new StoreException(
            "chunks of "
                + node.path
                + " were written, and it has no zarr.json: write it, or erase the chunks",
            Location.ofNode(node.path));
      }
    }
  }

  /** Returns true for the path of an array, also of one that has no document yet. */
  synchronized boolean hasArray(String path) {
    return isArray(path);
  }

  /** The nodes of the base that are gone, by path. */
  synchronized Map<String, Gone> goneNodes() {
    return new TreeMap<>(gone);
  }
}
