package dev.zarrreactive.icechunk;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What was removed from a repository, or would be.
 *
 * @param snapshots the ids of those that have expired, in their order
 * @param branches the names of those that were deleted, in their order
 * @param tags the names of those that were deleted, in their order
 * @param objects those that were erased, by the names of their directories: {@code snapshots},
 *     {@code transactions}, {@code manifests}, {@code chunks}, {@code attributes} and {@code
 *     overwritten}, where copies of the info are; empty where none were collected
 */
public record IcechunkCleaned(
    List<String> snapshots, List<String> branches, List<String> tags, Map<String, Erased> objects) {
  /** What was removed. */
  public IcechunkCleaned {
    snapshots = List.copyOf(snapshots);
    branches = List.copyOf(branches);
    tags = List.copyOf(tags);
    objects = Collections.unmodifiableMap(new LinkedHashMap<>(objects));
  }

  /**
   * Erased of one kind.
   *
   * @param count how many
   * @param bytes their sizes, as far as the listing of the store tells them
   */
  public record Erased(long count, long bytes) {}

  /** The number and the bytes of all objects. */
  public Erased all() {
    return new Erased(
        objects.values().stream().mapToLong(Erased::count).sum(),
        objects.values().stream().mapToLong(Erased::bytes).sum());
  }
}
