package dev.zarrreactive.cli.change;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.cli.command.NodeOperation;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.cli.console.Printable;
import dev.zarrreactive.cli.console.Quantities;
import dev.zarrreactive.cli.location.NodePlace;
import dev.zarrreactive.cli.options.CommitOption;
import dev.zarrreactive.cli.stored.ArrayKeys;
import dev.zarrreactive.copy.CopyChange;
import dev.zarrreactive.copy.CopyOutline;
import dev.zarrreactive.copy.ZarrCopy;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ConsolidatedMetadata;
import dev.zarrreactive.metadata.MetadataLimits;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** {@code zarr migrate}. */
@Command(
    name = "migrate",
    headerHeading = "Example: zarr migrate old.zarr --dry-run%n",
    description = {
      "Makes Zarr v3 of Zarr v2 by metadata alone; chunks stay as they are.",
      "The documents of Zarr v2 stay beside, unless --remove-v2 is given."
    })
public final class MigrateCommand extends NodeOperation {
  private static final List<String> OLD =
      List.of(
          NodePath.V2_ARRAY, NodePath.V2_GROUP, NodePath.V2_ATTRIBUTES, NodePath.V2_CONSOLIDATED);

  @Option(names = "--remove-v2", description = "Erase the documents of Zarr v2 at the end.")
  private boolean removesOld;

  @Option(names = "--dry-run", description = "Only say which documents would be written.")
  private boolean dryRun;

  @Mixin private final CommitOption commit = new CommitOption();

  @Override
  protected CommitOption commit() {
    return commit;
  }

  @Override
  protected String adviceAfterInterrupt() {
    return "documents of Zarr v3 may be there for some nodes, the root's comes last; the same"
        + " command goes on";
  }

  @Override
  protected Mono<Void> execute(CommandConsole console) {
    return locationInHierarchy().in(options().withZarrFormat(2), place -> migrate(place, console));
  }

  private Mono<Void> migrate(NodePlace place, CommandConsole console) {
    place.checkWritable();
    return withWarnings(place.open())
        .then(
            Mono.defer(
                () ->
                    ZarrCopy.of(place.hierarchy(), Zarr.hierarchy(MemoryStore.create()))
                        .from(place.node())
                        .to(place.node())
                        .zarrFormat(3)
                        .outline()))
        .delayUntil(outline -> requireNoOthers(place.hierarchy().store(), outline))
        .flatMap(
            outline ->
                dryRun
                    ? Mono.<Void>fromRunnable(() -> forecast(outline, console))
                        .subscribeOn(console.thread())
                    : check(place, outline)
                        .then(consolidatedPathsAbove(place))
                        .flatMap(above -> write(place, outline, above, console)));
  }

  /** Writes the documents of Zarr v3, and takes the consolidated metadata of the groups above. */
  private Mono<Void> write(
      NodePlace place, CopyOutline outline, List<NodePath> above, CommandConsole console) {
    Store store = place.hierarchy().store();
    return consolidatedGroupsAbove(place)
        .flatMap(
            groups ->
                forget(store, above)
                    .then(Mono.defer(() -> write(place, outline)))
                    .flatMap(
                        consolidated ->
                            Mono.<Void>fromRunnable(
                                    () -> {
                                      report(outline, consolidated, console);
                                      reportRemoved(groups, console);
                                    })
                                .subscribeOn(console.thread())))
        .then(Mono.defer(() -> remarkOfGroup(place, console)));
  }

  /** Removes what groups above know of the nodes below: it has the documents of before. */
  private static Mono<Void> forget(Store store, List<NodePath> above) {
    return Flux.fromIterable(above)
        .concatMap(
            path ->
                store
                    .erase(path.key(NodePath.V2_CONSOLIDATED))
                    .then(store.get(path.documentKey(), MetadataLimits.defaults().range()))
                    .flatMap(text -> withoutConsolidated(store, path, text)),
            0)
        .then();
  }

  private static Mono<Void> withoutConsolidated(Store store, NodePath path, Bytes text) {
    StoreKey key = path.documentKey();
    return JsonDocument.parse(text.asByteBuffer(), Location.ofKey(key.value())).value()
            instanceof JsonObject document
        ? store.set(key, Bytes.utf8(document.without(ConsolidatedMetadata.MEMBER).toPrettyString()))
        : Mono.empty();
  }

  /** Tells of a group above that is still one of Zarr v2, in which other programs look for v2. */
  private Mono<Void> remarkOfGroup(NodePlace place, CommandConsole console) {
    NodePath node = NodePath.of(place.node());
    return node.isRoot()
        ? Mono.empty()
        : Zarr.hierarchy(place.hierarchy().store())
            .inspect(node.parent().value())
            .filter(group -> group.metadata().zarrFormat() == 2)
            .onErrorResume(NodeNotFoundException.class, none -> Mono.empty())
            .publishOn(console.thread())
            .doOnNext(
                group ->
                    console.remark(
                        "the group above is still of Zarr v2; zarr migrate of the whole hierarchy"
                            + " makes Zarr v3 of it"))
            .then();
  }

  /**
   * Refuses to write over a document of Zarr v3 that says something else: since an earlier call the
   * array may have grown.
   */
  private static Mono<Void> requireNoOthers(Store store, CopyOutline outline) {
    return Flux.fromIterable(outline.nodes())
        .concatMap(
            node ->
                store
                    .get(
                        node.metadata().documentKey(node.source()),
                        MetadataLimits.defaults().range())
                    .doOnNext(text -> requireSame(node, text)),
            0)
        .then();
  }

  private static void requireSame(CopyOutline.Node node, Bytes text) {
    StoreKey key = node.metadata().documentKey(node.source());
    JsonValue found = JsonDocument.parse(text.asByteBuffer(), Location.ofKey(key.value())).value();
    JsonValue stored =
        found instanceof JsonObject document
            ? document.without(ConsolidatedMetadata.MEMBER)
            : found;
    if (!stored.equals(node.metadata().document().without(ConsolidatedMetadata.MEMBER))) {
      throw new CommandFailure(
          key
              + " is there already, and differs from what the documents of Zarr v2 say; nothing was"
              + " written. Erase the file if those of Zarr v2 are right, or else those: "
              + String.join(", ", OLD));
    }
  }

  /** Reads one stored chunk of each array by both documents, which must say the same. */
  private static Mono<Void> check(NodePlace place, CopyOutline outline) {
    return Flux.fromIterable(outline.nodes())
        .filter(node -> node.metadata() instanceof ArrayMetadata)
        .concatMap(
            node ->
                place
                    .hierarchy()
                    .openArray(node.source().value())
                    .flatMap(old -> check(place, old, (ArrayMetadata) node.metadata())),
            0)
        .then();
  }

  private static Mono<Void> check(NodePlace place, ZarrArray old, ArrayMetadata metadata) {
    ZarrArray migrated =
        Zarr.hierarchy(place.hierarchy().store()).array(old.path().value(), metadata);
    if (!old.dataType().equals(migrated.dataType())) {
      return Mono.empty(); // the same bytes under another name, which cannot be compared
    }
    ArrayKeys keys = ArrayKeys.of(old);
    return place
        .hierarchy()
        .store()
        .listValues(keys.prefix())
        .mapNotNull(value -> keys.index(value.key()))
        .next()
        .flatMap(index -> Mono.zip(old.readChunk(index), migrated.readChunk(index)))
        .doOnNext(
            both -> {
              if (!both.getT1().equals(both.getT2())) {
                throw new CommandFailure(
                    old.path()
                        + ": a chunk has other elements by the document of Zarr v3; nothing was"
                        + " written, and zarr copy --format 3 copies the chunks");
              }
            })
        .then();
  }

  /** Writes the documents, those below first, and emits whether they are consolidated. */
  private Mono<Boolean> write(NodePlace place, CopyOutline outline) {
    Store store = place.hierarchy().store();
    List<CopyOutline.Node> upwards = new ArrayList<>(outline.nodes());
    Collections.reverse(upwards);
    NodePath top = NodePath.of(place.node());
    return store
        .get(top.key(NodePath.V2_CONSOLIDATED))
        .hasElement()
        .flatMap(
            isConsolidated ->
                Flux.fromIterable(upwards)
                    .concatMap(node -> set(store, node), 0)
                    .then(Mono.defer(() -> isConsolidated ? consolidate(store, top) : Mono.empty()))
                    .then(Mono.defer(() -> removesOld ? remove(store, upwards) : Mono.empty()))
                    .thenReturn(isConsolidated));
  }

  private static Mono<Void> set(Store store, CopyOutline.Node node) {
    return store.set(
        node.metadata().documentKey(node.source()),
        Bytes.utf8(node.metadata().document().toPrettyString()));
  }

  private static Mono<Void> consolidate(Store store, NodePath top) {
    return Zarr.hierarchy(store).openGroup(top.value()).flatMap(ZarrGroup::consolidate).then();
  }

  private static Mono<Void> remove(Store store, List<CopyOutline.Node> nodes) {
    List<StoreKey> keys = new ArrayList<>();
    nodes.forEach(node -> OLD.forEach(name -> keys.add(node.source().key(name))));
    return Flux.fromIterable(keys).concatMap(store::erase, 0).then();
  }

  private static void forecast(CopyOutline outline, CommandConsole console) {
    for (CopyOutline.Node node : outline.nodes()) {
      console
          .out()
          .println(
              Printable.of(
                  node.source()
                      + (node.metadata() instanceof ArrayMetadata array
                          ? "  array " + array.dataType() + array.shape()
                          : "  group")));
    }
    console
        .out()
        .println(
            "Would write "
                + Quantities.plural(outline.nodes().size(), "document")
                + " of Zarr v3, and no chunk.");
  }

  private void report(CopyOutline outline, boolean consolidated, CommandConsole console) {
    console.note(
        "Wrote "
            + Quantities.plural(outline.nodes().size(), "document")
            + " of Zarr v3"
            + (consolidated ? ", consolidated" : "")
            + (removesOld ? ", erased those of Zarr v2" : "; those of Zarr v2 are still there")
            + ".");
    for (CopyChange change : outline.changes()) {
      console.remark(Printable.of("changed " + change));
    }
  }
}
