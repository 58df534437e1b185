package dev.zarrreactive.cli.check;

import dev.zarrreactive.UnreadableNode;
import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.cli.stored.ArrayKeys;
import dev.zarrreactive.cli.stream.WorkProgress;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.internal.context.HierarchyRequests;
import dev.zarrreactive.internal.copying.PathGlobs;
import dev.zarrreactive.internal.planning.SaturatingSize;
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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Checks a node and everything below it, and goes on after a finding. Metadata are read from the
 * documents of the nodes themselves, unless the store cannot list.
 */
public final class HierarchyCheck {
  /** The end of the names of documents that an unfinished copy has. */
  private static final String PARTIAL = ".partial";

  /** The most nodes in no listing that are named. */
  private static final int MOST_UNLISTED = 20;

  private final ZarrHierarchy consolidating;
  private final ZarrHierarchy plain;
  private final boolean canList;
  private final boolean withData;
  private final Consumer<ZarrNode> onNode;
  private final Consumer<String> onWarning;
  private final WorkProgress progress;
  private final AtomicLong nodes = new AtomicLong();

  /** The paths of the nodes in listings, and those of the unreadable ones among them. */
  private final Set<NodePath> listed = ConcurrentHashMap.newKeySet();

  private final Set<NodePath> unreadable = ConcurrentHashMap.newKeySet();
  private final AtomicLong unlisted = new AtomicLong();
  private final AtomicLong chunks = new AtomicLong();
  private final StoredKeys keys = new StoredKeys();

  /**
   * Creates a check, to be used once.
   *
   * @param withData whether every stored chunk is decoded
   * @param onNode is called with every node, on any thread
   * @param onWarning is called with warnings that are about no listed node, on any thread
   * @param progress is told what is decoded of each array
   */
  public HierarchyCheck(
      ZarrHierarchy hierarchy,
      ZarrOptions options,
      boolean withData,
      Consumer<ZarrNode> onNode,
      Consumer<String> onWarning,
      WorkProgress progress) {
    this.onWarning = onWarning;
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

  /** Returns a line for each array that lacks chunks, as far as keys were listed. */
  public List<String> missing() {
    return keys.missing();
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
            .concatMap(node -> node(node, !choice.acceptsAll()), 1);
    Flux<Finding> ofKeys = Flux.defer(() -> Flux.fromIterable(keys.findings(onWarning)));
    return Flux.concat(
        List.of(
            inNodes,
            canList && choice.acceptsAll() ? documentsOfNoNode(NodePath.of(path)) : Flux.empty(),
            ofKeys));
  }

  /** Checks what is beside the metadata of an array. */
  private Flux<Finding> array(ZarrArray array, boolean isListedAlone) {
    boolean areKeysSeen = canList && array.metadata().draft() == null;
    if (areKeysSeen) {
      keys.add(array);
    }
    Mono<Void> listed =
        areKeysSeen && isListedAlone
            ? HierarchyRequests.of(plain)
                .listPrefix(ArrayKeys.of(array).prefix())
                .doOnNext(keys::see)
                .then()
            : Mono.empty();
    return Flux.concat(
        List.of(
            listed.then(Mono.<Finding>empty()).flux(),
            CoordinateCheck.of(array, withData)
                .doOnNext(onWarning)
                .then(Mono.<Finding>empty())
                .flux(),
            withData ? data(array) : Flux.<Finding>empty()));
  }

  private Flux<ZarrNode> tree(ZarrNode node) {
    return node instanceof ZarrGroup group ? group.tree().startWith(node) : Flux.just(node);
  }

  private Flux<Finding> node(ZarrNode node, boolean isChoice) {
    nodes.incrementAndGet();
    onNode.accept(node);
    listed.add(node.path());
    if (node instanceof UnreadableNode broken) {
      unreadable.add(node.path());
      return Flux.just(Finding.of(node.path(), broken.error()));
    }
    ConventionCheck.of(node).forEach(onWarning);
    if (node instanceof ZarrArray array) {
      return array(array, isChoice);
    }
    return checkConsolidated((ZarrGroup) node);
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

  private Flux<Finding> checkConsolidated(ZarrGroup group) {
    NodePath path = group.path();
    return consolidating
        .inspect(path.value())
        .flatMapMany(
            found -> {
              if (!(found.metadata() instanceof GroupMetadata metadata)) {
                return Flux.empty();
              }
              onNode.accept(found);
              ConsolidatedMetadata consolidated = metadata.consolidated();
              Flux<Finding> broken =
                  Flux.fromIterable(problems(metadata))
                      .map(
                          problem ->
                              new Finding(
                                  path.value(), "consolidated metadata: " + problem.getMessage()));
              return consolidated == null || !canList
                  ? broken
                  : Flux.concat(List.of(broken, compare(group, consolidated)));
            });
  }

  private static List<MetadataException> problems(GroupMetadata metadata) {
    ConsolidatedMetadata consolidated = metadata.consolidated();
    if (consolidated != null) {
      return consolidated.problems();
    }
    MetadataException problem = metadata.consolidatedProblem();
    return problem == null ? List.of() : List.of(problem);
  }

  /** Compares the consolidated metadata of a group with the documents of the nodes below it. */
  private static Flux<Finding> compare(ZarrGroup group, ConsolidatedMetadata consolidated) {
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

  /**
   * Finds the documents of unfinished copies, and those of nodes that no group lists. The whole
   * hierarchy is listed for them.
   */
  private Flux<Finding> documentsOfNoNode(NodePath root) {
    return HierarchyRequests.of(plain)
        .listValues(root.prefix())
        .map(ListEntry.Key::key)
        .doOnNext(keys::see)
        .doOnNext(this::warnOfUnlisted)
        .filter(HierarchyCheck::isPartial)
        .map(
            key ->
                new Finding(
                    key.value(),
                    "left by an unfinished copy, import or append; the command that began it finishes it"
                        + " with --resume"));
  }

  private static boolean isPartial(StoreKey key) {
    String text = key.value();
    return text.endsWith(PARTIAL)
        && NodePath.isDocumentKey(text.substring(0, text.length() - PARTIAL.length()));
  }

  /** Warns of a node in no listing. Nodes below an unreadable one are not looked for. */
  private void warnOfUnlisted(StoreKey key) {
    NodePath node = NodePath.ofDocument(key).orElse(null);
    if (node == null
        || listed.contains(node)
        || unreadable.stream().anyMatch(above -> above.contains(node))
        || unlisted.incrementAndGet() > MOST_UNLISTED) {
      return;
    }
    String why =
        listed.contains(node.parent())
            ? node.parent() + " is an array, or a group of another version of Zarr"
            : "there is no group at " + node.parent();
    onWarning.accept("no group lists the node " + node + ": " + why + " (key " + key + ")");
  }
}
