package dev.zarrreactive.icechunk;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.CommitConflictException;
import dev.zarrreactive.error.CommitConflictException.Conflict;
import dev.zarrreactive.error.CommitConflictException.Kind;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.icechunk.ChangeSet.ChangedNode;
import dev.zarrreactive.icechunk.ChangeSet.Gone;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.icechunk.Feature;
import dev.zarrreactive.internal.icechunk.NodeRecord;
import dev.zarrreactive.internal.icechunk.ObjectIds;
import dev.zarrreactive.internal.icechunk.Orders;
import dev.zarrreactive.internal.icechunk.RepoState;
import dev.zarrreactive.internal.icechunk.SnapshotEntry;
import dev.zarrreactive.internal.icechunk.SnapshotFile;
import dev.zarrreactive.internal.icechunk.SnapshotNodes;
import dev.zarrreactive.internal.icechunk.SnapshotWriter;
import dev.zarrreactive.internal.icechunk.TransactionFile;
import dev.zarrreactive.internal.threads.Environment;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Commits the changes of a session: new manifests, a log and a snapshot, and last the info of the
 * repository, by which all of it takes effect at once. Where another commit came first, the changes
 * are compared with it, and go on from it.
 */
final class Commit {
  /** The arrays, and the manifests of one, that are worked on at the same time. */
  private static final int TOGETHER = 4;

  /** The files of other commits that are read at the same time. */
  private static final int PARTS_TOGETHER = 8;

  private final RepositoryFiles files;
  private final ObjectIds ids;
  private final ChangeSet changes;
  private final String branch;
  private final IcechunkCommit wanted;
  private @Nullable Made made;

  Commit(
      RepositoryFiles files,
      ObjectIds ids,
      ChangeSet changes,
      String branch,
      IcechunkCommit wanted) {
    this.files = files;
    this.ids = ids;
    this.changes = changes;
    this.branch = branch;
    this.wanted = wanted;
  }

  /** Emits the id of the snapshot. */
  Mono<String> run() {
    return new RepoUpdates(files, ids).run(what(), this::step);
  }

  private String what() {
    return "the commit to branch \"" + branch + "\"";
  }

  private Mono<RepoUpdates.Change<String>> step(RepoState state) {
    String tip = state.branches().get(branch);
    if (tip == null) {
      return Mono.error(() -> Missing.branch(files, branch, state.branches().keySet()));
    }
    changes.checkComplete();
    checkFeatures(state);
    return (tip.equals(changes.base().entry().id()) ? Mono.<Void>empty() : rebase(state, tip))
        .then(Mono.defer(() -> snapshot(state)))
        .map(
            snapshot ->
                new RepoUpdates.Change<>(
                    snapshot.entry().id(),
                    snapshot.files(),
                    (now, backup) -> {
                      SnapshotEntry entry = snapshot.entry();
                      if (wanted.isAmendment()) {
                        now.amend(branch, entry, backup);
                      } else {
                        now.commit(branch, entry, backup);
                      }
                      return now;
                    }));
  }

  private void checkFeatures(RepoState state) {
    state.check(Feature.COMMIT);
    if (wanted.isAmendment()) {
      state.check(Feature.AMEND);
    }
    if (!changes.goneNodes().isEmpty()) {
      state.check(Feature.DELETE_NODES);
    }
    for (ChangedNode node : changes.changedNodes()) {
      if (node.isNew) {
        state.check(Feature.CREATE_NEW_NODES);
      } else if (node.document != null) {
        state.check(node.isArray() ? Feature.UPDATE_ARRAY_METADATA : Feature.UPDATE_GROUP_METADATA);
      }
      if (node.chunks.isChanged()) {
        state.check(Feature.UPDATE_CHUNKS);
      }
    }
  }

  private Mono<Void> rebase(RepoState state, String tip) {
    state.check(Feature.REBASE);
    if (wanted.isAmendment()) {
      return Mono.error(
          () -> conflict(List.of(new Conflict(Kind.AMENDED_IS_NOT_LAST, "/", null, tip))));
    }
    String base = changes.base().entry().id();
    List<String> between = state.between(base, tip);
    if (between == null) {
      return Mono.error(
          () -> conflict(List.of(new Conflict(Kind.BRANCH_WAS_RESET, "/", null, tip))));
    }
    return conflictsWith(state, between)
        .collectList()
        .flatMap(
            conflicts ->
                conflicts.isEmpty() ? files.snapshot(tip) : Mono.error(conflict(conflicts)))
        .doOnNext(changes::rebase)
        .then();
  }

  /** The file of a snapshot, or of a log of its commit. */
  private record Part(String id, boolean isLog) {}

  /** Reads the commits in between together, and compares them with the changes one by one. */
  private Flux<Conflict> conflictsWith(RepoState state, List<String> between) {
    List<Part> parts = new ArrayList<>();
    for (String snapshot : between) {
      parts.add(new Part(snapshot, false));
      state.logs(snapshot).forEach(log -> parts.add(new Part(log, true)));
    }
    return Flux.defer(
        () -> {
          AtomicReference<@Nullable SnapshotFile> theirs = new AtomicReference<>();
          return Concurrently.mapInOrder(Flux.fromIterable(parts), PARTS_TOGETHER, this::read)
              .concatMapIterable(
                  part -> {
                    if (part instanceof SnapshotFile snapshot) {
                      theirs.set(snapshot);
                      return List.of();
                    }
                    return Conflicts.of(
                        changes,
                        wanted.chunkConflicts(),
                        wanted.deletesUpdatedNodes(),
                        (TransactionFile) part,
                        Objects.requireNonNull(theirs.get()));
                  });
        });
  }

  private Mono<Object> read(Part part) {
    return part.isLog()
        ? files
            .transaction(part.id())
            .switchIfEmpty(Mono.error(() -> files.missing("transactions/" + part.id())))
            .cast(Object.class)
        : files.snapshot(part.id()).cast(Object.class);
  }

  private CommitConflictException conflict(List<Conflict> conflicts) {
    boolean isOfChunks =
        conflicts.stream().allMatch(conflict -> conflict.kind() == Kind.BOTH_CHANGED_CHUNK);
    return new CommitConflictException(
        what() + " contradicts another commit",
        conflicts,
        isOfChunks
            ? "Commit with withChunkConflicts(OURS) or (THEIRS) to choose one of the two chunks"
            : "Open another session, which begins at the other commit, and make the changes again");
  }

  /**
   * A snapshot that was made, with the files that it leads to and that are not stored yet.
   *
   * @param on the snapshot that it was made from
   */
  private record Made(SnapshotEntry entry, String on, Map<StoreKey, Bytes> files) {}

  /**
   * The manifests that are stored together with the snapshot, which costs one round trip for all; a
   * large one is stored at once, and so are all others where there are many.
   */
  private static final class Held {
    private static final long MOST_BYTES = 8L << 20;

    private final Map<StoreKey, Bytes> files = new ConcurrentHashMap<>();
    private final AtomicLong room = new AtomicLong(MOST_BYTES);

    /** Keeps a file for later; returns false where there is no room for it. */
    boolean tryKeep(StoreKey key, Bytes file) {
      boolean fits = room.getAndUpdate(left -> Math.max(0, left - file.size())) >= file.size();
      if (fits) {
        files.put(key, file);
      }
      return fits;
    }
  }

  /** Emits the snapshot: made anew where the base is another one. */
  private Mono<Made> snapshot(RepoState state) {
    SnapshotFile base = changes.base();
    String parent = base.entry().id();
    Made earlier = made;
    if (earlier != null && parent.equals(earlier.on()) && stillFollows(state, earlier.entry())) {
      return Mono.just(earlier);
    }
    if (!changes.isChanged() && !wanted.isAmendment()) {
      return Mono.error(
          () ->
              new StoreException(
                  what() + " has nothing to commit: no node and no chunk was changed",
                  Location.UNKNOWN));
    }
    Instant now = Environment.current().now().truncatedTo(ChronoUnit.MICROS);
    Instant before = Instant.EPOCH.plus(state.micros(parent), ChronoUnit.MICROS);
    SnapshotEntry entry =
        new SnapshotEntry(
            ids.object(),
            wanted.isAmendment() ? grandparent(state, parent) : parent,
            now.isAfter(before) ? now : before.plus(1, ChronoUnit.MICROS),
            wanted.message(),
            wanted.metadata());
    Held held = new Held();
    return IcechunkThreads.decoded(arrays(base, new SplitRules(state.config()), held))
        .zipWith(amended(parent))
        .map(
            both ->
                new Made(
                    entry,
                    parent,
                    files(base, entry, both.getT1(), both.getT2().orElse(null), held)))
        .doOnNext(
            each -> {
              made = each;
              files.keep(each.files());
            });
  }

  /**
   * Returns true where a snapshot that was made follows the one that it is to follow: that of an
   * amendment may have expired since.
   */
  private boolean stillFollows(RepoState state, SnapshotEntry entry) {
    return !wanted.isAmendment()
        || grandparent(state, changes.base().entry().id()).equals(entry.parent());
  }

  private String grandparent(RepoState state, String amended) {
    String before = state.parent(amended);
    if (before == null) {
      throw new StoreException(
          what() + " cannot take the place of the first snapshot of the repository",
          Location.UNKNOWN);
    }
    return before;
  }

  /** Emits the log of the commit that this one takes the place of. */
  private Mono<Optional<TransactionFile>> amended(String snapshot) {
    return wanted.isAmendment()
        ? files
            .transaction(snapshot)
            .map(Optional::of)
            .switchIfEmpty(Mono.error(() -> files.missing("transactions/" + snapshot)))
        : Mono.just(Optional.empty());
  }

  /** An array with its manifests, and those of them that are new. */
  private record Arranged(NodeRecord node, List<NodeRecord.Manifest> made) {}

  private Mono<Map<String, Arranged>> arrays(SnapshotFile base, SplitRules rules, Held held) {
    return Concurrently.map(
            Flux.fromIterable(changes.changedNodes()).filter(ChangedNode::isArray),
            TOGETHER,
            node -> array(base, node, rules, held))
        .collectMap(arranged -> arranged.node().path());
  }

  private Mono<Arranged> array(SnapshotFile base, ChangedNode node, SplitRules rules, Held held) {
    return Mono.defer(
        () -> {
          NodeRecord.Grid grid = Objects.requireNonNull(node.grid());
          NewManifests plan =
              new NewManifests(
                  node.id, grid, node.baseGrid, node.chunks, rules.sizes(node.path, grid));
          return IcechunkThreads.decoded(
                  Concurrently.mapInOrder(
                          Flux.fromIterable(plan.rewritten()),
                          TOGETHER,
                          manifest -> files.manifest(manifest.manifest()))
                      .collectList())
              .flatMap(
                  read -> {
                    List<NewManifests.Made> made = new ArrayList<>();
                    plan.make(read, ids, made::add);
                    List<NodeRecord.Extents> all = new ArrayList<>(plan.kept());
                    made.forEach(each -> all.add(each.extents()));
                    return put(made, held).thenReturn(arranged(base, node, grid.with(all), made));
                  });
        });
  }

  private Mono<Void> put(List<NewManifests.Made> made, Held held) {
    return Concurrently.map(
            Flux.fromIterable(made).filter(each -> !held.tryKeep(key(each), each.file())),
            TOGETHER,
            each -> files.store().set(key(each), each.file()))
        .then();
  }

  private static StoreKey key(NewManifests.Made made) {
    return StoreKey.of("manifests/" + made.extents().manifest());
  }

  private static Arranged arranged(
      SnapshotFile base, ChangedNode node, NodeRecord.Grid grid, List<NewManifests.Made> made) {
    return new Arranged(
        record(base, node, grid),
        made.stream()
            .map(
                each ->
                    new NodeRecord.Manifest(
                        each.extents().manifest(), each.file().size(), each.references()))
            .toList());
  }

  private static NodeRecord record(
      SnapshotFile base, ChangedNode node, NodeRecord.@Nullable Grid grid) {
    NodeDocument changed = node.document;
    int rank = node.isNew ? -1 : base.find(node.path);
    NodeRecord before = rank < 0 ? null : SnapshotNodes.node(base, rank);
    Bytes document = changed != null ? changed.bytes() : Objects.requireNonNull(before).document();
    return new NodeRecord(
        node.id, node.path, document, grid, before == null ? null : before.extra());
  }

  private Map<StoreKey, Bytes> files(
      SnapshotFile base,
      SnapshotEntry entry,
      Map<String, Arranged> arrays,
      @Nullable TransactionFile amended,
      Held held) {
    SortedMap<String, NodeRecord> nodes = nodes(base, arrays);
    Map<String, NodeRecord.Manifest> known = SnapshotNodes.manifests(base);
    arrays
        .values()
        .forEach(array -> array.made().forEach(manifest -> known.put(manifest.id(), manifest)));
    SortedMap<String, NodeRecord.Manifest> used = new TreeMap<>();
    for (NodeRecord node : nodes.values()) {
      NodeRecord.Grid array = node.array();
      for (NodeRecord.Extents extents :
          array == null ? List.<NodeRecord.Extents>of() : array.manifests()) {
        NodeRecord.Manifest manifest = known.get(extents.manifest());
        if (manifest == null) {
          throw new StoreException(
              "a damaged file of an Icechunk repository: its list of manifests lacks "
                  + extents.manifest()
                  + ", which "
                  + node.path()
                  + " names",
              Location.ofKey("snapshots/" + base.entry().id()));
        }
        used.put(manifest.id(), manifest);
      }
    }
    Map<StoreKey, Bytes> all = new LinkedHashMap<>(held.files);
    all.put(
        StoreKey.of("snapshots/" + entry.id()),
        SnapshotWriter.write(entry, nodes.values(), used.values()));
    all.put(
        StoreKey.of("transactions/" + entry.id()),
        new CommitLog(changes, amended).write(entry.id()));
    return all;
  }

  private SortedMap<String, NodeRecord> nodes(SnapshotFile base, Map<String, Arranged> arrays) {
    SortedMap<String, NodeRecord> nodes = new TreeMap<>(Orders.BY_BYTES);
    Map<String, Gone> gone = changes.goneNodes();
    for (int rank = 0; rank < base.size(); rank++) {
      String path = base.pathOf(rank);
      if (!gone.containsKey(path)) {
        nodes.put(path, SnapshotNodes.node(base, rank));
      }
    }
    for (ChangedNode node : changes.changedNodes()) {
      Arranged array = arrays.get(node.path);
      nodes.put(node.path, array == null ? record(base, node, null) : array.node());
    }
    return nodes;
  }
}
