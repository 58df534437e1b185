package dev.zarrreactive.cli;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.store.StoreCapability;
import reactor.core.publisher.Mono;

/**
 * A node in an open store.
 *
 * @param hierarchy the hierarchy of the node
 * @param node its path there
 */
record NodePlace(ZarrHierarchy hierarchy, String node) {
  /**
   * Refuses a store that can only be read.
   *
   * @throws CommandFailure for such a store
   */
  void checkWritable() {
    if (!hierarchy.store().capabilities().contains(StoreCapability.WRITE)) {
      throw new CommandFailure("this store can only be read, not written to");
    }
  }

  Mono<ZarrNode> open() {
    return hierarchy.open(node);
  }

  Mono<ZarrGroup> openGroup() {
    return hierarchy.openGroup(node);
  }

  Mono<ZarrArray> openArray() {
    return hierarchy.openArray(node);
  }

  /** Emits the node, also one that cannot be opened. */
  Mono<ZarrNode> inspect() {
    return hierarchy.inspect(node);
  }
}
