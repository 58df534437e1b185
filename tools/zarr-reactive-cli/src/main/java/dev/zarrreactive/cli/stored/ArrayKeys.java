package dev.zarrreactive.cli.stored;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.chunkkey.ChunkKeyEncoding;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The keys of an array's chunks, shards where it has them. */
public final class ArrayKeys {
  /** The keys that chunks of arrays have, in any encoding. */
  private static final Pattern CHUNK = Pattern.compile("c|(c/)?\\d+(/\\d+)*|(c\\.)?\\d+(\\.\\d+)*");

  private final ZarrArray array;
  private final ChunkKeyEncoding encoding;
  private final StorePrefix prefix;
  private final String letter;

  private ArrayKeys(ZarrArray array) {
    ArrayMetadata metadata = array.metadata();
    this.array = array;
    this.encoding = ChunkKeyEncoding.of(metadata.chunkKeyEncoding());
    this.prefix = metadata.chunkPrefix(array.path());
    String zero = metadata.chunkKey(array.path(), "0").value();
    this.letter = zero.substring(prefix.value().length(), zero.length() - 1);
  }

  /** Returns the keys of {@code array}. */
  public static ArrayKeys of(ZarrArray array) {
    return new ArrayKeys(array);
  }

  /** Returns the prefix that all of them begin with. */
  public StorePrefix prefix() {
    return prefix;
  }

  /** Returns the index of the chunk at {@code key}; null for a key of no chunk in the grid. */
  public long @Nullable [] index(StoreKey key) {
    String below = below(key);
    long[] index = below == null ? null : encoding.decode(below, array.shape().rank());
    return index != null && isInside(index) ? index : null;
  }

  /** The kind of a key below an array. */
  public enum Kind {
    /** The key of a chunk in the grid. */
    CHUNK,
    /** The key of a chunk outside of the grid. */
    OUTSIDE,
    /** A key that only a chunk of another array would have. */
    OTHER,
    /** The key of a file that is no chunk. */
    FOREIGN
  }

  /** Returns what the file at {@code key} is, which lies below the prefix. */
  public Kind kind(StoreKey key) {
    String below = below(key);
    long[] index = below == null ? null : encoding.decode(below, array.shape().rank());
    if (index != null) {
      return isInside(index) ? Kind.CHUNK : Kind.OUTSIDE;
    }
    return below != null && CHUNK.matcher(below).matches() ? Kind.OTHER : Kind.FOREIGN;
  }

  /** Returns why a key of {@link Kind#OTHER} is of no chunk. */
  public String otherwise(StoreKey key) {
    String below = String.valueOf(below(key));
    int rank = array.shape().rank();
    for (String name : List.of("default", "v2")) {
      for (String separator : List.of("/", ".")) {
        ChunkKeyEncoding other = encoding(name, separator);
        if (other.decode(below, rank) != null) {
          return "chunks have such keys by the encoding "
              + name
              + " with the separator \""
              + separator
              + "\", and this array has "
              + encodingText();
        }
      }
    }
    return "the array has " + rank + " dimensions, and chunk keys of " + encodingText();
  }

  private String encodingText() {
    NamedConfiguration its = array.metadata().chunkKeyEncoding();
    String sample = encoding.encode(new long[array.shape().rank()]);
    return its.name() + ", such as " + letter + sample;
  }

  private static ChunkKeyEncoding encoding(String name, String separator) {
    return ChunkKeyEncoding.of(
        NamedConfiguration.of(name, JsonObject.EMPTY.with("separator", separator)));
  }

  /** Returns the part of a key that says the index; null for a key without. */
  private @Nullable String below(StoreKey key) {
    String below = key.value().substring(prefix.value().length());
    return below.startsWith(letter) ? below.substring(letter.length()) : null;
  }

  private boolean isInside(long[] index) {
    for (int d = 0; d < index.length; d++) {
      if (index[d] >= array.chunkGrid().dimension(d).count()) {
        return false;
      }
    }
    return true;
  }
}
