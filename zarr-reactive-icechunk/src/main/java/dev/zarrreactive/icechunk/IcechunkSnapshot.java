package dev.zarrreactive.icechunk;

import dev.zarrreactive.json.JsonObject;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a repository tells of one of its snapshots.
 *
 * @param id 20 characters
 * @param parent the id of the snapshot before; null for the first one, and for the oldest one that
 *     has not expired
 * @param time when it was written
 * @param message of its commit
 * @param metadata of its commit
 */
public record IcechunkSnapshot(
    String id, @Nullable String parent, Instant time, String message, JsonObject metadata) {}
