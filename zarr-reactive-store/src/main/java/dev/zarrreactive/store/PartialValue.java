package dev.zarrreactive.store;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.spi.Spi;
import org.jspecify.annotations.Nullable;

/**
 * The answer to one {@link KeyRange}.
 *
 * @param request the part that was asked for
 * @param bytes its bytes; null if the value is missing
 */
@Spi
public record PartialValue(KeyRange request, @Nullable Bytes bytes) {
  /** Returns true if there is no value at the key. */
  public boolean isMissing() {
    return bytes == null;
  }
}
