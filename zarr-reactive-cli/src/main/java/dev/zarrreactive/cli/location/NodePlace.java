package dev.zarrreactive.cli.location;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.error.UnknownExtensionException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.metadata.DimensionNames;
import dev.zarrreactive.store.StoreCapability;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
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

  /**
   * Emits an array and the nodes beside it, also unreadable ones. A store that tells none of them
   * is asked for the arrays that have the names of its dimensions.
   */
  public Flux<ZarrNode> beside(ZarrGroup group, ZarrArray array) {
    List<@Nullable String> names = DimensionNames.of(array.metadata()).names();
    return group
        .children()
        .onErrorResume(
            StoreCapabilityException.class,
            unlisted ->
                Concurrently.mapInOrder(
                        Flux.fromStream(names.stream().filter(Objects::nonNull).distinct())
                            .filter(name -> !name.equals(array.path().name())),
                        names.size(),
                        name ->
                            group
                                .openArray(name)
                                .cast(ZarrNode.class)
                                .onErrorResume(NodeNotFoundException.class, e -> Mono.empty())
                                .onErrorResume(
                                    NodePlace::isOfNode,
                                    e -> hierarchy.inspect(group.path().resolve(name).value())))
                    .startWith(array));
  }

  private static boolean isOfNode(Throwable error) {
    return error instanceof MetadataException
        || error instanceof UnknownExtensionException
        || error instanceof UnsupportedFeatureException;
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
