package dev.zarrreactive.internal.icechunk;

import dev.zarrreactive.base.Bytes;
import org.jspecify.annotations.Nullable;

/** Where the bytes of one chunk are. */
public sealed interface ChunkReference {
  /** The number of bytes. */
  long length();

  /** The bytes stand in the manifest. */
  record Inline(Bytes bytes) implements ChunkReference {
    @Override
    public long length() {
      return bytes.size();
    }
  }

  /** The bytes are a part of an object of the repository. */
  record Native(String chunk, long offset, long length) implements ChunkReference {}

  /**
   * The bytes are a part of an object somewhere else.
   *
   * @param location a URL, which may hold a secret
   * @param etag the version that the object must have; null where any will do
   * @param lastModified the seconds since 1970 after which the object must not have changed; 0
   *     where it may
   */
  record Virtual(
      String location, long offset, long length, @Nullable String etag, long lastModified)
      implements ChunkReference {
    /** Shows no location. */
    @Override
    public String toString() {
      return "virtual chunk of " + length + " bytes";
    }
  }
}
