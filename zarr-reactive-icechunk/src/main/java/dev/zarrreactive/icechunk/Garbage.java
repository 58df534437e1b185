package dev.zarrreactive.icechunk;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.icechunk.IcechunkCleaned.Erased;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.icechunk.Base32;
import dev.zarrreactive.internal.icechunk.ManifestFile;
import dev.zarrreactive.internal.icechunk.ObjectIds;
import dev.zarrreactive.internal.icechunk.RepoState;
import dev.zarrreactive.internal.icechunk.SnapshotFile;
import dev.zarrreactive.store.ListEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Collects the garbage of a repository: objects that were written before a bound, and that no
 * snapshot needs which a branch or a tag leads to, or which is younger.
 *
 * <p>First it finds what is needed, and reads every snapshot and manifest for that; where one
 * cannot be read, it ends in an error and removes nothing. Then it takes the other snapshots out of
 * the info of the repository, so that nobody can refer to them any more. Only then it erases
 * objects, those that refer to others first. So it can be cut off at any step: what it has not
 * erased is still garbage.
 */
final class Garbage {
  private static final int SNAPSHOTS_TOGETHER = 8;

  /** Small manifests that are read at the same time; a large one is read alone. */
  private static final int MANIFESTS_TOGETHER = 8;

  private static final long LARGE = 50_000;
  private static final int MOST_RESTARTS = 10;

  private final RepositoryFiles files;
  private final Instant before;
  private final long mostMarked;

  /** The ids of manifests that are needed, with the numbers of their references. */
  private final Map<String, Long> manifests = new HashMap<>();

  /** The manifests whose chunks are marked in {@link #first}. */
  private final Set<String> markedManifests = new HashSet<>();

  private final Map<String, Erased> counted = new LinkedHashMap<>();

  /** The parts that the ids of chunks are divided into, since they do not fit into memory. */
  private int parts = 1;

  /** The needed chunks of the first part. */
  private ObjectIdSet first = new ObjectIdSet();

  Garbage(RepositoryFiles files, Instant before) {
    this(files, before, Runtime.getRuntime().maxMemory() / 8 / ObjectIdSet.WEIGHT);
  }

  /**
   * Creates a collection.
   *
   * @param mostMarked the most chunks whose ids are in memory at the same time
   */
  Garbage(RepositoryFiles files, Instant before, long mostMarked) {
    this.files = files;
    this.before = before;
    this.mostMarked = Math.max(1, mostMarked);
  }

  /** What the info says of the files that are needed. */
  private record Needed(Set<String> snapshots, Set<String> logs, Set<String> copies) {
    static Needed of(RepoState state) {
      return new Needed(Set.copyOf(state.snapshots()), state.logs(), state.copies());
    }
  }

  /** Something that was to be removed is needed again. */
  private static final class Restart extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Restart() {
      super(
          "a branch, a tag or a commit leads to a snapshot that was to be removed",
          null,
          false,
          false);
    }
  }

  /** Emits what would be erased in a state of the repository, which is changed. */
  Mono<Map<String, Erased>> look(RepoState state) {
    return keep(state)
        .flatMap(
            keep -> {
              Set<String> dropped = dropped(state, keep);
              state.remove(dropped);
              return mark(keep.marked())
                  .then(Mono.defer(this::markFirst))
                  .then(Mono.defer(() -> erase(Needed.of(state), state.copyBefore(), true)));
            });
  }

  /** Erases the garbage; emits what it was. */
  Mono<Map<String, Erased>> collect(ObjectIds ids) {
    return attempt(ids, 0);
  }

  private Mono<Map<String, Erased>> attempt(ObjectIds ids, int restarts) {
    manifests.clear();
    RepoUpdates updates = new RepoUpdates(files, ids);
    return updates
        .read()
        .flatMap(
            read -> {
              read.state().checkWritable("the garbage collection");
              return keep(read.state())
                  .flatMap(
                      keep ->
                          mark(keep.marked())
                              .then(Mono.defer(this::markFirst))
                              .then(
                                  Mono.defer(
                                      () -> drop(updates, keep, dropped(read.state(), keep)))));
            })
        .onErrorResume(
            Restart.class,
            e ->
                restarts < MOST_RESTARTS
                    ? Mono.defer(() -> attempt(ids, restarts + 1))
                    : Mono.error(
                        () ->
                            new StoreException(
                                "the garbage was not collected, because others changed branches and"
                                    + " tags all the time; nothing was erased: "
                                    + e.getMessage(),
                                Location.UNKNOWN)));
  }

  /**
   * The snapshots that stay.
   *
   * @param all of them
   * @param marked those whose manifests are needed
   */
  private record Keep(Set<String> all, Set<String> marked) {}

  /** Emits those that a branch or a tag leads to, or that are young. */
  private Mono<Keep> keep(RepoState state) {
    Set<String> marked = state.reachable();
    Set<String> others = new HashSet<>(state.snapshots());
    others.removeAll(marked);
    Flux<ListEntry.Key> young =
        others.isEmpty()
            ? Flux.empty()
            : files
                .store()
                .listValues(StorePrefix.of("snapshots/"))
                .filter(entry -> others.contains(entry.name()) && !isOld(entry));
    return young
        .doOnNext(entry -> marked.add(entry.name()))
        .then(
            Mono.fromSupplier(
                () -> {
                  Set<String> all = new HashSet<>(marked);
                  if (state.has(RepoState.FIRST_SNAPSHOT)) {
                    all.add(RepoState.FIRST_SNAPSHOT);
                  }
                  return new Keep(all, marked);
                }));
  }

  private static Set<String> dropped(RepoState state, Keep keep) {
    Set<String> dropped = new HashSet<>(state.snapshots());
    dropped.removeAll(keep.all());
    return dropped;
  }

  /** Notes the manifests that snapshots need. */
  private Mono<Void> mark(Set<String> snapshots) {
    return Concurrently.map(Flux.fromIterable(snapshots), SNAPSHOTS_TOGETHER, files::snapshot)
        .publishOn(IcechunkThreads.decoding(), 1)
        .doOnNext(this::mark)
        .then();
  }

  private void mark(SnapshotFile snapshot) {
    snapshot.manifestFiles().forEach((id, info) -> manifests.put(id, info.references()));
    for (int rank = 0; rank < snapshot.size(); rank++) {
      SnapshotFile.@Nullable ArrayNode array = snapshot.isArray(rank) ? snapshot.array(rank) : null;
      for (int i = 0; array != null && i < array.manifests(); i++) {
        manifests.putIfAbsent(array.manifest(i), LARGE);
      }
    }
  }

  /** Reads all manifests before anything is removed, and marks the chunks of the first part. */
  private Mono<Void> markFirst() {
    long all = manifests.values().stream().mapToLong(Long::longValue).sum();
    parts = (int) Math.min(1 << 16, 1 + all / mostMarked);
    first = new ObjectIdSet();
    markedManifests.clear();
    return markMore();
  }

  private Mono<Void> markMore() {
    Set<String> more = new HashSet<>(manifests.keySet());
    more.removeAll(markedManifests);
    markedManifests.addAll(more);
    return markChunks(first, more, 0);
  }

  /** Takes snapshots out of the info, looks at those that were added meanwhile, and erases. */
  private Mono<Map<String, Erased>> drop(RepoUpdates updates, Keep keep, Set<String> dropped) {
    Mono<RepoState> now =
        dropped.isEmpty()
            ? updates.read().map(RepoUpdates.Read::state)
            : updates.run(
                "the garbage collection",
                state -> {
                  checkUnused(state, keep, dropped);
                  Set<String> there = new HashSet<>(dropped);
                  there.retainAll(state.snapshots());
                  state.remove(there);
                  return Mono.just(
                      new RepoUpdates.Change<>(
                          state,
                          Map.of(),
                          (changed, backup) -> {
                            changed.logCollection(backup);
                            return changed;
                          }));
                });
    return now.flatMap(
        state -> {
          Set<String> added = new HashSet<>(state.snapshots());
          added.removeAll(keep.all());
          return mark(added)
              .then(Mono.defer(this::markMore))
              .then(Mono.defer(() -> erase(Needed.of(state), state.copyBefore(), false)));
        });
  }

  /** Throws an error where what is to be removed is needed by what has come since. */
  private static void checkUnused(RepoState state, Keep keep, Set<String> dropped) {
    for (Map<String, String> refs : List.of(state.branches(), state.tags())) {
      if (refs.values().stream().anyMatch(dropped::contains)) {
        throw new Restart();
      }
    }
    for (String snapshot : state.snapshots()) {
      String parent = state.parent(snapshot);
      if (parent != null
          && dropped.contains(parent)
          && !keep.all().contains(snapshot)
          && !dropped.contains(snapshot)) {
        throw new Restart();
      }
    }
  }

  // ---- erasing

  private Mono<Map<String, Erased>> erase(
      Needed needed, @Nullable String copyBefore, boolean isDryRun) {
    Set<String> copies = new HashSet<>(needed.copies());
    List<Mono<Void>> steps =
        List.of(
            eraseIds("snapshots", id -> !needed.snapshots().contains(id), isDryRun),
            eraseIds("transactions", id -> !needed.logs().contains(id), isDryRun),
            eraseIds("manifests", id -> !manifests.containsKey(id), isDryRun),
            eraseChunks(isDryRun),
            erase("attributes", name -> true, isDryRun),
            earlierCopies(copyBefore, copies)
                .then(
                    Mono.defer(
                        () ->
                            erase(
                                "overwritten",
                                name -> isCopy(name) && !copies.contains(name),
                                isDryRun))));
    return Flux.concat(steps).then(Mono.fromSupplier(() -> new LinkedHashMap<>(counted)));
  }

  /** Adds the copies that have the earlier parts of the log, each of which names the next. */
  private Mono<Void> earlierCopies(@Nullable String name, Set<String> copies) {
    if (name == null) {
      return Mono.empty();
    }
    String key = Cleanup.copy(name).value();
    return files
        .store()
        .get(StoreKey.of(key), ByteRange.whole(files.options().maxFileBytes()))
        .publishOn(IcechunkThreads.decoding())
        .map(file -> files.decode(file, key, (bytes, at, most) -> RepoState.read(bytes, most)))
        .flatMap(
            state -> {
              String next = state.copyBefore();
              return next != null && copies.add(next) ? earlierCopies(next, copies) : Mono.empty();
            });
  }

  private static boolean isCopy(String name) {
    return name.startsWith("repo.") || name.startsWith("config.yaml.");
  }

  private Mono<Void> eraseIds(String directory, Predicate<String> isGarbage, boolean isDryRun) {
    return erase(directory, name -> Base32.isObjectId(name) && isGarbage.test(name), isDryRun);
  }

  /**
   * Erases chunks that no manifest refers to. Where their ids do not fit into memory, they are
   * divided at random, and the manifests and the listing are read once for each part.
   */
  private Mono<Void> eraseChunks(boolean isDryRun) {
    return Flux.defer(() -> Flux.range(0, parts))
        .concatMap(
            part -> {
              ObjectIdSet marked = part == 0 ? first : new ObjectIdSet();
              Set<String> unread = part == 0 ? Set.of() : manifests.keySet();
              return markChunks(marked, unread, part)
                  .then(
                      Mono.defer(
                          () -> eraseIds("chunks", id -> isUnmarked(id, marked, part), isDryRun)));
            },
            1)
        .then();
  }

  private boolean isIn(int last, int part) {
    return Integer.remainderUnsigned(last, parts) == part;
  }

  private boolean isUnmarked(String id, ObjectIdSet marked, int part) {
    int last = ObjectIds.last(id);
    return isIn(last, part) && !marked.contains(ObjectIds.first(id), last);
  }

  private Mono<Void> markChunks(ObjectIdSet marked, Set<String> unread, int part) {
    List<String> small = new ArrayList<>();
    List<String> large = new ArrayList<>();
    unread.forEach(id -> (manifests.getOrDefault(id, LARGE) < LARGE ? small : large).add(id));
    return Flux.concat(
            List.of(
                Concurrently.map(Flux.fromIterable(small), MANIFESTS_TOGETHER, files::manifest),
                Concurrently.map(Flux.fromIterable(large), 1, files::manifest)))
        .publishOn(IcechunkThreads.decoding(), 1)
        .doOnNext(manifest -> mark(manifest, marked, part))
        .then();
  }

  private void mark(ManifestFile manifest, ObjectIdSet marked, int part) {
    for (long node : manifest.nodes()) {
      ManifestFile.@Nullable References references = manifest.of(node);
      for (int at = 0; references != null && at < references.size(); at++) {
        if (references.isObject(at)) {
          int last = references.objectLast(at);
          if (isIn(last, part)) {
            marked.add(references.objectFirst(at), last);
          }
        }
      }
    }
  }

  private Mono<Void> erase(String directory, Predicate<String> isGarbage, boolean isDryRun) {
    return Mono.defer(
        () -> {
          AtomicLong count = new AtomicLong();
          AtomicLong bytes = new AtomicLong();
          Flux<StoreKey> garbage =
              files
                  .store()
                  .listValues(StorePrefix.of(directory + "/"))
                  .filter(
                      entry ->
                          isGarbage.test(entry.key().value().substring(directory.length() + 1))
                              && isOld(entry))
                  .doOnNext(
                      entry -> {
                        count.incrementAndGet();
                        bytes.addAndGet(Math.max(0, entry.size()));
                      })
                  .map(ListEntry.Key::key);
          return (isDryRun ? garbage.then() : files.store().eraseValues(garbage))
              .then(Mono.fromRunnable(() -> count(directory, count.get(), bytes.get())));
        });
  }

  private void count(String directory, long count, long bytes) {
    counted.merge(
        directory,
        new Erased(count, bytes),
        (one, other) -> new Erased(one.count() + other.count(), one.bytes() + other.bytes()));
  }

  private boolean isOld(ListEntry.Key entry) {
    Instant modified = entry.modified();
    if (modified == null) {
      throw new StoreCapabilityException(
          files.store()
              + " does not tell when its values were written, without which an object that a"
              + " session has just stored cannot be told from garbage; use a store on files, S3,"
              + " Google Cloud Storage or Azure",
          Location.ofKey(entry.key().value()));
    }
    return modified.isBefore(before);
  }
}
