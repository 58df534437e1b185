package dev.zarrreactive.error;

import java.util.Arrays;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Where an error happened: any of node path, chunk index, store key, codec and JSON pointer (RFC
 * 6901). What is not known is null. Immutable.
 */
public final class Location {
  /** Nothing is known of the place. */
  public static final Location UNKNOWN = new Location(null, null, null, null, null);

  private final @Nullable String nodePath;
  private final long @Nullable [] chunkIndex;
  private final @Nullable String storeKey;
  private final @Nullable String codec;
  private final @Nullable String jsonPointer;

  private Location(
      @Nullable String nodePath,
      long @Nullable [] chunkIndex,
      @Nullable String storeKey,
      @Nullable String codec,
      @Nullable String jsonPointer) {
    this.nodePath = nodePath;
    this.chunkIndex = chunkIndex;
    this.storeKey = storeKey;
    this.codec = codec;
    this.jsonPointer = jsonPointer;
  }

  /** A place inside the node at {@code path}, such as {@code /a/b}. */
  public static Location ofNode(String path) {
    return UNKNOWN.node(path);
  }

  /** A place at the store key {@code key}. */
  public static Location ofKey(String key) {
    return UNKNOWN.key(key);
  }

  /** This place, with the node's path. */
  public Location node(String path) {
    return new Location(path, chunkIndex, storeKey, codec, jsonPointer);
  }

  /** This place, with the index of the chunk in the chunk grid. */
  public Location chunk(long... index) {
    return new Location(nodePath, index.clone(), storeKey, codec, jsonPointer);
  }

  /** This place, with the store key. */
  public Location key(String key) {
    return new Location(nodePath, chunkIndex, key, codec, jsonPointer);
  }

  /** This place, with the name of the codec. */
  public Location codec(String name) {
    return new Location(nodePath, chunkIndex, storeKey, name, jsonPointer);
  }

  /** This place, with the JSON pointer inside the metadata document. */
  public Location pointer(String pointer) {
    return new Location(nodePath, chunkIndex, storeKey, codec, pointer);
  }

  /** This place one member deeper in the metadata document. */
  public Location child(String member) {
    String escaped = member.replace("~", "~0").replace("/", "~1");
    return pointer((jsonPointer == null ? "" : jsonPointer) + "/" + escaped);
  }

  /** This place; what it does not know is taken from {@code other}. */
  public Location or(Location other) {
    return new Location(
        nodePath != null ? nodePath : other.nodePath,
        chunkIndex != null ? chunkIndex : other.chunkIndex,
        storeKey != null ? storeKey : other.storeKey,
        codec != null ? codec : other.codec,
        jsonPointer != null ? jsonPointer : other.jsonPointer);
  }

  /** The node's path, such as {@code /a/b}. */
  public @Nullable String nodePath() {
    return nodePath;
  }

  /** The chunk's index in the chunk grid. */
  public long @Nullable [] chunkIndex() {
    return chunkIndex == null ? null : chunkIndex.clone();
  }

  /** The key in the store. */
  public @Nullable String storeKey() {
    return storeKey;
  }

  /** The name of the codec. */
  public @Nullable String codec() {
    return codec;
  }

  /** The JSON pointer inside the metadata document; {@code ""} is the whole document. */
  public @Nullable String jsonPointer() {
    return jsonPointer;
  }

  /** For people: {@code node /a, chunk [0, 3], key a/c/0/3}; empty where nothing is known. */
  @Override
  public String toString() {
    StringJoiner words = new StringJoiner(", ");
    if (nodePath != null) {
      words.add("node " + nodePath);
    }
    if (chunkIndex != null) {
      words.add("chunk " + Arrays.toString(chunkIndex));
    }
    if (storeKey != null) {
      words.add("key " + storeKey);
    }
    if (codec != null) {
      words.add("codec " + codec);
    }
    if (jsonPointer != null) {
      words.add("at " + (jsonPointer.isEmpty() ? "the top of the document" : jsonPointer));
    }
    return words.toString();
  }
}
