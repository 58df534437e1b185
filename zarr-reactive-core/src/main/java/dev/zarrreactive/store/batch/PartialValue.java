package dev.zarrreactive.store.batch;

import dev.zarrreactive.base.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The answer to one {@link KeyRange}.
 *
 * @param request what was asked
 * @param bytes the bytes, or null where the key is missing
 */
public record PartialValue(KeyRange request, @Nullable Bytes bytes) {
  /** True where there is no value at the key. */
  public boolean isMissing() {
    return bytes == null;
  }
}
