package dev.zarrreactive.simulation;

import dev.zarrreactive.store.StoreCapability;
import java.util.EnumSet;
import java.util.Set;

/** What the origin can do beside reading, writing, listing and erasing. */
enum StoreKind {
  /** Everything on condition. */
  GUARDED(
      StoreCapability.VERSIONS,
      StoreCapability.CONDITIONAL_WRITE,
      StoreCapability.CONDITIONAL_ERASE),
  /** As S3: no erasure on condition. */
  OBJECTS(StoreCapability.VERSIONS, StoreCapability.CONDITIONAL_WRITE),
  /** Versions alone, so that another program's writes may be lost. */
  VERSIONED(StoreCapability.VERSIONS),
  /** Nothing: a shard that is replaced while it is read is not detected. */
  SIMPLE,
  /** Reads alone, of values that are parts of objects elsewhere. */
  REFERENCES(StoreCapability.VERSIONS),
  /** The files of an Icechunk repository; each operation reads the branch as it is then. */
  REPOSITORY(StoreCapability.VERSIONS),
  /** The files of an Icechunk repository, to which operations commit. */
  COMMITS(StoreCapability.VERSIONS, StoreCapability.CONDITIONAL_WRITE);

  private final Set<StoreCapability> capabilities =
      EnumSet.of(
          StoreCapability.READ,
          StoreCapability.WRITE,
          StoreCapability.LIST,
          StoreCapability.ERASE,
          StoreCapability.PARTIAL_READ);

  StoreKind(StoreCapability... more) {
    capabilities.addAll(Set.of(more));
  }

  Set<StoreCapability> capabilities() {
    return capabilities;
  }

  /** Returns true where the library reads alone. */
  boolean isRead() {
    return this == REFERENCES || this == REPOSITORY;
  }

  boolean hasVersions() {
    return capabilities.contains(StoreCapability.VERSIONS);
  }

  boolean hasConditions() {
    return capabilities.contains(StoreCapability.CONDITIONAL_WRITE);
  }
}
