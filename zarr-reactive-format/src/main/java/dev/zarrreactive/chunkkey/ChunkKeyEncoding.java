package dev.zarrreactive.chunkkey;

import dev.zarrreactive.error.UnknownExtensionException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.spi.Spi;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The form of chunks' keys in the store (specification: "Chunk key encodings"): {@code default},
 * such as {@code c/1/23}, {@code v2}, such as {@code 1.23}, or one of a {@link
 * ChunkKeyEncodingProvider}. Immutable.
 */
@Spi
public interface ChunkKeyEncoding {
  /**
   * Returns the encoding that the metadata names.
   *
   * @throws UnknownExtensionException if the name is unknown
   * @throws dev.zarrreactive.error.MetadataException if its configuration is wrong
   */
  static ChunkKeyEncoding of(NamedConfiguration extension) {
    extension.requireUnderstanding("a chunk key encoding");
    ChunkKeyEncodingProvider provider = SeparatedKeys.PROVIDERS.get(extension.name());
    if (provider == null) {
      throw new UnknownExtensionException(
          "chunk key encoding", extension.name(), names(), extension.source().location());
    }
    return provider.create(extension);
  }

  /** The names of the supported chunk key encodings, sorted. */
  static List<String> names() {
    return List.copyOf(SeparatedKeys.PROVIDERS.keySet());
  }

  /**
   * Returns the index of the chunk with this key, the inverse of {@link #encode}; null for a key
   * that is no chunk's, such as {@code c/01}.
   *
   * @param key relative to the array's prefix
   * @param rank the number of dimensions
   */
  long @Nullable [] decode(String key, int rank);

  /**
   * Returns the key of the chunk at {@code index}, relative to the array's prefix.
   *
   * @throws dev.zarrreactive.error.MetadataException if there are no keys for so many dimensions
   */
  String encode(long... index);
}
