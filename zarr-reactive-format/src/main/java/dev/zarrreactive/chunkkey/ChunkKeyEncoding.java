package dev.zarrreactive.chunkkey;

import dev.zarrreactive.error.UnknownExtensionException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.LocatedJson;
import dev.zarrreactive.spi.Spi;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The form of chunks' keys in the store (specification: "Chunk key encodings"): {@code default},
 * such as {@code c/1/23}, or {@code v2}, such as {@code 1.23}. Immutable.
 */
@Spi
public final class ChunkKeyEncoding {
  private static final List<String> NAMES = List.of("default", "v2");

  private final boolean startsWithC;
  private final String separator;

  private ChunkKeyEncoding(boolean startsWithC, String separator) {
    this.startsWithC = startsWithC;
    this.separator = separator;
  }

  /**
   * Returns the encoding that the metadata names.
   *
   * @throws UnknownExtensionException if the name is unknown
   * @throws dev.zarrreactive.error.MetadataException if its configuration is wrong
   */
  public static ChunkKeyEncoding of(NamedConfiguration extension) {
    extension.requireUnderstanding("a chunk key encoding");
    if (!NAMES.contains(extension.name())) {
      throw new UnknownExtensionException(
          "chunk key encoding", extension.name(), NAMES, extension.source().location());
    }
    boolean isDefault = extension.name().equals("default");
    extension.configuration().allowOnly("separator");
    LocatedJson separator = extension.optional("separator");
    return new ChunkKeyEncoding(
        isDefault, separator != null ? separator.oneOf("/", ".") : isDefault ? "/" : ".");
  }

  /** The names of the supported chunk key encodings. */
  public static List<String> names() {
    return NAMES;
  }

  /**
   * Returns the index of the chunk with this key, the inverse of {@link #encode}; null for a key
   * that is no chunk's, such as {@code c/01}.
   *
   * @param key relative to the array's prefix
   * @param rank the number of dimensions
   */
  public long @Nullable [] decode(String key, int rank) {
    String[] parts = rank == 0 ? new String[0] : key.split(Pattern.quote(separator), -1);
    int first = startsWithC ? 1 : 0;
    if (rank > 0 && parts.length != rank + first) {
      return null;
    }
    long[] index = new long[rank];
    try {
      Arrays.setAll(index, d -> Long.parseLong(parts[d + first]));
    } catch (NumberFormatException e) {
      return null;
    }
    boolean isIndex = Arrays.stream(index).allMatch(i -> i >= 0);
    return isIndex && encode(index).equals(key) ? index : null; // one spelling only
  }

  /** The key of the chunk at {@code index}, relative to the array's prefix. */
  public String encode(long... index) {
    StringBuilder key = new StringBuilder(startsWithC ? "c" : index.length == 0 ? "0" : "");
    for (long i : index) {
      if (!key.isEmpty()) {
        key.append(separator);
      }
      key.append(i);
    }
    return key.toString();
  }
}
