package dev.zarrreactive.internal.icechunk;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.icechunk.RepoUpdate.Kind;
import dev.zarrreactive.internal.icechunk.RepoUpdate.SnapshotId;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The info of a repository of version 2 as it is changed and written again. What this library has
 * no use for is carried over as it is. Each change is one entry in the log. Not thread-safe.
 */
public final class RepoState {
  /** The id of the first snapshot of every repository. */
  public static final String FIRST_SNAPSHOT = "1CECHNKREP0F1RSTCMT0";

  private static final int SPEC_VERSION = 2;
  private static final int MOST_UPDATES = 1_000;
  private static final int SLOTS = 13;
  private static final String MAIN = "main";

  private final NavigableMap<String, String> branches = new TreeMap<>(Orders.BY_BYTES);
  private final NavigableMap<String, String> tags = new TreeMap<>(Orders.BY_BYTES);
  private final NavigableSet<String> deletedTags = new TreeSet<>(Orders.BY_BYTES);

  /** In the order of the file, which is that of their ids where nothing was added. */
  private final Map<String, Snapshot> snapshots = new LinkedHashMap<>();

  private final List<RepoUpdate> updates = new ArrayList<>();
  private Status status = new Status(0, 0, null);
  private long micros;
  private @Nullable Map<String, Bytes> metadata;
  private @Nullable String before;
  private @Nullable Bytes config;
  private int @Nullable [] enabled;
  private int @Nullable [] disabled;
  private @Nullable Bytes extra;

  private RepoState() {}

  /**
   * The status of a repository.
   *
   * @param availability 0 for online, 1 for read-only, 2 for offline
   */
  record Status(int availability, long micros, @Nullable String reason) {
    static Status read(FlatBuffer buffer, int table) {
      return new Status(buffer.u8(table, 0, 0), buffer.u64(table, 1), buffer.string(table, 2));
    }

    int write(FlatBufferWriter out) {
      int text = reason == null ? FlatBufferWriter.ABSENT : out.string(reason);
      out.startTable(3);
      out.u64(1, micros);
      out.offset(2, text);
      out.u8(0, availability);
      return out.endTable();
    }
  }

  /** A snapshot in the history; {@code parent} is null for the first one. */
  private record Snapshot(
      @Nullable String parent,
      long micros,
      String message,
      @Nullable Map<String, Bytes> metadata,
      List<String> pruned) {}

  /** The info of a new repository, which has its first snapshot and the branch main. */
  public static RepoState first(SnapshotEntry snapshot) {
    RepoState state = new RepoState();
    state.status = new Status(0, SnapshotWriter.micros(snapshot.time()), null);
    state.add(snapshot);
    state.branches.put(MAIN, snapshot.id());
    state.updates.add(
        new RepoUpdate(
            Kind.REPO_INITIALIZED, List.of(), SnapshotWriter.micros(snapshot.time()), null));
    return state;
  }

  /**
   * Reads the info of a repository.
   *
   * @param maxBytes the most bytes that it may have decompressed
   */
  public static RepoState read(Bytes file, long maxBytes) {
    FlatBuffer buffer = FileEnvelope.open(file, FileType.REPO, RepoFile.KEY, maxBytes).payload();
    int root = buffer.root();
    int declared = buffer.u8(root, 0, 0);
    if (declared > SPEC_VERSION) {
      throw new UnsupportedFeatureException(
          "a repository of version "
              + declared
              + " of the Icechunk specification; version 2 is written",
          Location.ofKey(RepoFile.KEY));
    }
    RepoState state = new RepoState();
    List<String> ids = state.readSnapshots(buffer, root);
    readRefs(buffer, root, 1, ids, state.tags);
    readRefs(buffer, root, 2, ids, state.branches);
    int deleted = buffer.vector(root, 3, 4);
    for (int i = 0; i < buffer.length(deleted); i++) {
      state.deletedTags.add(buffer.stringIn(deleted, i));
    }
    state.status = Status.read(buffer, buffer.table(root, 5, "status"));
    state.metadata = items(buffer, root, 6);
    int log = buffer.vector(root, 7, 4);
    for (int i = 0; i < buffer.length(log); i++) {
      state.updates.add(RepoUpdate.read(buffer, buffer.tableIn(log, i)));
    }
    state.before = buffer.string(root, 8);
    state.config = buffer.bytes(root, 9);
    state.enabled = numbers(buffer, root, 10);
    state.disabled = numbers(buffer, root, 11);
    state.extra = buffer.bytes(root, 12);
    return state;
  }

  private List<String> readSnapshots(FlatBuffer buffer, int root) {
    int vector = buffer.vector(root, 4, 4, "snapshots");
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < buffer.length(vector); i++) {
      ids.add(buffer.id12(buffer.struct(buffer.tableIn(vector, i), 0, 12, "id of a snapshot")));
    }
    for (int i = 0; i < ids.size(); i++) {
      int table = buffer.tableIn(vector, i);
      int parent = buffer.i32(table, 1, 0);
      if (parent >= ids.size()) {
        throw buffer.damaged("the parent of snapshot " + ids.get(i) + " is none");
      }
      int pruned = buffer.vector(table, 5, ObjectIds.BYTES);
      List<String> logs = new ArrayList<>();
      for (int at = 0; at < buffer.length(pruned); at++) {
        logs.add(buffer.id12(buffer.element(pruned, at, ObjectIds.BYTES)));
      }
      snapshots.put(
          ids.get(i),
          new Snapshot(
              parent < 0 ? null : ids.get(parent),
              buffer.u64(table, 2),
              buffer.string(table, 3, "message of a snapshot"),
              items(buffer, table, 4),
              logs));
    }
    return ids;
  }

  private static void readRefs(
      FlatBuffer buffer, int root, int slot, List<String> ids, Map<String, String> refs) {
    int vector = buffer.vector(root, slot, 4);
    for (int i = 0; i < buffer.length(vector); i++) {
      int table = buffer.tableIn(vector, i);
      long place = buffer.u32(table, 1);
      if (place >= ids.size()) {
        throw buffer.damaged("a branch or a tag leads to no snapshot");
      }
      refs.put(buffer.string(table, 0, "name of a reference"), ids.get((int) place));
    }
  }

  private static @Nullable Map<String, Bytes> items(FlatBuffer buffer, int table, int slot) {
    int vector = buffer.vector(table, slot, 4);
    if (vector == FlatBuffer.ABSENT) {
      return null;
    }
    Map<String, Bytes> items = new TreeMap<>(Orders.BY_BYTES);
    for (int i = 0; i < buffer.length(vector); i++) {
      int item = buffer.tableIn(vector, i);
      items.put(
          buffer.string(item, 0, "name of a metadata item"),
          buffer.bytes(item, 1, "value of a metadata item"));
    }
    return items;
  }

  private static int @Nullable [] numbers(FlatBuffer buffer, int root, int slot) {
    int vector = buffer.vector(root, slot, 2);
    if (vector == FlatBuffer.ABSENT) {
      return null;
    }
    int[] numbers = new int[buffer.length(vector)];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = buffer.u16(buffer.element(vector, i, 2));
    }
    return numbers;
  }

  /**
   * Throws an error where the repository takes no changes.
   *
   * @param change in words, such as {@code a commit}
   */
  public void checkWritable(String change) {
    if (status.availability() != 0) {
      String reason = status.reason();
      throw new StoreException(
          "the Icechunk repository refuses "
              + change
              + ": it is "
              + (status.availability() == 1 ? "read-only" : "offline")
              + " since "
              + Instant.EPOCH.plus(status.micros(), ChronoUnit.MICROS)
              + (reason == null ? "" : ": " + reason),
          Location.ofKey(RepoFile.KEY));
    }
  }

  /** Throws an error where a feature is switched off. */
  public void check(Feature feature) {
    int[] off = disabled;
    if (off != null && Arrays.stream(off).anyMatch(each -> each == feature.number())) {
      throw new StoreException(
          "the Icechunk repository refuses this change: its feature "
              + feature
              + " is switched off",
          Location.ofKey(RepoFile.KEY));
    }
  }

  /** The snapshots of the branches by name. */
  public Map<String, String> branches() {
    return Collections.unmodifiableMap(branches);
  }

  /** The snapshots of the tags by name. */
  public Map<String, String> tags() {
    return Collections.unmodifiableMap(tags);
  }

  /** Returns true for a tag that was deleted; its name is never used again. */
  public boolean isDeletedTag(String name) {
    return deletedTags.contains(name);
  }

  /** Returns true if a snapshot is in the history. */
  public boolean has(String snapshot) {
    return snapshots.containsKey(snapshot);
  }

  /** The time of a snapshot in microseconds since 1970. */
  public long micros(String snapshot) {
    return Objects.requireNonNull(snapshots.get(snapshot)).micros();
  }

  /** The snapshot before another one; null for the first one. */
  public @Nullable String parent(String snapshot) {
    return Objects.requireNonNull(snapshots.get(snapshot)).parent();
  }

  /**
   * The snapshots after {@code base} up to {@code tip}, oldest first; null where {@code tip} does
   * not come from {@code base}.
   */
  public @Nullable List<String> between(String base, String tip) {
    List<String> path = new ArrayList<>();
    String at = tip;
    while (!at.equals(base)) {
      Snapshot snapshot = snapshots.get(at);
      if (snapshot == null || path.size() > snapshots.size()) {
        return null;
      }
      path.add(0, at);
      String parent = snapshot.parent();
      if (parent == null) {
        return null;
      }
      at = parent;
    }
    return path;
  }

  /** The ids of the logs of a snapshot: those of snapshots that expired before it, then its own. */
  public List<String> logs(String snapshot) {
    List<String> logs = new ArrayList<>(Objects.requireNonNull(snapshots.get(snapshot)).pruned());
    logs.add(snapshot);
    return logs;
  }

  /** The configuration; empty where there is none. */
  public JsonObject config() {
    Bytes bytes = config;
    if (bytes == null) {
      return JsonObject.EMPTY;
    }
    JsonValue value =
        FlexBuffer.read(
            bytes,
            new DecodingBudget(
                problem -> new StoreException(problem, Location.ofKey(RepoFile.KEY))));
    return value instanceof JsonObject object ? object : JsonObject.EMPTY;
  }

  /** Switches features off. */
  void disable(int... numbers) {
    disabled = numbers;
  }

  /** Sets the configuration, in the form in which it is stored. */
  void configure(Bytes flexBuffer) {
    config = flexBuffer;
  }

  /** Returns true where the log has an entry that was made with this copy of the info. */
  public boolean wasMadeWith(String backup) {
    return backup.equals(before)
        || updates.stream().anyMatch(update -> backup.equals(update.backup()));
  }

  private void add(SnapshotEntry entry) {
    add(entry, List.of());
  }

  private void add(SnapshotEntry entry, List<String> pruned) {
    snapshots.put(
        entry.id(),
        new Snapshot(
            entry.parent(),
            SnapshotWriter.micros(entry.time()),
            entry.message(),
            SnapshotWriter.items(entry.metadata()),
            pruned));
  }

  /** Sets the time of the next change. */
  public void setTime(Instant now) {
    micros = SnapshotWriter.micros(now);
  }

  /** Adds a snapshot to a branch. */
  public void commit(String branch, SnapshotEntry entry, String backup) {
    add(entry);
    branches.put(branch, entry.id());
    log(Kind.NEW_COMMIT, List.of(branch, new SnapshotId(entry.id())), backup);
  }

  /** Puts a snapshot in the place of the last one of a branch, with the logs before that. */
  public void amend(String branch, SnapshotEntry entry, String backup) {
    String previous = Objects.requireNonNull(branches.put(branch, entry.id()));
    List<String> pruned = Objects.requireNonNull(snapshots.get(previous)).pruned();
    add(entry, pruned);
    log(
        Kind.COMMIT_AMENDED,
        List.of(branch, new SnapshotId(previous), new SnapshotId(entry.id())),
        backup);
  }

  /** Makes a branch. */
  public void createBranch(String name, String snapshot, String backup) {
    branches.put(name, snapshot);
    log(Kind.BRANCH_CREATED, List.of(name), backup);
  }

  /** Lets a branch lead to another snapshot. */
  public void resetBranch(String name, String snapshot, String backup) {
    String previous = Objects.requireNonNull(branches.put(name, snapshot));
    log(Kind.BRANCH_RESET, List.of(name, new SnapshotId(previous)), backup);
  }

  /** Deletes a branch. */
  public void deleteBranch(String name, String backup) {
    String previous = Objects.requireNonNull(branches.remove(name));
    log(Kind.BRANCH_DELETED, List.of(name, new SnapshotId(previous)), backup);
  }

  /** Makes a tag. */
  public void createTag(String name, String snapshot, String backup) {
    tags.put(name, snapshot);
    log(Kind.TAG_CREATED, List.of(name), backup);
  }

  /** Deletes a tag. */
  public void deleteTag(String name, String backup) {
    String previous = Objects.requireNonNull(tags.remove(name));
    deletedTags.add(name);
    log(Kind.TAG_DELETED, List.of(name, new SnapshotId(previous)), backup);
  }

  // ---- expiration and garbage

  /** Snapshots that expire, and the branches and tags that lead to them. */
  public record Expired(List<String> snapshots, List<String> branches, List<String> tags) {
    /** Returns true where nothing expires. */
    public boolean isEmpty() {
      return snapshots.isEmpty() && branches.isEmpty() && tags.isEmpty();
    }
  }

  /**
   * Returns what expires. A snapshot without one before it stays, and so does one that the branch
   * main, or another branch or a tag that stays, leads to.
   *
   * @param micros the time, before which a snapshot is old
   * @param branches whether branches that lead to old snapshots are deleted
   * @param tags whether tags that lead to old snapshots are deleted
   */
  public Expired expired(long micros, boolean branches, boolean tags) {
    NavigableSet<String> old = new TreeSet<>();
    snapshots.forEach(
        (id, snapshot) -> {
          if (snapshot.parent() != null && snapshot.micros() < micros) {
            old.add(id);
          }
        });
    List<String> itsTags = tags ? namesOf(this.tags, old) : List.of();
    List<String> itsBranches = new ArrayList<>(branches ? namesOf(this.branches, old) : List.of());
    itsBranches.remove(MAIN);
    NavigableSet<String> released = new TreeSet<>(old);
    this.tags.forEach((name, id) -> removeUnless(tags, released, id));
    this.branches.forEach((name, id) -> removeUnless(branches && !name.equals(MAIN), released, id));
    return new Expired(List.copyOf(released), List.copyOf(itsBranches), itsTags);
  }

  private static void removeUnless(boolean isDeleted, NavigableSet<String> all, String id) {
    if (!isDeleted) {
      all.remove(id);
    }
  }

  private static List<String> namesOf(Map<String, String> refs, NavigableSet<String> snapshots) {
    return refs.entrySet().stream()
        .filter(ref -> snapshots.contains(ref.getValue()))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Removes what expires: a snapshot that stays comes then from the first one of its history. */
  public void remove(Expired expired) {
    expired.branches().forEach(branches::remove);
    for (String tag : expired.tags()) {
      tags.remove(tag);
      deletedTags.add(tag);
    }
    remove(
        new TreeSet<>(expired.snapshots()),
        id -> Objects.requireNonNull(snapshots.get(id)).parent() == null);
  }

  /** Notes in the log that snapshots have expired. */
  public void logExpiration(String backup) {
    log(Kind.EXPIRATION_RAN, List.of(), backup);
  }

  /** Removes snapshots: one that stays comes then from the last one before it that stays. */
  public void remove(Set<String> dropped) {
    remove(dropped, id -> !dropped.contains(id));
  }

  /** Notes in the log that garbage was collected. */
  public void logCollection(String backup) {
    log(Kind.GC_RAN, List.of(), backup);
  }

  private void remove(Set<String> dropped, Predicate<String> isBoundary) {
    Map<String, Snapshot> changed = new TreeMap<>();
    snapshots.forEach(
        (id, snapshot) -> {
          String parent = snapshot.parent();
          if (!dropped.contains(id) && parent != null && dropped.contains(parent)) {
            changed.put(id, overDropped(snapshot, isBoundary));
          }
        });
    snapshots.putAll(changed);
    snapshots.keySet().removeAll(dropped);
  }

  /** The same snapshot after the first one before it at a boundary, with the logs in between. */
  private Snapshot overDropped(Snapshot snapshot, Predicate<String> isBoundary) {
    Deque<String> logs = new ArrayDeque<>(snapshot.pruned());
    String at = snapshot.parent();
    for (int seen = 0; at != null && !isBoundary.test(at); seen++) {
      if (seen > snapshots.size()) {
        throw new StoreException(
            "a damaged file of an Icechunk repository: its history is a circle",
            Location.ofKey(RepoFile.KEY));
      }
      Snapshot before = Objects.requireNonNull(snapshots.get(at));
      logs.addFirst(at);
      List<String> its = before.pruned();
      for (int i = its.size() - 1; i >= 0; i--) {
        logs.addFirst(its.get(i));
      }
      at = before.parent();
    }
    return new Snapshot(
        at == null ? FIRST_SNAPSHOT : at,
        snapshot.micros(),
        snapshot.message(),
        snapshot.metadata(),
        List.copyOf(logs));
  }

  /** The ids of all snapshots in the history. */
  public Set<String> snapshots() {
    return Collections.unmodifiableSet(snapshots.keySet());
  }

  /** The ids of the snapshots that a branch or a tag leads to, and of those before them. */
  public Set<String> reachable() {
    Set<String> reachable = new HashSet<>();
    for (Map<String, String> refs : List.of(branches, tags)) {
      for (String tip : refs.values()) {
        for (String at = tip; at != null && reachable.add(at); ) {
          at = parent(at);
        }
      }
    }
    return reachable;
  }

  /** The ids of the logs of all snapshots, those of expired ones before them among them. */
  public Set<String> logs() {
    Set<String> logs = new HashSet<>();
    snapshots.keySet().forEach(id -> logs.addAll(logs(id)));
    return logs;
  }

  /** The names of the copies of the info that its log names. */
  public Set<String> copies() {
    Set<String> copies = new HashSet<>();
    updates.stream().map(RepoUpdate::backup).filter(Objects::nonNull).forEach(copies::add);
    if (before != null) {
      copies.add(before);
    }
    return copies;
  }

  /** The name of the copy that has the log before this one; null where there is none. */
  public @Nullable String copyBefore() {
    return before;
  }

  /** Puts an entry first in the log; the one before was made with the copy of this state. */
  private void log(Kind kind, List<@Nullable Object> fields, String backup) {
    long now = micros;
    if (!updates.isEmpty()) {
      now = Math.max(now, updates.get(0).micros() + 1);
      updates.set(0, updates.get(0).with(backup));
    }
    updates.add(0, new RepoUpdate(kind, fields, now, null));
    if (updates.size() > MOST_UPDATES) {
      int cut = MOST_UPDATES - 1;
      while (cut > 1 && updates.get(cut).backup() == null) {
        cut--;
      }
      before = updates.get(cut).backup();
      updates.subList(cut, updates.size()).clear();
    }
  }

  /** Returns the file. */
  public Bytes write() {
    FlatBufferWriter out = new FlatBufferWriter(1 << 12);
    List<String> ids = new ArrayList<>(snapshots.keySet());
    Collections.sort(ids); // quick where all but a few are in order
    Map<String, Integer> places = new HashMap<>(2 * ids.size());
    for (int place = 0; place < ids.size(); place++) {
      places.put(ids.get(place), place);
    }
    int[] tables = new int[ids.size()];
    for (int i = 0; i < tables.length; i++) {
      tables[i] = snapshot(out, places, ids.get(i));
    }
    int history = out.offsets(tables);
    int itsTags = refs(out, tags, places);
    int itsBranches = refs(out, branches, places);
    int deleted = out.offsets(deletedTags.stream().mapToInt(out::string).toArray());
    int itsStatus = status.write(out);
    Map<String, Bytes> items = metadata;
    int itsMetadata = items == null ? FlatBufferWriter.ABSENT : SnapshotWriter.metadata(out, items);
    int log = out.offsets(updates.stream().mapToInt(update -> update.write(out)).toArray());
    String earlier = before;
    int older = earlier == null ? FlatBufferWriter.ABSENT : out.string(earlier);
    int itsConfig = optional(out, config);
    int on = flags(out, enabled);
    int off = flags(out, disabled);
    int others = optional(out, extra);
    out.startTable(SLOTS);
    int[] fields = {
      itsTags,
      itsBranches,
      deleted,
      history,
      itsStatus,
      itsMetadata,
      log,
      older,
      itsConfig,
      on,
      off,
      others
    };
    for (int i = 0; i < fields.length; i++) {
      out.offset(i + 1, fields[i]);
    }
    out.u8(0, SPEC_VERSION);
    return SealedFile.of(FileType.REPO, out.finish(out.endTable()));
  }

  private static int optional(FlatBufferWriter out, @Nullable Bytes bytes) {
    return bytes == null ? FlatBufferWriter.ABSENT : out.bytes(bytes);
  }

  private static int flags(FlatBufferWriter out, int @Nullable [] numbers) {
    return numbers == null ? FlatBufferWriter.ABSENT : out.shorts(numbers);
  }

  private static int refs(
      FlatBufferWriter out, Map<String, String> refs, Map<String, Integer> places) {
    List<Integer> tables = new ArrayList<>();
    refs.forEach(
        (name, snapshot) -> {
          int text = out.string(name);
          out.startTable(2);
          out.offset(0, text);
          out.u32(1, Objects.requireNonNull(places.get(snapshot), snapshot));
          tables.add(out.endTable());
        });
    return out.offsets(tables.stream().mapToInt(Integer::intValue).toArray());
  }

  private int snapshot(FlatBufferWriter out, Map<String, Integer> places, String id) {
    Snapshot snapshot = Objects.requireNonNull(snapshots.get(id));
    int message = out.string(snapshot.message());
    Map<String, Bytes> items = snapshot.metadata();
    int its = items == null ? FlatBufferWriter.ABSENT : SnapshotWriter.metadata(out, items);
    int pruned =
        snapshot.pruned().isEmpty() ? FlatBufferWriter.ABSENT : out.ids12(snapshot.pruned());
    String parent = snapshot.parent();
    out.startTable(6);
    out.u64(2, snapshot.micros());
    out.id12(0, id);
    out.u32(1, parent == null ? -1 : places.getOrDefault(parent, -1));
    out.offset(3, message);
    out.offset(4, its);
    out.offset(5, pruned);
    return out.endTable();
  }
}
