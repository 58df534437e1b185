package dev.zarrreactive.copy;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.copy.ArrayConversion.Converted;
import dev.zarrreactive.json.JsonText;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.metadata.MetadataReader;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.Bytes;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * What a copy makes. What cannot be is refused here, before anything is written.
 *
 * @param nodes every node, the root first, and each before those below it
 * @param consolidated true where the root of the source has consolidated metadata
 */
record CopyPlan(List<NodeCopy> nodes, boolean consolidated) {
  /** Walks the source. */
  static Mono<CopyPlan> of(
      ZarrHierarchy source,
      NodePath from,
      ZarrHierarchy destination,
      NodePath to,
      Changes changes) {
    return source
        .open(from.value())
        .flatMap(
            root ->
                nodes(root)
                    .concatMap(
                        node ->
                            isReadable(node) ? Mono.just(node) : source.open(node.path().value()),
                        0)
                    .map(node -> copy(node, path(node, from, to), destination, changes))
                    .collectList()
                    .map(nodes -> new CopyPlan(nodes, isConsolidated(root))))
        .doOnNext(plan -> plan.checkShapes(changes));
  }

  private static Flux<ZarrNode> nodes(ZarrNode root) {
    return root instanceof ZarrGroup group ? group.tree().startWith(root) : Flux.just(root);
  }

  private static boolean isConsolidated(ZarrNode root) {
    return root instanceof ZarrGroup group && group.metadata().consolidated() != null;
  }

  /** What is neither is opened, which ends in an error that says why. */
  private static boolean isReadable(ZarrNode node) {
    return node instanceof ZarrArray || node instanceof ZarrGroup;
  }

  private static NodePath path(ZarrNode node, NodePath from, NodePath to) {
    String relative = node.path().value().substring(from.isRoot() ? 0 : from.value().length());
    return to.resolve(relative.startsWith("/") ? relative.substring(1) : relative);
  }

  private static NodeCopy copy(
      ZarrNode node, NodePath path, ZarrHierarchy destination, Changes changes) {
    if (node instanceof ZarrArray array) {
      Converted converted =
          ArrayConversion.of(
              array.path(), array.metadata(), path, changes, destination.options().codecs());
      ZarrArray copy = destination.array(path.value(), converted.metadata());
      return new NodeCopy(
          array, path, converted.metadata(), converted.changes(), new ArrayCopy(array, copy));
    }
    NodeMetadata group = group((GroupMetadata) node.metadata(), path, changes);
    return new NodeCopy(node, path, group, List.of(), null);
  }

  /** The document stays, but for the metadata of the nodes below, which may be others now. */
  private static NodeMetadata group(GroupMetadata source, NodePath path, Changes changes) {
    int format = changes.zarrFormat(source);
    if (format != 3 || !changes.keepsFormat(source)) {
      return GroupMetadata.of(format, source.attributes());
    }
    return MetadataReader.read(
        Bytes.utf8(JsonText.write(source.document().without("consolidated_metadata"))), path);
  }

  /** A shape that no array has use for is a mistake. */
  private void checkShapes(Changes changes) {
    for (Shape shape :
        Stream.of(changes.chunkShape(), changes.shardShape()).filter(Objects::nonNull).toList()) {
      boolean used =
          nodes.stream()
              .anyMatch(
                  node ->
                      node.metadata() instanceof ArrayMetadata array
                          && array.shape().rank() == shape.rank());
      if (!used) {
        throw new IllegalArgumentException(
            "no array to be copied has the " + shape.rank() + " dimensions of chunks of " + shape);
      }
    }
  }

  NodeCopy root() {
    return nodes.get(0);
  }

  /** Before anything is done. */
  CopyProgress beginning() {
    long chunks = 0;
    for (NodeCopy node : nodes) {
      chunks = Sizes.sum(chunks, node.chunkCount());
    }
    List<CopyChange> changes = nodes.stream().flatMap(node -> node.changes().stream()).toList();
    return new CopyProgress(
        root().path(), 0, nodes.size(), 0, chunks, 0, new CopyReport(changes, 0, 0, 0));
  }
}
