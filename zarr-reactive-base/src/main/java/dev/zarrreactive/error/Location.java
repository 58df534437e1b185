package dev.zarrreactive.error;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Where an error happened: any of node path, chunk index, inner chunk index, store key, codec, JSON
 * pointer (RFC 6901) and store. An unknown part is null. Immutable.
 */
public final class Location {
  /** The location without any part. */
  public static final Location UNKNOWN = new Location(Map.of(), null);

  /** The parts in the order of {@link #toString}. */
  private enum Part {
    NODE("node "),
    CHUNK("chunk "),
    INNER_CHUNK("inner chunk "),
    KEY("key "),
    CODEC("codec "),
    POINTER("at "),
    STORE("in ");

    private final String label;

    Part(String label) {
      this.label = label;
    }
  }

  private final Map<Part, String> parts;
  private final long @Nullable [] chunkIndex;

  private Location(Map<Part, String> parts, long @Nullable [] chunkIndex) {
    this.parts = parts;
    this.chunkIndex = chunkIndex;
  }

  private Location with(Part part, String value) {
    Map<Part, String> more = new EnumMap<>(Part.class);
    more.putAll(parts);
    more.put(part, value);
    return new Location(Collections.unmodifiableMap(more), chunkIndex);
  }

  /** Returns the location of the node at {@code path}, such as {@code /a/b}. */
  public static Location ofNode(String path) {
    return UNKNOWN.node(path);
  }

  /** Returns the location of the store key {@code key}. */
  public static Location ofKey(String key) {
    return UNKNOWN.key(key);
  }

  /** Returns this location with the node's path. */
  public Location node(String path) {
    return with(Part.NODE, path);
  }

  /** Returns this location with the chunk's index in the chunk grid. */
  public Location chunk(long... index) {
    return new Location(with(Part.CHUNK, Arrays.toString(index)).parts, index.clone());
  }

  /** Returns this location one inner chunk deeper, with that chunk's index in its shard. */
  public Location innerChunk(long... index) {
    return with(
        Part.INNER_CHUNK, parts.getOrDefault(Part.INNER_CHUNK, "") + Arrays.toString(index));
  }

  /** Returns this location with the store key. */
  public Location key(String key) {
    return with(Part.KEY, key);
  }

  /** Returns this location with the name of the store, one of several. */
  public Location store(String name) {
    return with(Part.STORE, name);
  }

  /** Returns this location with the name of the codec. */
  public Location codec(String name) {
    return with(Part.CODEC, name);
  }

  /** Returns this location with the JSON pointer inside the metadata document. */
  public Location pointer(String pointer) {
    return with(Part.POINTER, pointer);
  }

  /** Returns this location one member deeper in the metadata document. */
  public Location child(String member) {
    String escaped = member.replace("~", "~0").replace("/", "~1");
    return pointer(parts.getOrDefault(Part.POINTER, "") + "/" + escaped);
  }

  /**
   * Returns this location with its unknown parts taken from {@code other}. The inner chunks of
   * nested shards are listed from the outside in.
   */
  public Location or(Location other) {
    Map<Part, String> more = new EnumMap<>(Part.class);
    more.putAll(other.parts);
    parts.forEach(
        (part, value) ->
            more.merge(
                part, value, (outer, mine) -> part == Part.INNER_CHUNK ? outer + mine : mine));
    return new Location(
        Collections.unmodifiableMap(more), chunkIndex != null ? chunkIndex : other.chunkIndex);
  }

  /** The node's path, such as {@code /a/b}. */
  public @Nullable String nodePath() {
    return parts.get(Part.NODE);
  }

  /** The chunk's index in the chunk grid. */
  public long @Nullable [] chunkIndex() {
    return chunkIndex == null ? null : chunkIndex.clone();
  }

  /** The key in the store. */
  public @Nullable String storeKey() {
    return parts.get(Part.KEY);
  }

  /** The name of the codec. */
  public @Nullable String codec() {
    return parts.get(Part.CODEC);
  }

  /**
   * The JSON pointer inside the metadata document. The pointer {@code ""} is the whole document.
   */
  public @Nullable String jsonPointer() {
    return parts.get(Part.POINTER);
  }

  /**
   * Returns a text for people: {@code node /a, chunk [0, 3], key a/c/0/3}, empty for {@link
   * #UNKNOWN}.
   */
  @Override
  public String toString() {
    return parts.entrySet().stream()
        .map(
            part ->
                part.getKey().label
                    + (part.getKey() == Part.POINTER && part.getValue().isEmpty()
                        ? "the top of the document"
                        : BoundedText.of(part.getValue())))
        .collect(Collectors.joining(", "));
  }
}
