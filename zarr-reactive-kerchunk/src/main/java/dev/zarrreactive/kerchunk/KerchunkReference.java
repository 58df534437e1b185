package dev.zarrreactive.kerchunk;

import dev.zarrreactive.base.Bytes;
import org.jspecify.annotations.Nullable;

/** What stands for one key: the value itself, or where it lies. */
sealed interface KerchunkReference {
  /** The value itself. */
  record Inline(Bytes value) implements KerchunkReference {}

  /**
   * A file, or a part of it.
   *
   * @param url as it is written; null for the default target
   * @param offset the first byte
   * @param length the number of bytes, or {@link #WHOLE}
   */
  record Elsewhere(@Nullable String url, long offset, long length) implements KerchunkReference {
    /** The length of a whole file, which the references do not tell. */
    static final long WHOLE = -1;

    boolean isWhole() {
      return length == WHOLE;
    }
  }
}
