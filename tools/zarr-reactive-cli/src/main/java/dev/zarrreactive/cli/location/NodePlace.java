package dev.zarrreactive.cli.location;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.cli.console.NearNames;
import dev.zarrreactive.cli.stored.ArrayKeys;
import dev.zarrreactive.cli.stored.ListedMisses;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.error.UnknownExtensionException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.icechunk.IcechunkOrigin;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.planning.SaturatingSize;
import dev.zarrreactive.metadata.DimensionNames;
import dev.zarrreactive.metadata.NodePath;
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
  /** The chunks of an array that may be worth another request for its metadata. */
  private static final int MANY = 1000;

  /**
   * Refuses a store that can only be read.
   *
   * @throws CommandFailure for such a store
   */
  public void checkWritable() {
    if (!hierarchy.store().capabilities().contains(StoreCapability.WRITE)) {
      throw new CommandFailure(
          IcechunkOrigin.of(hierarchy.store()).isPresent()
              ? "a version of an Icechunk repository is changed by a commit: --message TEXT makes"
                  + " one"
              : "this store can only be read, not written to");
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

  /** Emits the nodes beside an array, as far as the store tells them; none beside a root. */
  public Mono<List<ZarrNode>> beside(ZarrArray array) {
    return array.path().isRoot()
        ? Mono.just(List.of())
        : hierarchy
            .openGroup(array.path().parent().value())
            .flatMap(group -> beside(group, array).collectList())
            .onErrorReturn(NodeNotFoundException.class, List.of());
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

  /** Opens the array. The error of a group in its place names the arrays of the group. */
  public Mono<ZarrArray> openArray() {
    return hierarchy
        .openArray(node)
        .onErrorResume(MetadataException.class, error -> named(error).flatMap(Mono::error));
  }

  private Mono<Throwable> named(MetadataException error) {
    if (!error.statement().contains("expected an array, found a group")) {
      return Mono.just(error);
    }
    return openGroup()
        .flatMapMany(ZarrGroup::children)
        .filter(ZarrArray.class::isInstance)
        .map(array -> array.path().name())
        .collectSortedList()
        .filter(names -> !names.isEmpty())
        .<Throwable>map(
            names ->
                new CommandFailure(
                    "expected an array, found a group; its arrays are " + NearNames.listed(names),
                    error))
        .onErrorResume(ZarrException.class, e -> Mono.empty())
        .defaultIfEmpty(error);
  }

  /**
   * Emits an array for reads of all of it: the same, or where it has many chunks one whose missing
   * chunks are found by a listing.
   */
  public Mono<ZarrArray> forManyChunks(ZarrArray array) {
    if (SaturatingSize.count(array.chunkGrid().gridShape()) < MANY
        || !ListedMisses.canList(hierarchy.store())) {
      return Mono.just(array);
    }
    ListedMisses store =
        new ListedMisses(
            hierarchy.store(),
            ArrayKeys.of(array).prefix(),
            key -> !NodePath.isDocumentKey(key.value()));
    return Zarr.hierarchy(store, hierarchy.options()).openArray(array.path().value());
  }

  /** Emits the node, also one that cannot be opened. */
  public Mono<ZarrNode> inspect() {
    return hierarchy.inspect(node);
  }
}
