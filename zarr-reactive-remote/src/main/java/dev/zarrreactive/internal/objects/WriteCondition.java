package dev.zarrreactive.internal.objects;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.Version;
import org.jspecify.annotations.Nullable;

/**
 * The condition of one write, as a request has it.
 *
 * @param precondition of the caller
 * @param ifMatch the tag of the required version; null where none is required
 */
public record WriteCondition(Precondition precondition, @Nullable String ifMatch) {

  /** Returns true for a write without a condition. */
  public boolean isNone() {
    return precondition.equals(Precondition.NONE);
  }

  /** Returns true where the value must be missing. */
  public boolean isAbsent() {
    return precondition.equals(Precondition.ABSENT);
  }

  /** Returns {@code *} where the value must be missing; else null. */
  public @Nullable String ifNoneMatch() {
    return isAbsent() ? "*" : null;
  }

  /**
   * Returns the error for a condition that does not hold.
   *
   * @param found the answer of the server
   */
  public PreconditionFailedException failed(StoreKey key, String found) {
    return failed(key, precondition, found);
  }

  static PreconditionFailedException failed(StoreKey key, Precondition precondition, String found) {
    Version version = precondition.version();
    return new PreconditionFailedException(
        (version == null
                ? "wanted to create the value"
                : "wanted to change version " + version + " of the value")
            + "; the answer is "
            + found,
        ObjectNames.at(key));
  }
}
