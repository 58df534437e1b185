package dev.zarrreactive.icechunk;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.icechunk.ChangeSet.Found;
import dev.zarrreactive.icechunk.ChangeSet.Held;
import dev.zarrreactive.icechunk.ChangeSet.InBase;
import dev.zarrreactive.icechunk.ChangeSet.Own;
import dev.zarrreactive.icechunk.ChangeSet.ShownNode;
import dev.zarrreactive.icechunk.ChangeSet.View;
import dev.zarrreactive.internal.icechunk.ChunkReference;
import dev.zarrreactive.internal.icechunk.ObjectIds;
import dev.zarrreactive.internal.icechunk.SnapshotFile;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.StagedStore;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import dev.zarrreactive.virtual.Reference;
import dev.zarrreactive.virtual.VirtualStore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A writable store over the last snapshot of a branch. Reads see the session's own changes; nobody
 * else sees one of them before {@link #commit}, which makes all of them one snapshot.
 *
 * <p>A chunk is stored at once as an object of the repository, or kept in memory up to the number
 * of bytes that the configuration of the repository calls inline, 512 by default. Of a chunk in an
 * object some 40 bytes stay in memory. Metadata documents stay in memory.
 *
 * <p><b>Keys</b> are those of Zarr v3: {@code zarr.json} of a node, and chunks under {@code c/}. A
 * chunk can be written before the document of its array, which a commit then demands. To erase the
 * document of an array erases its chunks. A chunk outside of the grid that the array has when it is
 * committed is left out.
 *
 * <p>Thread-safe. Conditions on versions hold among the writers of one session. A session that is
 * dropped without a commit, or {@linkplain #discard discarded}, leaves nothing in the repository
 * but objects that nothing refers to.
 */
public final class IcechunkSession extends VirtualStore implements StagedStore {
  private static final String DOCUMENT = "zarr.json";
  private static final Set<StoreCapability> CAPABILITIES =
      Collections.unmodifiableSet(EnumSet.allOf(StoreCapability.class));

  private final IcechunkRepository repository;
  private final RepositoryFiles files;
  private final String branch;
  private final ChangeSet changes;
  private final ObjectIds ids;
  private final long mostInline;
  private final String id;
  private final @Nullable Bytes origin;
  private volatile SnapshotStore base;
  private volatile @Nullable String committed;

  /**
   * Creates a session.
   *
   * @param origin of a fork: the state that it began with
   */
  IcechunkSession(
      IcechunkRepository repository,
      RepositoryFiles files,
      String branch,
      ChangeSet changes,
      ObjectIds ids,
      long mostInline,
      @Nullable Bytes origin) {
    super(repository.allowed());
    this.repository = repository;
    this.files = files;
    this.branch = branch;
    this.changes = changes;
    this.ids = ids;
    this.mostInline = mostInline;
    this.id = ids.object();
    this.origin = origin;
    this.base = store(changes.base());
  }

  private SnapshotStore store(SnapshotFile snapshot) {
    return repository.storeOf(snapshot, IcechunkVersion.branch(branch));
  }

  /**
   * Returns the session that a store is, also one that other stores decorate; empty for any other.
   */
  public static Optional<IcechunkSession> of(Store store) {
    Store each = store;
    while (each instanceof DelegatingStore decorator) {
      each = decorator.delegate();
    }
    return each instanceof IcechunkSession session ? Optional.of(session) : Optional.empty();
  }

  /** Returns the id of the snapshot that the session has committed; empty before. */
  public Optional<String> committed() {
    return Optional.ofNullable(committed);
  }

  /** The branch that a commit goes to. */
  public String branch() {
    return branch;
  }

  /** The id of the snapshot that the session began at, or at which a rebase has put it. */
  public String snapshot() {
    return changes.base().entry().id();
  }

  /** Returns true if there is anything to commit. */
  public boolean hasChanges() {
    return changes.isChanged();
  }

  /**
   * Emits what a commit of now would change, as {@link IcechunkRepository#changes} tells it of a
   * commit: a chunk that was erased counts as one, and a node that was made in place of another one
   * is both created and deleted. It costs no request.
   */
  public Mono<IcechunkChanges> pending() {
    return Mono.fromCallable(() -> changes.use(() -> CommitLog.pending(changes)))
        .subscribeOn(IcechunkThreads.decoding());
  }

  /** The bytes of memory that the tables of changed chunks take, for tests. */
  long weight() {
    return changes.weight();
  }

  /** Commits the changes, as {@link #commit(IcechunkCommit)} with a message alone. */
  public Mono<String> commit(String message) {
    return commit(IcechunkCommit.of(message));
  }

  /** Commits the changes with metadata, as {@link #commit(IcechunkCommit)} without options. */
  public Mono<String> commit(String message, JsonObject metadata) {
    return commit(IcechunkCommit.of(message).withMetadata(metadata));
  }

  /**
   * Makes all changes one snapshot of the branch, and emits its id of 20 characters. Where another
   * commit came first, the changes go on from it, unless they contradict it: then the commit ends
   * in a {@link dev.zarrreactive.error.CommitConflictException}, nothing of it is in the
   * repository, and the session is open for further changes. Ends in a {@link StoreException} where
   * there is nothing to commit, and where the repository takes no commits.
   *
   * <p>A commit whose answer was lost is settled by a look at the repository. After a cancel it has
   * taken place whole or not at all. After a commit the session takes no changes; it can be read.
   */
  public Mono<String> commit(IcechunkCommit commit) {
    return Mono.defer(
        () -> {
          if (isFork()) {
            return Mono.error(
                () ->
                    new StoreException(
                        "a fork is not committed: emit its changes(), and merge them into the"
                            + " session that it was made of",
                        Location.UNKNOWN));
          }
          changes.freeze();
          return new Commit(files, ids, changes, branch, commit)
              .run()
              .doOnNext(
                  id -> {
                    committed = id;
                    changes.committed();
                  })
              .doOnTerminate(this::settle)
              .doOnCancel(this::settle);
        });
  }

  // ---- forks

  /** Returns true for a session that {@link IcechunkRepository#openFork} has opened. */
  public boolean isFork() {
    return origin != null;
  }

  /**
   * Emits this session as bytes, which {@link IcechunkRepository#openFork} opens, also on another
   * machine and more than once: with all that it has changed so far, and without anything that says
   * where the repository is or how it is reached. Fork a session before it has changed many chunks:
   * each takes some 16 bytes. The session stays open.
   */
  public Mono<Bytes> fork() {
    return encode(() -> ForkWriter.state(id, branch, mostInline, changes));
  }

  /**
   * Emits what this fork has changed since it was made, as bytes for {@link #merge}: some 16 bytes
   * for each chunk in an object, the chunk itself where it is inline, and metadata documents. The
   * fork stays open; what it emits later has all of its changes again. Ends in a {@link
   * StoreException} for a session that is no fork.
   */
  public Mono<Bytes> changes() {
    Bytes began = origin;
    return began == null
        ? Mono.error(
            () ->
                new StoreException(
                    "this session is no fork: commit it, or fork it", Location.UNKNOWN))
        : encode(
            () -> {
              ForkState state = ForkReader.state(began);
              ChangeSet before = ChangeSet.of(changes.base(), ids, state);
              return ForkWriter.changes(state.session(), before, changes);
            });
  }

  /** Emits bytes that are written while no change is made. */
  private Mono<Bytes> encode(Supplier<Bytes> writing) {
    return Mono.fromCallable(() -> changes.use(writing)).subscribeOn(IcechunkThreads.decoding());
  }

  /**
   * Takes in what a fork of this session has changed, so that this session reads and commits it.
   * All of it or nothing: where the session, or another fork that was merged before, has changed
   * the same chunk or the metadata of the same node since the fork was made, it ends in a {@link
   * dev.zarrreactive.error.CommitConflictException} that names the paths and chunks, at most 10,000
   * of them. Two new nodes at one path are the same node where their documents are equal. Changes
   * that are merged twice contradict themselves.
   *
   * <p>Ends in a {@link StoreException} for other bytes, for the changes of a fork of another
   * session, and where a commit that failed has put this session on another snapshot since.
   */
  public Mono<Void> merge(Bytes ofFork) {
    return Mono.fromRunnable(() -> merge(ForkReader.changes(ofFork)))
        .subscribeOn(IcechunkThreads.decoding())
        .then();
  }

  private void merge(ForkChanges fork) {
    if (!fork.session().equals(id)) {
      throw new StoreException(
          "these are changes of a fork of another session: merge them into that", Location.UNKNOWN);
    }
    changes.use(
        () -> {
          Merge.run(changes, fork);
          return fork;
        });
  }

  /** Ends a commit: before its signal, after which the session may be committed again. */
  private void settle() {
    base = store(changes.base());
    changes.thaw();
  }

  /** Forgets the changes; the session takes no others. Fails while it is being committed. */
  @Override
  public Mono<Void> discard() {
    return Mono.fromRunnable(changes::discard);
  }

  /** Forgets the changes that were not committed, as {@link #discard}; only a commit keeps them. */
  @Override
  public Mono<Void> close() {
    return discard();
  }

  @Override
  public Set<StoreCapability> capabilities() {
    return CAPABILITIES;
  }

  // ---- reading

  @Override
  protected Mono<Reference> reference(StoreKey key) {
    String path = pathOfDocument(key.value());
    if (path != null) {
      Held held = changes.document(path);
      return Mono.justOrEmpty(
          held == null ? null : new Reference.Inline(held.bytes(), held.version()));
    }
    ChunkKey chunk = ChunkKey.parse(key.value());
    return chunk == null ? Mono.empty() : reference(key, changes.find(chunk));
  }

  private Mono<Reference> reference(StoreKey key, Found found) {
    if (found.place() instanceof InBase) {
      return base.reference(key);
    }
    return found.place() instanceof Own own ? Mono.just(reference(own)) : Mono.empty();
  }

  private Reference reference(Own own) {
    return own.reference() instanceof ChunkReference.Native chunk
        ? new Reference.Native(
            files.store(),
            StoreKey.of("chunks/" + chunk.chunk()),
            new ByteRange.Slice(0, chunk.length()),
            own.version())
        : new Reference.Inline(((ChunkReference.Inline) own.reference()).bytes(), own.version());
  }

  /** The path of the node whose document a key names; null where it names none. */
  private static @Nullable String pathOfDocument(String key) {
    int end = key.length() - DOCUMENT.length();
    if (!key.endsWith(DOCUMENT) || (end > 0 && key.charAt(end - 1) != '/')) {
      return null;
    }
    return end == 0 ? "/" : "/" + key.substring(0, end - 1);
  }

  private static String prefix(String path) {
    return path.length() == 1 ? "" : path.substring(1) + "/";
  }

  @Override
  public Flux<StoreKey> listPrefix(StorePrefix prefix) {
    return listValues(prefix).map(ListEntry.Key::key);
  }

  @Override
  public Flux<ListEntry.Key> listValues(StorePrefix prefix) {
    return Flux.defer(
        () -> {
          View view = changes.view();
          Flux<ListEntry.Key> unchanged =
              base.listValues(prefix).filter(entry -> isShownFromBase(view, entry.key()));
          Flux<ListEntry.Key> own =
              Flux.fromIterable(view.nodes.values())
                  .concatMap(node -> written(node), 1)
                  .filter(entry -> prefix.contains(entry.key()));
          return Flux.concat(List.of(unchanged, own));
        });
  }

  private boolean isShownFromBase(View view, StoreKey key) {
    String path = pathOfDocument(key.value());
    if (path != null) {
      ShownNode node = view.nodes.get(path);
      return node == null
          ? !view.gone.containsKey(path)
          : node.document() == null && !node.node().isNew;
    }
    ChunkKey chunk = ChunkKey.parse(key.value());
    return chunk != null && changes.isShownFromBase(view, chunk);
  }

  /** The keys that the session has written of a node. */
  private Flux<ListEntry.Key> written(ShownNode shown) {
    String prefix = prefix(shown.node().path);
    NodeDocument document = shown.document();
    Flux<ListEntry.Key> chunks =
        Flux.range(0, shown.chunks())
            .mapNotNull(
                entry -> {
                  ChangeSet.Written chunk = changes.written(shown.node(), entry);
                  return chunk == null
                      ? null
                      : new ListEntry.Key(
                          StoreKey.of(ChunkKey.of(prefix, chunk.index())), chunk.length());
                });
    return document == null
        ? chunks
        : Flux.concat(
            List.of(
                Flux.just(
                    new ListEntry.Key(StoreKey.of(prefix + DOCUMENT), document.bytes().size())),
                chunks));
  }

  @Override
  public Flux<ListEntry> listDir(StorePrefix prefix) {
    return Flux.defer(
        () -> {
          String beginning = prefix.value();
          if (isAmongChunks(beginning)) {
            return super.listDir(prefix);
          }
          String path =
              beginning.isEmpty() ? "/" : "/" + beginning.substring(0, beginning.length() - 1);
          List<Flux<ListEntry>> parts = new ArrayList<>();
          Held document = changes.document(path);
          Set<String> children = children(changes.view(), "/" + beginning);
          if (document != null) {
            parts.add(
                Flux.just(
                    new ListEntry.Key(StoreKey.of(beginning + DOCUMENT), document.bytes().size())));
          }
          if (changes.hasArray(path) && !children.contains("c")) {
            parts.add(chunkEntry(beginning));
          }
          parts.add(
              Flux.fromIterable(children)
                  .map(name -> new ListEntry.Prefix(StorePrefix.of(beginning + name + "/"))));
          return Flux.concat(parts);
        });
  }

  /** Returns true for a prefix below the {@code c} of an array. */
  private boolean isAmongChunks(String prefix) {
    ChunkKey chunk =
        prefix.isEmpty() ? null : ChunkKey.parse(prefix.substring(0, prefix.length() - 1));
    return chunk != null && changes.hasArray(chunk.path());
  }

  /** The entry of all chunks of an array; empty where it has none. */
  private Flux<ListEntry> chunkEntry(String prefix) {
    StoreKey scalar = StoreKey.of(prefix + "c");
    StorePrefix many = StorePrefix.of(prefix + "c/");
    Mono<ListEntry> one = reference(scalar).map(found -> new ListEntry.Key(scalar));
    return one.switchIfEmpty(
            Mono.defer(
                () ->
                    listPrefix(many)
                        .filter(key -> ChunkKey.parse(key.value()) != null)
                        .next()
                        .map(key -> new ListEntry.Prefix(many))))
        .flux();
  }

  /** The names directly below a prefix of paths. */
  private Set<String> children(View view, String below) {
    Set<String> names = new TreeSet<>();
    for (String path : view.nodes.keySet()) {
      addChild(names, path, below);
    }
    SnapshotFile snapshot = changes.base();
    String end = below.substring(0, below.length() - 1) + "0";
    int last = snapshot.ceiling(end);
    for (int rank = snapshot.ceiling(below); rank < last; rank++) {
      String path = snapshot.pathOf(rank);
      if (!view.gone.containsKey(path)) {
        addChild(names, path, below);
      }
    }
    return names;
  }

  private static void addChild(Set<String> names, String path, String below) {
    if (path.startsWith(below) && path.length() > below.length()) {
      int slash = path.indexOf('/', below.length());
      names.add(path.substring(below.length(), slash < 0 ? path.length() : slash));
    }
  }

  // ---- writing

  @Override
  public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
    return Mono.defer(
        () -> {
          String path = pathOfDocument(key.value());
          if (path != null) {
            NodeDocument document = NodeDocument.parse(key, value);
            changes.setDocument(key, path, document, precondition);
            return Mono.empty();
          }
          ChunkKey chunk = chunk(key);
          changes.checkChunk(key, chunk);
          return stamp(key, chunk, precondition)
              .flatMap(stamp -> put(key, chunk, value, stamp.orElse(null)));
        });
  }

  private static ChunkKey chunk(StoreKey key) {
    ChunkKey chunk = ChunkKey.parse(key.value());
    if (chunk == null) {
      throw new StoreException(
          "an Icechunk repository has no value at such a key: it has zarr.json of nodes, and chunks"
              + " such as a/c/0/1; files of Zarr v2 have no place in it",
          Location.ofKey(key.value()));
    }
    return chunk;
  }

  /** Emits the state that a condition was checked against; none where there is no condition. */
  private Mono<Optional<Long>> stamp(StoreKey key, ChunkKey chunk, Precondition precondition) {
    if (precondition.equals(Precondition.NONE)) {
      return Mono.just(Optional.empty());
    }
    Found found = changes.find(chunk);
    return version(key, found)
        .map(
            version -> {
              ChangeSet.check(key, precondition, version.isEmpty() ? null : version.get(0));
              return Optional.of(found.stamp());
            });
  }

  /** Emits the version of a chunk in a list; an empty list where it is missing. */
  private Mono<List<Version>> version(StoreKey key, Found found) {
    if (found.place() instanceof Own own) {
      return Mono.just(List.of(own.version()));
    }
    return found.place() == null
        ? Mono.just(List.of())
        : base.getVersioned(key, new ByteRange.Slice(0, 0), ReadCondition.ALWAYS)
            .map(VersionedBytes::version)
            .map(List::of)
            .defaultIfEmpty(List.of());
  }

  private Mono<Void> put(StoreKey key, ChunkKey chunk, Bytes value, @Nullable Long stamp) {
    if (value.size() <= mostInline || value.size() == 0) {
      return Mono.fromRunnable(() -> changes.putInline(key, chunk, value, stamp));
    }
    String id = ids.object();
    return files
        .store()
        .set(StoreKey.of("chunks/" + id), value)
        .then(Mono.fromRunnable(() -> changes.putObject(key, chunk, id, value.size(), stamp)));
  }

  @Override
  public Mono<Void> erase(StoreKey key) {
    return erase(key, Precondition.NONE);
  }

  @Override
  public Mono<Void> erase(StoreKey key, Version version) {
    return erase(key, Precondition.matches(version));
  }

  private Mono<Void> erase(StoreKey key, Precondition precondition) {
    return Mono.defer(
        () -> {
          String path = pathOfDocument(key.value());
          if (path != null) {
            changes.eraseDocument(key, path, precondition.version());
            return Mono.empty();
          }
          ChunkKey chunk = ChunkKey.parse(key.value());
          if (chunk == null) {
            return Mono.empty();
          }
          Found found = changes.find(chunk);
          if (found.place() == null) {
            return Mono.empty();
          }
          return reference(key)
              .flatMap(there -> version(key, found))
              .flatMap(
                  version -> {
                    ChangeSet.check(key, precondition, version.isEmpty() ? null : version.get(0));
                    return base.reference(key).hasElement();
                  })
              .flatMap(
                  isInBase ->
                      Mono.<Void>fromRunnable(
                          () ->
                              changes.eraseChunk(
                                  key,
                                  chunk,
                                  isInBase,
                                  precondition.version() == null ? null : found.stamp())));
        });
  }

  /** Removes nodes at once, without a request; chunks of an array that stays one by one. */
  @Override
  public Mono<Void> erasePrefix(StorePrefix prefix) {
    return Mono.defer(
        () -> {
          String beginning = prefix.value();
          String path =
              beginning.isEmpty() ? "/" : "/" + beginning.substring(0, beginning.length() - 1);
          changes.eraseTree(StoreKey.of(beginning + DOCUMENT), path);
          return isAmongChunks(beginning) ? super.erasePrefix(prefix) : Mono.<Void>empty();
        });
  }

  /** The branch, the snapshot that the session began at, and the store of the repository. */
  @Override
  public String toString() {
    return (isFork() ? "a fork of IcechunkSession[branch " : "IcechunkSession[branch ")
        + branch
        + ", snapshot "
        + snapshot()
        + " in "
        + files.store()
        + "]";
  }
}
