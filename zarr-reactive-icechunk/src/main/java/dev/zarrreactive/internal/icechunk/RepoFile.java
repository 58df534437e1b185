package dev.zarrreactive.internal.icechunk;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The info of a repository of version 2: branches, tags and the tree of snapshots, which are read
 * in place. Immutable, thread-safe.
 */
public final class RepoFile {
  /** The key of the file. */
  public static final String KEY = "repo";

  private final FlatBuffer buffer;
  private final int specVersion;
  private final int root;
  private final int snapshots;
  private final Map<String, Integer> branches;
  private final Map<String, Integer> tags;
  private final List<String> deletedTags;
  private final Status status;

  /** Who may use a repository. */
  public enum Availability {
    /** Everybody. */
    ONLINE,
    /** Readers. */
    READ_ONLY,
    /** Nobody. */
    OFFLINE
  }

  /**
   * The status of a repository.
   *
   * @param reason in the words of who has set it; null where there is none
   */
  public record Status(Availability availability, Instant since, @Nullable String reason) {}

  private RepoFile(FlatBuffer buffer, int specVersion) {
    this.buffer = buffer;
    this.specVersion = specVersion;
    this.root = buffer.root();
    int declared = buffer.u8(root, 0, 0);
    if (declared > 2) {
      throw new UnsupportedFeatureException(
          "a repository of version "
              + declared
              + " of the Icechunk specification; versions 1 and 2 are read",
          Location.ofKey(KEY));
    }
    this.snapshots = buffer.vector(root, 4, 4, "snapshots");
    this.tags = references(1, "tags");
    this.branches = references(2, "branches");
    int deleted = buffer.vector(root, 3, 4, "deleted tags");
    this.deletedTags = new ArrayList<>();
    long length = 0;
    for (int i = 0; i < buffer.length(deleted); i++) {
      String name = buffer.stringIn(deleted, i);
      length += name.length() + 1;
      checkTexts(length);
      deletedTags.add(name);
    }
    this.status = readStatus();
  }

  /**
   * Reads the info of a repository.
   *
   * @param maxBytes the most bytes that it may have decompressed
   */
  public static RepoFile read(Bytes file, long maxBytes) {
    FileEnvelope envelope = FileEnvelope.open(file, FileType.REPO, KEY, maxBytes);
    return new RepoFile(envelope.payload(), envelope.specVersion());
  }

  private Map<String, Integer> references(int slot, String name) {
    int vector = buffer.vector(root, slot, 4, name);
    Map<String, Integer> all = new LinkedHashMap<>();
    long length = 0;
    for (int i = 0; i < buffer.length(vector); i++) {
      int reference = buffer.tableIn(vector, i);
      String text = buffer.string(reference, 0, "name of a reference");
      length += text.length() + 1;
      checkTexts(length);
      long index = buffer.u32(reference, 1);
      if (index >= size()) {
        throw buffer.damaged("\"" + text + "\" among its " + name + " leads to no snapshot");
      }
      if (all.put(text, (int) index) != null) {
        throw buffer.damaged("\"" + text + "\" stands twice among its " + name);
      }
    }
    return all;
  }

  /** Many references may lead to one text in a hostile file. */
  private void checkTexts(long length) {
    if (length > buffer.size()) {
      throw buffer.damaged("its names are longer than the file");
    }
  }

  private Status readStatus() {
    int table = buffer.table(root, 5, "status");
    int availability = buffer.u8(table, 0, 0);
    if (availability >= Availability.values().length) {
      throw new UnsupportedFeatureException(
          "the repository has the unknown status " + availability, Location.ofKey(KEY));
    }
    return new Status(
        Availability.values()[availability],
        SnapshotEntry.time(buffer, buffer.u64(table, 1)),
        buffer.string(table, 2));
  }

  /** The number of snapshots. */
  public int size() {
    return buffer.length(snapshots);
  }

  /** The branches in the order of the file, each with the place of its snapshot. */
  public Map<String, Integer> branches() {
    return branches;
  }

  /** The tags in the order of the file, each with the place of its snapshot. */
  public Map<String, Integer> tags() {
    return tags;
  }

  /** Returns true for a tag that was deleted; its name is never used again. */
  public boolean isDeletedTag(String name) {
    return deletedTags.contains(name);
  }

  /** The status. */
  public Status status() {
    return status;
  }

  /** The place of a snapshot; negative where there is none of this id. */
  public int find(String id) {
    for (int place = 0; place < size(); place++) {
      if (id(place).equals(id)) {
        return place;
      }
    }
    return -1;
  }

  /** The id of the snapshot at a place. */
  public String id(int place) {
    return buffer.id12(buffer.struct(snapshot(place), 0, 12, "id of a snapshot"));
  }

  private int snapshot(int place) {
    return buffer.tableIn(snapshots, place);
  }

  /** The place of the snapshot before the one at a place; negative for the first one. */
  public int parent(int place) {
    int parent = buffer.i32(snapshot(place), 1, 0);
    if (parent >= size()) {
      throw buffer.damaged("the parent of snapshot " + id(place) + " is none");
    }
    return parent;
  }

  /** When the snapshot at a place was written. */
  public Instant time(int place) {
    return SnapshotEntry.time(buffer, buffer.u64(snapshot(place), 2));
  }

  /** What is told of the snapshot at a place. */
  public SnapshotEntry entry(int place) {
    int parent = parent(place);
    return new SnapshotEntry(
        id(place),
        parent < 0 ? null : id(parent),
        time(place),
        buffer.string(snapshot(place), 3, "message of a snapshot"),
        MetadataItems.read(buffer, snapshot(place), 4, specVersion));
  }

  /** The metadata of the repository. */
  public JsonObject metadata() {
    return MetadataItems.read(buffer, root, 6, specVersion);
  }

  /** The configuration of the repository; empty where there is none. */
  public JsonObject config() {
    Bytes config = buffer.bytes(root, 9);
    if (config == null) {
      return JsonObject.EMPTY;
    }
    JsonValue value = FlexBuffer.read(config, new DecodingBudget(buffer::damaged));
    if (value instanceof JsonObject object) {
      return object;
    }
    throw buffer.damaged("its configuration is a " + value.kind());
  }

  /** The numbers of the features that are switched off. */
  public List<Integer> disabledFeatures() {
    int vector = buffer.vector(root, 11, 2);
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < buffer.length(vector); i++) {
      numbers.add(buffer.u16(buffer.element(vector, i, 2)));
    }
    return numbers;
  }

  /** What of it is not in the order that the specification demands, and this reader needs not. */
  public List<String> disorders() {
    List<String> disorders = new ArrayList<>();
    if (!Orders.isAscending(branches.keySet())) {
      disorders.add("its branches are not in the order of their names");
    }
    if (!Orders.isAscending(tags.keySet())) {
      disorders.add("its tags are not in the order of their names");
    }
    if (!Orders.isAscending(deletedTags)) {
      disorders.add("its deleted tags are not in the order of their names");
    }
    String last = "";
    for (int place = 0; place < size(); place++) {
      String id = id(place);
      if (last.compareTo(id) >= 0) {
        disorders.add("its snapshots are not in the order of their ids");
        break;
      }
      last = id;
    }
    if (!MetadataItems.areSorted(buffer, root, 6)) {
      disorders.add("its metadata are not in the order of their names");
    }
    return disorders;
  }

  /** Returns the error of a history that goes in a circle. */
  public RuntimeException circle(int place) {
    return buffer.damaged("the snapshots before " + id(place) + " make a circle");
  }
}
