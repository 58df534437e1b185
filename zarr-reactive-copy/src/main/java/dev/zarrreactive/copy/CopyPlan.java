package dev.zarrreactive.copy;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.copy.ArrayConversion.Converted;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.context.HierarchyRequests;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.planning.ArrayPart;
import dev.zarrreactive.internal.planning.SaturatingSize;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The nodes that a copy creates. A node that cannot be copied is refused here, before the first
 * write.
 *
 * @param nodes every node, the root first, and each before those below it
 * @param omitted the highest nodes of the source that are left out
 * @param consolidated whether the root of the source has consolidated metadata
 */
record CopyPlan(List<NodeCopy> nodes, List<NodePath> omitted, boolean consolidated) {
  /**
   * The planned copy of one node.
   *
   * @param source the node that is copied
   * @param path its path in the destination
   * @param metadata the metadata of the copy
   * @param changes the parts that other programs need in another form
   * @param chunks the copy of its chunks; null for a group
   */
  record NodeCopy(
      ZarrNode source,
      NodePath path,
      NodeMetadata metadata,
      List<CopyChange> changes,
      @Nullable ArrayCopy chunks) {
    long chunkCount() {
      return chunks == null ? 0 : chunks.chunkCount();
    }

    long chunkBytes() {
      return chunks == null ? 0 : chunks.bytesOf(chunks.chunkCount());
    }

    Mono<CopyOutline.Node> outline() {
      Mono<CopyOutline.Stored> stored =
          chunks == null
              ? Mono.just(new CopyOutline.Stored(0, 0))
              : chunks.countStored().defaultIfEmpty(CopyOutline.Stored.NOT_LISTED);
      return stored.map(
          found ->
              new CopyOutline.Node(
                  source.path(),
                  path,
                  metadata,
                  chunkCount(),
                  chunks == null ? 0 : chunks.byteSize(),
                  found.chunks(),
                  found.bytes()));
    }
  }

  /** Reads the source, and plans the copy of each node. */
  static Mono<CopyPlan> of(
      ZarrHierarchy source,
      NodeChoice choice,
      ZarrHierarchy destination,
      NodePath to,
      CopyConversion changes) {
    return source
        .open(choice.from().value())
        .flatMap(
            root ->
                nodes(root)
                    .collectList()
                    .map(choice::choose)
                    .flatMap(
                        chosen ->
                            Flux.fromIterable(chosen.nodes())
                                .concatMap(
                                    node ->
                                        isReadable(node)
                                            ? Mono.just(node)
                                            : source.open(node.path().value()),
                                    0)
                                .map(node -> copy(node, source, choice, destination, to, changes))
                                .collectList()
                                .map(
                                    nodes ->
                                        new CopyPlan(
                                            nodes, chosen.omitted(), isConsolidated(root)))))
        .doOnNext(plan -> plan.checkShapes(changes));
  }

  private static Flux<ZarrNode> nodes(ZarrNode root) {
    return root instanceof ZarrGroup group ? group.tree().startWith(root) : Flux.just(root);
  }

  private static boolean isConsolidated(ZarrNode root) {
    return root instanceof ZarrGroup group && group.metadata().consolidated() != null;
  }

  /**
   * Returns whether a node is an array or a group. Opening any other node fails with the reason.
   */
  private static boolean isReadable(ZarrNode node) {
    return node instanceof ZarrArray || node instanceof ZarrGroup;
  }

  private static NodePath path(ZarrNode node, NodePath from, NodePath to) {
    String relative = node.path().value().substring(from.isRoot() ? 0 : from.value().length());
    return to.resolve(relative.startsWith("/") ? relative.substring(1) : relative);
  }

  private static NodeCopy copy(
      ZarrNode node,
      ZarrHierarchy source,
      NodeChoice choice,
      ZarrHierarchy destination,
      NodePath to,
      CopyConversion changes) {
    NodePath path = path(node, choice.from(), to);
    checkNames(node, path, changes);
    if (node instanceof ZarrArray array) {
      ArrayPart part = ArrayPart.of(array.shape(), choice.of(array));
      ArrayMetadata metadata =
          part.isWhole()
              ? array.metadata()
              : array.metadata().withShape(part.shape(), array.metadata().chunkGrid());
      Converted converted =
          ArrayConversion.of(array.path(), metadata, path, changes, destination.options().codecs());
      ZarrArray copy = destination.array(path.value(), converted.metadata());
      return new NodeCopy(
          array,
          path,
          converted.metadata(),
          converted.changes(),
          new ArrayCopy(array, part, copy, HierarchyRequests.of(source)));
    }
    if (choice.selection() != null) {
      throw new IllegalArgumentException(
          "a selection is of an array, and "
              + node.path()
              + " is a group; select along a dimension by its name");
    }
    NodeMetadata group = group((GroupMetadata) node.metadata(), path, changes);
    return new NodeCopy(node, path, group, List.of(), null);
  }

  /** Refuses a name that the format of the copy reserves. */
  private static void checkNames(ZarrNode node, NodePath path, CopyConversion changes) {
    try {
      path.checkNames(changes.zarrFormat(node.metadata()));
    } catch (IllegalArgumentException e) {
      throw new UnsupportedFeatureException(
          e.getMessage() + ", exclude it, or keep Zarr v2",
          Location.ofNode(node.path().value()),
          e);
    }
  }

  /**
   * Returns the document of a group without its consolidated metadata, which the copy may make
   * stale.
   */
  private static NodeMetadata group(GroupMetadata source, NodePath path, CopyConversion changes) {
    int format = changes.zarrFormat(source);
    if (format != 3 || !changes.keepsFormat(source)) {
      return GroupMetadata.of(format, source.attributes());
    }
    return NodeMetadata.parse(
        Bytes.utf8(source.document().without("consolidated_metadata").toString()), path);
  }

  /** Refuses a shape that fits no array. */
  private void checkShapes(CopyConversion changes) {
    for (Shape shape :
        Stream.of(changes.chunkShapes(), changes.shardShapes())
            .flatMap(shapes -> shapes.values().stream())
            .toList()) {
      boolean used =
          nodes.stream()
              .anyMatch(
                  node ->
                      node.metadata() instanceof ArrayMetadata array
                          && array.shape().rank() == shape.rank());
      if (!used) {
        throw new IllegalArgumentException(
            "no array of the copy has "
                + shape.rank()
                + " dimensions, as the shape "
                + shape
                + " has");
      }
    }
  }

  NodeCopy root() {
    return nodes.get(0);
  }

  /** Returns the progress before the first step. */
  CopyProgress beginning() {
    long chunks = 0;
    long bytes = 0;
    for (NodeCopy node : nodes) {
      bytes = SaturatingSize.sum(bytes, node.chunkBytes());
      chunks = SaturatingSize.sum(chunks, node.chunkCount());
    }
    CopyReport report = new CopyReport(changes(), 0, 0, 0, List.of());
    return new CopyProgress(root().path(), 0, nodes.size(), 0, chunks, 0, bytes, 0, report);
  }

  private List<CopyChange> changes() {
    return nodes.stream().flatMap(node -> node.changes().stream()).toList();
  }

  /** Emits the outline; the stored chunks are listed, {@code concurrency} arrays at a time. */
  Mono<CopyOutline> outline(int concurrency) {
    return Concurrently.mapInOrder(Flux.fromIterable(nodes), concurrency, NodeCopy::outline)
        .collectList()
        .map(outlines -> new CopyOutline(outlines, changes()));
  }
}
