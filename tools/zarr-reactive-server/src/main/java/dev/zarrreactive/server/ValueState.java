package dev.zarrreactive.server;

import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Version;
import org.jspecify.annotations.Nullable;

/**
 * One state of a stored value.
 *
 * @param version null where the store knows none
 * @param size in bytes; -1 where the store cannot tell
 * @param tag the ETag of the version; null without one
 */
record ValueState(@Nullable Version version, long size, @Nullable String tag) {
  static ValueState of(@Nullable Version version, long size) {
    return new ValueState(version, size, EntityTag.of(version));
  }

  /** Returns the condition that reads this state alone, as far as the store can. */
  ReadCondition required() {
    return version == null ? ReadCondition.ALWAYS : ReadCondition.ifMatch(version);
  }
}
