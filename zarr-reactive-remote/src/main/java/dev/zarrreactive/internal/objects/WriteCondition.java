package dev.zarrreactive.internal.objects;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.Version;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The condition of one write, as a request has it.
 *
 * @param precondition of the caller
 * @param ifMatch the tag of the required version; null where none is required
 * @param mark what the write leaves in the metadata of the value, see {@link #MARK}; empty without
 *     a condition
 */
public record WriteCondition(Precondition precondition, @Nullable String ifMatch, String mark) {
  /**
   * The name of the metadata by which a writer finds its own value after the answer was lost: a
   * random id, a slash, and the tag of the value that was there before. Azure wants an identifier
   * for a name, and some proxies drop a name with an underscore.
   */
  public static final String MARK = "zarrwrite";

  /** The condition of a write that begins now. */
  static WriteCondition of(Precondition precondition, @Nullable String ifMatch) {
    return new WriteCondition(
        precondition,
        ifMatch,
        precondition.equals(Precondition.NONE) ? "" : UUID.randomUUID() + "/" + plain(ifMatch));
  }

  /** Returns the tag without its quotation marks; empty for none. */
  private static String plain(@Nullable String tag) {
    return tag == null ? "" : tag.replace("\"", "");
  }

  /** Returns true where this is the tag that the condition names, or null where it names none. */
  boolean isMetBy(@Nullable String tag) {
    return plain(tag).equals(plain(ifMatch));
  }

  /** Returns true for the mark of a write that took the place of what the condition names. */
  boolean isLostTo(@Nullable String other) {
    return other != null && other.substring(other.indexOf('/') + 1).equals(plain(ifMatch));
  }

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
