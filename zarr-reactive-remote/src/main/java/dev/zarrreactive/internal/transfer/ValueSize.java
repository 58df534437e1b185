package dev.zarrreactive.internal.transfer;

import dev.zarrreactive.store.Version;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The size of a value.
 *
 * @param total in bytes
 * @param version of the value with this size; null where the server sends none
 * @param modified when the value was modified; null where the server does not say
 */
public record ValueSize(long total, @Nullable Version version, @Nullable Instant modified) {
  /** Returns true where the response may be to a request for the value of this size. */
  boolean mayBeOf(BodyHead head) {
    return (head.total() < 0 || head.total() == total)
        && (version == null || version.equals(head.version()));
  }
}
