package dev.zarrreactive.cli.check;

import dev.zarrreactive.UnreadableNode;
import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.cli.stream.WorkProgress;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.internal.planning.SaturatingSize;
import dev.zarrreactive.internal.text.PathGlobs;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ConsolidatedMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.StoreCapability;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import reactor.core.publisher.Flux;

/**
 * Checks a node and everything below it, and goes on after a finding. Metadata are read from the
 * documents of the nodes themselves, unless the store cannot list.
 */
public final class HierarchyCheck {
  /** The end of the names of documents that an unfinished copy has. */
  private static final String PARTIAL = ".partial";

  private final ZarrHierarchy consolidating;
  private final ZarrHierarchy plain;
  private final boolean canList;
  private final boolean withData;
  private final Consumer<ZarrNode> onNode;
  private final WorkProgress progress;
  private final AtomicLong nodes = new AtomicLong();
  private final AtomicLong chunks = new AtomicLong();

  /**
   * Creates a check, to be used once.
   *
   * @param withData whether every stored chunk is decoded
   * @param onNode is called with every node, on any thread
   * @param progress is told what is decoded of each array
   */
  public HierarchyCheck(
      ZarrHierarchy hierarchy,
      ZarrOptions options,
      boolean withData,
      Consumer<ZarrNode> onNode,
      WorkProgress progress) {
    this.progress = progress;
    this.consolidating = hierarchy;
    this.canList = hierarchy.store().capabilities().contains(StoreCapability.LIST);
    this.plain =
        canList
            ? Zarr.hierarchy(hierarchy.store(), options.withConsolidatedMetadata(false))
            : hierarchy;
    this.withData = withData;
    this.onNode = onNode;
  }

  /** Returns how many nodes were read until now. */
  public long nodes() {
    return nodes.get();
  }

  /** Returns how many stored chunks were decoded until now, shards where there are shards. */
  public long chunks() {
    return chunks.get();
  }

  /**
   * Emits the findings of the node at {@code path}, under demand.
   *
   * @param choice of the nodes below it; files of unfinished copies are found without a choice
   */
  public Flux<Finding> of(String path, PathGlobs choice) {
    Flux<Finding> inNodes =
        plain
            .inspect(path)
            .flatMapMany(this::tree)
            .filter(
                node ->
                    choice.acceptsAll()
                        || choice.accepts(NodePath.of(path).relativize(node.path())))
            .concatMap(this::node, 1);
    return canList && choice.acceptsAll()
        ? Flux.concat(List.of(inNodes, partialFiles(NodePath.of(path))))
        : inNodes;
  }

  private Flux<ZarrNode> tree(ZarrNode node) {
    return node instanceof ZarrGroup group ? group.tree().startWith(node) : Flux.just(node);
  }

  private Flux<Finding> node(ZarrNode node) {
    nodes.incrementAndGet();
    onNode.accept(node);
    if (node instanceof UnreadableNode unreadable) {
      return Flux.just(Finding.of(node.path(), unreadable.error()));
    }
    if (node instanceof ZarrArray array) {
      return withData ? data(array) : Flux.empty();
    }
    return consolidated((ZarrGroup) node);
  }

  private Flux<Finding> data(ZarrArray array) {
    LongConsumer onChunk =
        bytes -> {
          chunks.incrementAndGet();
          progress.add(bytes);
        };
    return Flux.defer(
        () -> {
          progress.begin(
              array.path().value(), SaturatingSize.bytes(array.shape(), array.dataType()));
          return new ChunkCheck(array, canList, onChunk).findings();
        });
  }

  private Flux<Finding> consolidated(ZarrGroup group) {
    NodePath path = group.path();
    return consolidating
        .inspect(path.value())
        .flatMapMany(
            found -> {
              if (!(found.metadata() instanceof GroupMetadata metadata)) {
                return Flux.empty();
              }
              MetadataException problem = metadata.consolidatedProblem();
              ConsolidatedMetadata consolidated = metadata.consolidated();
              if (problem != null) {
                return Flux.just(
                    new Finding(path.value(), "consolidated metadata: " + problem.getMessage()));
              }
              return consolidated == null || !canList
                  ? Flux.empty()
                  : compared(group, consolidated);
            });
  }

  /** Compares the consolidated metadata of a group with the documents of the nodes below it. */
  private static Flux<Finding> compared(ZarrGroup group, ConsolidatedMetadata consolidated) {
    NodePath path = group.path();
    return Flux.defer(
        () -> {
          Set<String> unseen = new TreeSet<>(consolidated.paths());
          Flux<Finding> stale =
              group
                  .tree()
                  .handle(
                      (node, sink) -> {
                        String name = path.relativize(node.path());
                        unseen.remove(name);
                        NodeMetadata known = consolidated.look(name);
                        if (known == null) {
                          sink.next(
                              new Finding(path.value(), "consolidated metadata lack " + name));
                        } else if (!same(known, node.metadata())) {
                          sink.next(
                              new Finding(
                                  path.value(),
                                  "consolidated metadata of " + name + " are out of date"));
                        }
                      });
          Flux<Finding> gone =
              Flux.defer(() -> Flux.fromIterable(unseen))
                  .map(
                      name ->
                          new Finding(
                              path.value(),
                              "consolidated metadata have " + name + ", which is not there"));
          return Flux.concat(List.of(stale, gone));
        });
  }

  private static boolean same(NodeMetadata known, NodeMetadata found) {
    return known.zarrFormat() == found.zarrFormat()
        && document(known).equals(document(found))
        && known.attributes().equals(found.attributes());
  }

  /** Returns the document without the consolidated metadata of its own. */
  private static JsonObject document(NodeMetadata metadata) {
    return metadata.document().without(ConsolidatedMetadata.MEMBER).without("attributes");
  }

  /** Finds the documents of unfinished copies. The whole hierarchy is listed for them. */
  private Flux<Finding> partialFiles(NodePath root) {
    return plain
        .requests()
        .listValues(root.prefix())
        .map(ListEntry.Key::key)
        .filter(
            key ->
                key.value().endsWith(PARTIAL)
                    && NodePath.isDocumentKey(
                        key.value().substring(0, key.value().length() - PARTIAL.length())))
        .map(
            key ->
                new Finding(
                    key.value(),
                    "left by an unfinished copy, import or append; the command that began it finishes it"
                        + " with --resume"));
  }
}
