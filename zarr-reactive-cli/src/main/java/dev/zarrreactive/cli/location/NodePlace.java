package dev.zarrreactive.cli.location;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.store.StoreCapability;
import reactor.core.publisher.Mono;

/**
 * A node in an open store.
 *
 * @param hierarchy the hierarchy of the node
 * @param node its path there
 */
public record NodePlace(ZarrHierarchy hierarchy, String node) {
  /**
   * Refuses a store that can only be read.
   *
   * @throws CommandFailure for such a store
   */
  public void checkWritable() {
    if (!hierarchy.store().capabilities().contains(StoreCapability.WRITE)) {
      throw new CommandFailure("this store can only be read, not written to");
    }
  }

  public Mono<ZarrNode> open() {
    return hierarchy.open(node);
  }

  public Mono<ZarrGroup> openGroup() {
    return hierarchy.openGroup(node);
  }

  public Mono<ZarrArray> openArray() {
    return hierarchy.openArray(node);
  }

  /** Emits the node, also one that cannot be opened. */
  public Mono<ZarrNode> inspect() {
    return hierarchy.inspect(node);
  }
}
