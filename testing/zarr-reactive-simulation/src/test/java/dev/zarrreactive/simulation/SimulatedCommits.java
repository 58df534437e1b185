package dev.zarrreactive.simulation;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.CommitConflictException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.icechunk.ChunkConflicts;
import dev.zarrreactive.icechunk.Icechunk;
import dev.zarrreactive.icechunk.IcechunkCleanup;
import dev.zarrreactive.icechunk.IcechunkCommit;
import dev.zarrreactive.icechunk.IcechunkRepository;
import dev.zarrreactive.icechunk.IcechunkSession;
import dev.zarrreactive.icechunk.IcechunkVersion;
import dev.zarrreactive.internal.icechunk.NodeRecord;
import dev.zarrreactive.internal.icechunk.RepoFile;
import dev.zarrreactive.internal.icechunk.RepoState;
import dev.zarrreactive.internal.icechunk.SnapshotEntry;
import dev.zarrreactive.internal.icechunk.SnapshotWriter;
import dev.zarrreactive.internal.icechunk.TransactionWriter;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.simulation.PlannedOperation.Kind;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * An Icechunk repository that is far away, to which operations commit, and whose branches and tags
 * they change. It watches each change of a file as it arrives: a file never changes but the info of
 * the repository, whose history only grows, by one commit on top of a branch at a time. It knows
 * what each snapshot has, because it knows what each operation changes. Only a cleanup takes
 * snapshots out of the history: old ones, and those that no branch and no tag leads to; and only
 * what the history does not need is erased.
 *
 * <p>An operation follows from its number alone. A commit writes or erases some chunks, and may
 * make a group or change the document of the array.
 */
final class SimulatedCommits {
  private static final String MAIN = "main";
  private static final String DOCUMENT = "a/zarr.json";
  private static final int CHUNKS = 6;

  /** The size of a chunk that becomes an object, which one that is inline is below. */
  private static final int LARGE = 600;

  /** How errors tell of a snapshot, or of a file, that is not there any more. */
  private static final Pattern MISSING =
      Pattern.compile("(snapshots|transactions|manifests|chunks|overwritten)/|it may have expired");

  private static final long MOST_BYTES = 1 << 20;

  private final Simulation run;
  private final Store files = new Watched(MemoryStore.create());
  private final Map<Integer, IcechunkRepository> known = new HashMap<>();

  /** What each snapshot has: the texts of its values by their keys. */
  private final Map<String, Map<String, String>> contents = new HashMap<>();

  /** The keys that the log of each snapshot has. */
  private final Map<String, Set<String>> touched = new HashMap<>();

  /** The snapshot that the session of an operation began at, and the id that it was given. */
  private final Map<Integer, String> bases = new HashMap<>();

  /** How often each branch has moved, and how often that of an operation had when it began. */
  private final Map<String, Integer> moves = new HashMap<>();

  private final Map<Integer, Integer> movesBefore = new HashMap<>();
  private final Map<Integer, String> acknowledged = new HashMap<>();
  private final Set<Integer> failed = new HashSet<>();
  private @Nullable RepoFile info;

  /** When each file was written, which listings tell. */
  private final Map<StoreKey, Instant> written = new HashMap<>();

  /** The time before which snapshots may have expired; none before an expiration begins. */
  private Instant expired = Instant.MIN;

  private boolean isCleaned;

  /** The snapshots that a cleanup has taken out of the history. */
  private final Set<String> gone = new HashSet<>();

  /** The parent that each snapshot had when it was committed, whatever has expired since. */
  private final Map<String, String> lineage = new HashMap<>();

  private int erased;

  /** How many files had been erased, and snapshots removed, when an operation began. */
  private final Map<Integer, Integer> erasedBefore = new HashMap<>();

  SimulatedCommits(Simulation run) {
    this.run = run;
    SnapshotEntry first =
        new SnapshotEntry(
            RepoState.FIRST_SNAPSHOT,
            null,
            Instant.EPOCH,
            "Repository initialized",
            JsonObject.EMPTY);
    List<NodeRecord> nodes =
        List.of(
            new NodeRecord(
                1,
                "/a",
                Bytes.utf8(document(0)),
                new NodeRecord.Grid(
                    List.of((long) CHUNKS), List.of((long) CHUNKS), null, List.of()),
                null));
    contents.put(first.id(), new TreeMap<>(Map.of(DOCUMENT, document(0))));
    touched.put(first.id(), Set.of());
    put("snapshots/" + first.id(), SnapshotWriter.write(first, nodes, List.of()));
    put("transactions/" + first.id(), new TransactionWriter(first.id()).finish());
    put("repo", RepoState.first(first).write());
  }

  private void put(String key, Bytes file) {
    Immediately.get(files.set(StoreKey.of(key), file));
  }

  /** The files, which need no time. */
  Store files() {
    return files;
  }

  // ---- what operations do

  /** What an operation does, from its number. */
  private record Plan(
      int id,
      String branch,
      boolean isAmendment,
      ChunkConflicts conflicts,
      Map<String, @Nullable String> changes,
      long pauseMillis) {}

  private Plan plan(PlannedOperation operation) {
    SplittableRandom chance =
        new SplittableRandom(31 * run.scenario().seed() + operation.id()).split();
    int id = operation.id();
    String branch = branch(chance);
    ChunkConflicts conflicts =
        ChunkConflicts.values()[chance.nextInt(ChunkConflicts.values().length)];
    Map<String, @Nullable String> changes = new LinkedHashMap<>();
    if (id >= Epilogue.FIRST_ID) {
      branch = MAIN;
    }
    if (chance.nextInt(8) == 0) {
      changes.put(DOCUMENT, document(id));
    }
    for (int i = chance.nextInt(4); i > 0; i--) {
      String value = "v" + id + "." + i;
      changes.put(
          "a/c/" + chance.nextInt(CHUNKS),
          chance.nextInt(6) == 0 ? null : chance.nextBoolean() ? value : value + ".".repeat(LARGE));
    }
    if (changes.isEmpty() || chance.nextInt(4) == 0) {
      changes.put("g" + id + "/zarr.json", "{\"zarr_format\":3,\"node_type\":\"group\"}");
    }
    return new Plan(
        id,
        branch,
        operation.kind() == Kind.AMEND,
        conflicts,
        changes,
        chance.nextInt(3) == 0 ? chance.nextInt(500) : 0);
  }

  private static String branch(SplittableRandom chance) {
    return chance.nextInt(3) == 0 ? "b" + chance.nextInt(2) : MAIN;
  }

  private static String document(int id) {
    return "{\"zarr_format\":3,\"node_type\":\"array\",\"shape\":["
        + CHUNKS
        + "],\"data_type\":\"uint8\",\"fill_value\":0,\"chunk_grid\":{\"name\":\"regular\","
        + "\"configuration\":{\"chunk_shape\":[1]}},\"chunk_key_encoding\":{\"name\":\"default\"},"
        + "\"codecs\":[{\"name\":\"bytes\"}],\"attributes\":{\"by\":"
        + id
        + "}}";
  }

  /** Does what is planned, over a store of the files. */
  Flux<?> work(PlannedOperation operation, Store far) {
    movesBefore.put(operation.id(), moves.getOrDefault(plan(operation).branch(), 0));
    erasedBefore.put(operation.id(), erased + gone.size());
    Mono<IcechunkRepository> opened =
        Mono.defer(
                () -> {
                  IcechunkRepository before = known.get(operation.hierarchy());
                  return before == null ? Icechunk.open(far) : before.refresh();
                })
            .doOnNext(repository -> known.put(operation.hierarchy(), repository));
    return switch (operation.kind()) {
      case COMMIT, AMEND -> opened.flatMap(repository -> commit(repository, operation)).flux();
      case REF -> opened.flatMap(repository -> changeRef(repository, operation)).flux();
      case CLEAN -> opened.flatMap(repository -> clean(repository, operation)).flux();
      default -> opened.flatMap(repository -> look(repository, operation)).flux();
    };
  }

  private Mono<String> commit(IcechunkRepository repository, PlannedOperation operation) {
    Plan plan = plan(operation);
    String message = "#" + plan.id();
    IcechunkCommit commit =
        (plan.isAmendment() ? IcechunkCommit.amendment(message) : IcechunkCommit.of(message))
            .withChunkConflicts(plan.conflicts());
    return repository
        .session(plan.branch())
        .flatMap(
            session -> {
              bases.put(plan.id(), session.snapshot());
              return Flux.fromIterable(plan.changes().entrySet())
                  .concatMap(change -> change(session, change.getKey(), change.getValue()), 1)
                  .then(
                      plan.pauseMillis() == 0
                          ? Mono.empty()
                          : Mono.delay(
                                  Duration.ofMillis(plan.pauseMillis()),
                                  Environment.current().timer())
                              .then())
                  .then(Mono.defer(() -> session.commit(commit)));
            });
  }

  private static Mono<Void> change(IcechunkSession session, String key, @Nullable String value) {
    return value == null
        ? session.erase(StoreKey.of(key))
        : session.set(StoreKey.of(key), Bytes.utf8(value));
  }

  private Mono<String> changeRef(IcechunkRepository repository, PlannedOperation operation) {
    SplittableRandom chance =
        new SplittableRandom(37 * run.scenario().seed() + operation.id()).split();
    String branch = "b" + chance.nextInt(2);
    IcechunkVersion from = IcechunkVersion.branch(branch(chance));
    Mono<IcechunkRepository> change =
        switch (chance.nextInt(6)) {
          case 0, 1 -> repository.createBranch(branch, from);
          case 2 -> repository.resetBranch(chance.nextBoolean() ? MAIN : branch, from);
          case 3 -> repository.deleteBranch(branch);
          case 4 -> repository.createTag("t" + operation.id(), from);
          default ->
              repository
                  .createTag("t" + operation.id(), from)
                  .flatMap(now -> now.deleteTag("t" + operation.id()));
        };
    return change.thenReturn("changed");
  }

  /** Expires snapshots, collects garbage, or both. */
  private Mono<String> clean(IcechunkRepository repository, PlannedOperation operation) {
    return Mono.defer(
        () -> {
          SplittableRandom chance =
              new SplittableRandom(43 * run.scenario().seed() + operation.id()).split();
          IcechunkCleanup wanted = IcechunkCleanup.nothing();
          int kind = chance.nextInt(4);
          if (kind > 0) {
            Instant before = someTime(chance);
            wanted = wanted.withExpiration(before);
            expired = before.isAfter(expired) ? before : expired;
          }
          if (kind != 1) {
            wanted = wanted.withCollection(oldestSession()).withYoungObjects(true);
          }
          isCleaned = true;
          return repository.clean(wanted).thenReturn("cleaned");
        });
  }

  /** Returns a time from that of the oldest snapshot on. */
  private Instant someTime(SplittableRandom chance) {
    RepoFile now = Objects.requireNonNull(info);
    Instant time = now.entry(chance.nextInt(now.size())).time();
    return time.plus(Duration.ofNanos(1_000L * chance.nextInt(2)));
  }

  /**
   * Returns the time at which the oldest session began that may still be committed: that of a
   * caller who has not been told that his commit has taken place. It stands for the day that a
   * session has in the world.
   */
  private Instant oldestSession() {
    long now = run.time().now();
    long oldest = now;
    for (RunningOperation each : run.operations()) {
      Kind kind = each.plan().kind();
      boolean mayCommit =
          (kind == Kind.COMMIT || kind == Kind.AMEND)
              && bases.containsKey(each.plan().id())
              && !acknowledged.containsKey(each.plan().id());
      if (mayCommit) {
        oldest = Math.min(oldest, each.began());
      }
    }
    return Environment.current().now().minusNanos(now - oldest);
  }

  /** What a reader has found in a snapshot. */
  record Found(String snapshot, Map<String, String> values) {}

  private Mono<Found> look(IcechunkRepository repository, PlannedOperation operation) {
    SplittableRandom chance =
        new SplittableRandom(41 * run.scenario().seed() + operation.id()).split();
    return repository
        .snapshot(
            IcechunkVersion.branch(operation.id() >= Epilogue.FIRST_ID ? MAIN : branch(chance)))
        .flatMap(
            snapshot ->
                repository
                    .store(IcechunkVersion.snapshot(snapshot.id()))
                    .flatMap(SimulatedCommits::values)
                    .map(values -> new Found(snapshot.id(), values)));
  }

  private static Mono<Map<String, String>> values(Store version) {
    return version
        .listPrefix(StorePrefix.ROOT)
        .filter(key -> !key.value().equals("zarr.json"))
        .concatMap(key -> version.get(key).map(value -> Map.entry(key.value(), text(value))), 1)
        .collectMap(Map.Entry::getKey, Map.Entry::getValue);
  }

  private static String text(Bytes value) {
    return new String(value.toByteArray(), StandardCharsets.UTF_8);
  }

  // ---- what arrives

  /** Files that tell each change of theirs. */
  private final class Watched extends DelegatingStore {
    Watched(Store delegate) {
      super(delegate);
    }

    @Override
    public Mono<Void> set(StoreKey key, Bytes value) {
      return set(key, value, Precondition.NONE);
    }

    @Override
    public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
      return Mono.defer(
          () -> {
            boolean isInfo = key.value().equals(RepoFile.KEY);
            Bytes before = isInfo ? null : Immediately.get(delegate().get(key));
            if (before != null && !before.equals(value)) {
              broken(null, key + " is replaced by another file");
            }
            return delegate()
                .set(key, value, precondition)
                .doOnSuccess(
                    done -> {
                      written.put(key, Environment.current().now());
                      if (isInfo) {
                        replaced(RepoFile.read(value, MOST_BYTES));
                      }
                    });
          });
    }

    @Override
    public Mono<Void> erase(StoreKey key) {
      return Mono.defer(
          () -> {
            int slash = key.value().indexOf('/');
            String directory = key.value().substring(0, Math.max(0, slash));
            boolean isOfSnapshot =
                directory.equals("snapshots") || directory.equals("transactions");
            if (!isCleaned
                || slash < 0
                || (isOfSnapshot
                    && Objects.requireNonNull(info).find(key.value().substring(slash + 1)) >= 0)) {
              broken(null, key + " is erased");
            }
            erased++;
            return delegate().erase(key);
          });
    }

    @Override
    public Flux<ListEntry.Key> listValues(StorePrefix prefix) {
      return delegate().listValues(prefix).map(entry -> entry.modifiedAt(written.get(entry.key())));
    }
  }

  private void broken(@Nullable RunningOperation operation, String what) {
    run.found(Rule.HISTORY, operation, what);
  }

  private static Map<String, String> named(RepoFile info, Map<String, Integer> refs) {
    Map<String, String> named = new TreeMap<>();
    refs.forEach((name, place) -> named.put(name, info.id(place)));
    return named;
  }

  private static @Nullable String parent(RepoFile info, String id) {
    return info.entry(info.find(id)).parent();
  }

  /** Judges the info of the repository that takes the place of another one. */
  private void replaced(RepoFile next) {
    RepoFile before = info;
    info = next;
    if (before == null) {
      return;
    }
    Set<String> removed = removed(before, next);
    for (int i = 0; i < before.size(); i++) {
      int now = next.find(before.id(i));
      if (now < 0 && !removed.contains(before.id(i))) {
        broken(null, "the snapshot " + before.entry(i) + " is gone");
        return;
      }
      if (now >= 0 && !next.entry(now).equals(after(before.entry(i), removed))) {
        broken(null, before.entry(i) + " has become " + next.entry(now));
        return;
      }
    }
    Map<String, String> branches = named(next, next.branches());
    Map<String, String> branchesBefore = named(before, before.branches());
    Map<String, String> tags = named(next, next.tags());
    Map<String, String> tagsBefore = named(before, before.tags());
    List<String> changed = new ArrayList<>();
    Set<String> names = new TreeSet<>(branches.keySet());
    names.addAll(branchesBefore.keySet());
    for (String name : names) {
      if (!Objects.equals(branches.get(name), branchesBefore.get(name))) {
        changed.add(name);
        moves.merge(name, 1, Integer::sum);
      }
    }
    Set<String> tagNames = new TreeSet<>(tags.keySet());
    tagNames.addAll(tagsBefore.keySet());
    for (String name : tagNames) {
      String then = tagsBefore.get(name);
      if (!Objects.equals(tags.get(name), then)) {
        if (then != null && tags.containsKey(name)) {
          broken(null, "the tag " + name + " moves");
        }
        changed.add("tag " + name);
      }
    }
    if (!removed.isEmpty()) {
      gone.addAll(removed);
      if (!changed.isEmpty() || next.size() + removed.size() != before.size()) {
        broken(null, "a cleanup changes " + changed + ", or adds a snapshot");
      }
      return;
    }
    if (changed.size() > 1) {
      broken(null, "one change of the info changes " + changed);
    } else if (next.size() > before.size() + 1
        || (next.size() > before.size() && changed.isEmpty())) {
      broken(null, "one change of the info adds several snapshots, or one of no branch");
    } else if (next.size() > before.size()) {
      String branch = changed.get(0);
      committed(next, branch, branchesBefore.get(branch), branches.get(branch));
    }
  }

  /**
   * Returns the snapshots that a cleanup has removed: old ones but the first and those that a
   * branch or a tag leads to, and any that none leads to, by way of others, either.
   */
  private Set<String> removed(RepoFile before, RepoFile next) {
    if (!isCleaned) {
      return Set.of();
    }
    Set<String> tips = new HashSet<>(named(before, before.branches()).values());
    tips.addAll(named(before, before.tags()).values());
    Set<String> reachable = new HashSet<>();
    for (String tip : tips) {
      for (String at = tip; at != null && reachable.add(at); ) {
        at = parent(before, at);
      }
    }
    Set<String> removed = new HashSet<>();
    for (int i = 0; i < before.size(); i++) {
      SnapshotEntry entry = before.entry(i);
      boolean isGarbage =
          !reachable.contains(entry.id())
              || (entry.time().isBefore(expired) && !tips.contains(entry.id()));
      if (next.find(entry.id()) < 0 && isGarbage && !entry.id().equals(RepoState.FIRST_SNAPSHOT)) {
        removed.add(entry.id());
      }
    }
    return removed;
  }

  /** What a snapshot is told as after others were removed: it may follow the first one. */
  private static SnapshotEntry after(SnapshotEntry entry, Set<String> removed) {
    return entry.parent() != null && removed.contains(entry.parent())
        ? new SnapshotEntry(
            entry.id(), RepoState.FIRST_SNAPSHOT, entry.time(), entry.message(), entry.metadata())
        : entry;
  }

  /** Judges a snapshot that has become the tip of a branch. */
  private void committed(
      RepoFile now, String branch, @Nullable String tip, @Nullable String snapshot) {
    if (tip == null || snapshot == null || contents.containsKey(snapshot)) {
      broken(null, "a snapshot is added, and no branch goes on to it");
      return;
    }
    RunningOperation operation = committer(now.entry(now.find(snapshot)).message());
    Plan plan = plan(operation.plan());
    String wantedParent = plan.isAmendment() ? parent(now, tip) : tip;
    if (!plan.branch().equals(branch) || !Objects.equals(parent(now, snapshot), wantedParent)) {
      broken(operation, operation + " goes on from another snapshot than the tip of " + branch);
      return;
    }
    lineage.put(snapshot, Objects.requireNonNull(wantedParent));
    Set<String> theirs = between(operation, tip);
    if (theirs == null) {
      return;
    }
    Map<String, String> values = new TreeMap<>(contents.get(tip));
    Set<String> mine = new TreeSet<>();
    plan.changes()
        .forEach(
            (key, value) -> {
              if (value == null && !contents.get(bases.get(plan.id())).containsKey(key)) {
                return; // to erase what is missing changes nothing
              }
              boolean isDocument = key.equals(DOCUMENT);
              boolean isChunk = key.startsWith("a/c/");
              boolean isDouble = theirs.contains(key);
              if ((isChunk && theirs.contains(DOCUMENT))
                  || (isDouble && (isDocument || plan.conflicts() == ChunkConflicts.FAIL))) {
                broken(operation, operation + " is committed over a conflict at " + key);
              }
              if (isDouble && plan.conflicts() == ChunkConflicts.THEIRS) {
                return;
              }
              mine.add(key);
              if (value == null) {
                values.remove(key);
              } else {
                values.put(key, value);
              }
            });
    if (plan.isAmendment()) {
      mine.addAll(touched.get(tip));
    }
    contents.put(snapshot, values);
    touched.put(snapshot, mine);
  }

  private RunningOperation committer(String message) {
    return run.operations().stream()
        .filter(each -> message.equals("#" + each.plan().id()))
        .findFirst()
        .orElseThrow(() -> new AssertionError("nobody commits " + message));
  }

  /**
   * The keys that commits have changed since a session began; null where that is no ancestor. A
   * session that has seen them may have done so before some of them expired.
   */
  private @Nullable Set<String> between(RunningOperation operation, String tip) {
    String base = bases.get(operation.plan().id());
    Set<String> theirs = new HashSet<>();
    for (String at = tip; !at.equals(base); ) {
      theirs.addAll(touched.get(at));
      String parent = lineage.get(at);
      if (parent == null) {
        broken(operation, operation + " began at " + base + ", which is no ancestor of " + tip);
        return null;
      }
      at = parent;
    }
    if (operation.plan().kind() == Kind.AMEND && !tip.equals(base)) {
      broken(operation, operation + " takes the place of a commit that it has not seen");
      return null;
    }
    return theirs;
  }

  // ---- what callers are told

  /** Judges what an operation emits. */
  void told(RunningOperation operation, Object value) {
    if (value instanceof Found found) {
      if (!gone.contains(found.snapshot())
          && !found.values().equals(contents.get(found.snapshot()))) {
        broken(
            operation,
            operation
                + " found in "
                + found.snapshot()
                + " "
                + shown(found.values())
                + " instead of "
                + shown(contents.get(found.snapshot())));
      }
    } else if (operation.plan().kind() == Kind.COMMIT || operation.plan().kind() == Kind.AMEND) {
      acknowledged.put(operation.plan().id(), (String) value);
    }
  }

  private static String shown(@Nullable Map<String, String> values) {
    return String.valueOf(values).replaceAll("\\.{9,}", "…").replaceAll("\\{\"zarr[^=]*\\}", "{…}");
  }

  /** Returns true for an error that an operation may end in. */
  boolean isExpected(RunningOperation operation, Throwable error) {
    boolean wereFaults = run.requests().lastFault() >= operation.oldestBegan();
    boolean isUnknown = String.valueOf(error.getMessage()).contains("may have taken place or not");
    if (!isUnknown) {
      failed.add(operation.plan().id());
    }
    if (error instanceof TransientStoreException || isUnknown) {
      return wereFaults;
    }
    if (error instanceof CommitConflictException) {
      return wasOvertaken(operation) || wasCleaned(operation);
    }
    String message = String.valueOf(error.getMessage());
    if (!(error instanceof StoreException)) {
      return false;
    }
    if (wasCleaned(operation) && MISSING.matcher(message).find()) {
      return true;
    }
    return message.contains("branch \"b") // it is missing, or there already
        || (operation.plan().kind() != Kind.REF && message.contains("nothing to commit"))
        || (operation.plan().kind() == Kind.AMEND && message.contains("the first snapshot"));
  }

  /** Returns true where snapshots or files have been removed since an operation began. */
  private boolean wasCleaned(RunningOperation operation) {
    return erased + gone.size() > erasedBefore.get(operation.plan().id());
  }

  /** Returns true where the branch of a commit has gone on, or elsewhere, since it began. */
  private boolean wasOvertaken(RunningOperation operation) {
    int id = operation.plan().id();
    return moves.getOrDefault(plan(operation.plan()).branch(), 0) > movesBefore.get(id);
  }

  /** Judges the end of a run: who was told of a commit finds it, once, and all it has. */
  void judge() {
    RepoFile now = Objects.requireNonNull(info);
    Map<String, List<String>> byMessage = new HashMap<>();
    for (int i = 0; i < now.size(); i++) {
      byMessage
          .computeIfAbsent(now.entry(i).message(), message -> new ArrayList<>())
          .add(now.id(i));
    }
    for (RunningOperation operation : run.operations()) {
      int id = operation.plan().id();
      List<String> stored = byMessage.getOrDefault("#" + id, List.of());
      String told = acknowledged.get(id);
      if (stored.size() > 1
          || (told != null && !stored.equals(gone.contains(told) ? List.of() : List.of(told)))
          || (failed.contains(id) && !stored.isEmpty())) {
        broken(
            operation,
            operation
                + " is in the history as "
                + stored
                + (told == null ? ", and has failed" : ", and was told " + told));
      }
    }
    SimulatedEnvironment.withoutTime(
        () -> {
          IcechunkRepository repository =
              Objects.requireNonNull(Immediately.get(Icechunk.open(files)));
          if (isCleaned) { // all that is left is needed
            Immediately.get(
                repository.clean(
                    IcechunkCleanup.nothing().withCollection(Instant.MAX).withYoungObjects(true)));
          }
          for (String id : contents.keySet()) {
            if (gone.contains(id)) {
              continue;
            }
            Map<String, String> values;
            try {
              values =
                  Immediately.get(
                      repository
                          .store(IcechunkVersion.snapshot(id))
                          .flatMap(SimulatedCommits::values));
            } catch (StoreException e) {
              broken(null, "in the end a snapshot cannot be read: " + e.getMessage());
              continue;
            }
            if (!contents.get(id).equals(values)) {
              broken(
                  null,
                  "in the end the snapshot "
                      + now.entry(now.find(id)).message()
                      + " has "
                      + shown(values)
                      + " instead of "
                      + shown(contents.get(id)));
            }
          }
          List<?> faults = Immediately.get(repository.checkHistory().collectList());
          if (faults == null || !faults.isEmpty()) {
            broken(null, "a check of the repository finds " + faults);
          }
        });
  }
}
