package dev.zarrreactive.internal.icechunk;

import dev.zarrreactive.json.JsonObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * What is told of one snapshot.
 *
 * @param id 20 characters
 * @param parent the id of the snapshot before; null for the first one
 * @param time when it was written
 */
public record SnapshotEntry(
    String id, @Nullable String parent, Instant time, String message, JsonObject metadata) {

  /** Returns the instant of a number of microseconds since 1970. */
  static Instant time(FlatBuffer buffer, long micros) {
    if (micros < 0) {
      throw buffer.damaged("a time of " + Long.toUnsignedString(micros) + " µs since 1970");
    }
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }
}
