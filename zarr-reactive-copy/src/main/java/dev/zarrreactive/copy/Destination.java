package dev.zarrreactive.copy;

import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.NodeExistsException;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.context.HierarchyRequests;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.StoreCapability;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The destination of a copy, or of an array that is filled: its nodes, and the policy for them. */
final class Destination {
  private final ZarrHierarchy hierarchy;
  private final NodePath root;
  private final UnfinishedNodes unfinished;

  /** The groups above that have consolidated metadata, the deepest first. */
  private final List<NodePath> consolidated = new CopyOnWriteArrayList<>();

  Destination(ZarrHierarchy hierarchy, NodePath root, UnfinishedNodes unfinished) {
    this.hierarchy = hierarchy;
    this.root = root;
    this.unfinished = unfinished;
  }

  /** The state of a node in the destination. */
  enum State {
    ABSENT,
    BEGUN,
    FINISHED
  }

  /** Makes room by the policy, or fails; emits whether an unfinished copy is resumed. */
  Mono<Boolean> prepare(int zarrFormat, IfExists policy) {
    return check(zarrFormat).then(Mono.defer(() -> makeRoom(policy, true)));
  }

  /** Fails where {@link #prepare} would, and changes nothing. */
  Mono<Void> tryOut(int zarrFormat, IfExists policy) {
    return check(zarrFormat).then(Mono.defer(() -> makeRoom(policy, false))).then();
  }

  private Mono<Void> check(int zarrFormat) {
    return Mono.defer(
        () -> {
          if (!hierarchy.store().capabilities().contains(StoreCapability.WRITE)) {
            throw StoreCapability.WRITE.refusal(
                hierarchy.store(), "be written to", Location.ofNode(root.value()));
          }
          return checkAncestors(zarrFormat);
        });
  }

  private Mono<Void> checkAncestors(int zarrFormat) {
    return root.isRoot()
        ? Mono.empty()
        : Mono.just(root.parent())
            .expand(path -> path.isRoot() ? Mono.empty() : Mono.just(path.parent()))
            .concatMap(this::find, 0)
            .doOnNext(ancestor -> checkAncestor(ancestor, zarrFormat))
            .filter(
                ancestor ->
                    ancestor.metadata() instanceof GroupMetadata group
                        && group.consolidated() != null)
            .doOnNext(ancestor -> consolidated.add(ancestor.path()))
            .then();
  }

  private void checkAncestor(ZarrNode ancestor, int zarrFormat) {
    Location place = Location.ofNode(ancestor.path().value());
    if (ancestor.metadata() instanceof ArrayMetadata) {
      throw new NodeExistsException(
          "cannot copy to " + root + " below an array; arrays have no children", place);
    }
    if (zarrFormat == 2 && ancestor.metadata().zarrFormat() == 3) {
      throw new UnsupportedFeatureException(
          "cannot copy to "
              + root
              + " in Zarr v2 below a group of Zarr v3, where readers look for Zarr v3 only; copy in"
              + " format 3, or to another place",
          place);
    }
  }

  private Mono<ZarrNode> find(NodePath path) {
    return hierarchy
        .open(path.value())
        .onErrorResume(NodeNotFoundException.class, e -> Mono.empty());
  }

  private Mono<Boolean> makeRoom(IfExists policy, boolean erases) {
    return hierarchy
        .exists(root.value())
        .flatMap(exists -> exists ? Mono.just(State.FINISHED) : findBegun())
        .flatMap(
            state ->
                switch (state) {
                  case ABSENT -> refuseOthers().thenReturn(false);
                  case BEGUN, FINISHED -> applyPolicy(state, policy, erases);
                });
  }

  private Mono<State> findBegun() {
    return unfinished.exists(root).map(begun -> begun ? State.BEGUN : State.ABSENT);
  }

  private Mono<Boolean> applyPolicy(State state, IfExists policy, boolean erases) {
    return switch (policy) {
      case RESUME -> Mono.just(true);
      case OVERWRITE -> (erases ? hierarchy.erase(root.value()) : Mono.empty()).thenReturn(false);
      case REFUSE ->
          Mono.error(
              () ->
                  exists(
                      state == State.BEGUN
                          ? "an unfinished node exists here, of a copy or an import that was"
                              + " interrupted"
                          : "a node exists here"));
    };
  }

  private NodeExistsException exists(String what) {
    return new NodeExistsException(
        what + "; resume the work, overwrite it, or choose another place",
        Location.ofNode(root.value()));
  }

  /** Refuses keys that belong to no node: readers could take them for chunks of the copy. */
  private Mono<Void> refuseOthers() {
    return hierarchy.store().capabilities().contains(StoreCapability.LIST)
        ? HierarchyRequests.of(hierarchy)
            .listDir(root.prefix())
            .next()
            .flatMap(entry -> Mono.error(() -> others(entry)))
        : Mono.empty();
  }

  private NodeExistsException others(ListEntry entry) {
    return new NodeExistsException(
        "a key that belongs to no node exists here: \""
            + entry.name()
            + "\"; choose another place, or remove it",
        Location.ofNode(root.value()));
  }

  /**
   * Emits the state of a node.
   *
   * @throws NodeExistsException for a node with other metadata
   */
  Mono<State> state(NodePath path, NodeMetadata metadata) {
    return unfinished
        .compare(path, metadata)
        .map(
            same -> {
              if (!same) {
                throw differs(path);
              }
              return State.BEGUN;
            })
        .switchIfEmpty(Mono.defer(() -> findComplete(path, metadata)));
  }

  private Mono<State> findComplete(NodePath path, NodeMetadata metadata) {
    return unfinished
        .exists(path)
        .flatMap(
            other ->
                other
                    ? Mono.error(() -> differs(path))
                    : find(path)
                        .map(
                            found -> {
                              if (!areSame(found.metadata(), metadata)) {
                                throw differs(path);
                              }
                              return State.FINISHED;
                            })
                        .defaultIfEmpty(State.ABSENT));
  }

  private static NodeExistsException differs(NodePath path) {
    return new NodeExistsException(
        "the node here has other metadata than the new one; resume with the options of the first"
            + " run, or overwrite it",
        Location.ofNode(path.value()));
  }

  private static boolean areSame(NodeMetadata one, NodeMetadata other) {
    // compared as text: stored attributes have other tokens for NaN and Infinity
    String attributes = one.attributes().toString();
    if (one.zarrFormat() != other.zarrFormat()
        || !attributes.equals(other.attributes().toString())) {
      return false;
    }
    if (one instanceof ArrayMetadata array && other instanceof ArrayMetadata copy) {
      return areSame(array, copy);
    }
    return one instanceof GroupMetadata && other instanceof GroupMetadata;
  }

  private static boolean areSame(ArrayMetadata one, ArrayMetadata other) {
    return one.shape().equals(other.shape())
        && one.dataType().equals(other.dataType())
        && one.fillValue().equals(other.fillValue())
        && one.chunkGrid().equals(other.chunkGrid())
        && one.chunkKeyEncoding().equals(other.chunkKeyEncoding())
        && one.codecs().equals(other.codecs())
        && one.dimensionNames().equals(other.dimensionNames());
  }

  /** Creates the root of the copy, and its missing ancestors as groups. */
  Mono<Void> create(NodeMetadata metadata) {
    return hierarchy
        .exists(root.value())
        .filter(exists -> !exists)
        .flatMap(
            missing ->
                metadata instanceof ArrayMetadata array
                    ? hierarchy.createArray(root.value(), array).then()
                    : hierarchy.createGroup(root.value(), (GroupMetadata) metadata).then());
  }

  /** Consolidates the metadata of the copy, whose root is a group. */
  Mono<Void> consolidate() {
    return hierarchy.openGroup(root.value()).flatMap(ZarrGroup::consolidate).then();
  }

  /**
   * Consolidates the metadata of the groups above the copy that were consolidated before, and emits
   * their paths. It leaves out a group that cannot hold a node of the copy's format.
   */
  Flux<NodePath> consolidateAbove() {
    return Flux.fromIterable(consolidated)
        .concatMap(
            path ->
                hierarchy
                    .openGroup(path.value())
                    .flatMap(ZarrGroup::consolidate)
                    .map(ZarrGroup::path)
                    .onErrorResume(UnsupportedFeatureException.class, e -> Mono.empty()),
            0);
  }
}
