package dev.zarrreactive.cli.change;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.StagedStore;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The mark of a dataset that grows: the shapes of its arrays before the append, in {@code
 * zarr.json.partial} beside the document of the group. An append that is killed leaves it, so that
 * the next one does not take arrays of unequal lengths for a dataset. Only stores that can erase
 * get one.
 */
final class DatasetMark {
  private static final String SUFFIX = ".partial";
  private static final String SHAPES = "append_to_shapes";
  private static final String CONSOLIDATED = "consolidated";
  private static final long LARGEST = 1 << 22;

  private final ZarrHierarchy hierarchy;
  private final NodePath path;
  private final Store store;
  private final StoreKey key;
  private final String place;

  /**
   * Creates the mark of a group.
   *
   * @param place the group in the user's words
   */
  DatasetMark(ZarrHierarchy node, ZarrGroup group, String place) {
    this.store = node.store();
    this.hierarchy = Zarr.hierarchy(store, node.options().withConsolidatedMetadata(false));
    this.path = group.path();
    this.key = StoreKey.of(group.metadata().documentKey(path).value() + SUFFIX);
    this.place = place;
  }

  /**
   * The state before an append.
   *
   * @param shapes of the arrays, by their names
   * @param consolidated the paths of the groups with consolidated metadata
   */
  record Before(Map<String, Shape> shapes, List<String> consolidated) {}

  /**
   * Looks for the mark of an append that has not ended, and takes its rows off where it is made
   * again. A mark whose arrays have their shapes of before is removed.
   *
   * @param resumes whether the append is made again
   * @return the state before that append; empty without a mark
   */
  Mono<Before> look(boolean resumes) {
    if (!isMarked()) {
      return resumes
          ? Mono.error(
              new CommandFailure(
                  "--resume needs the mark of the append that was interrupted, which is left only"
                      + " in a store that can erase; zarr resize gives arrays their shapes of"
                      + " before"))
          : Mono.empty();
    }
    return store
        .get(key, ByteRange.whole(LARGEST))
        .map(this::parse)
        .flatMap(before -> found(before, resumes))
        .switchIfEmpty(
            Mono.defer(
                () ->
                    resumes
                        ? Mono.error(
                            new CommandFailure(
                                "no append was interrupted here; SRC is appended without --resume"))
                        : Mono.empty()));
  }

  private Mono<Before> found(Before before, boolean resumes) {
    return Flux.fromIterable(before.shapes().entrySet())
        .concatMap(
            each ->
                hierarchy
                    .openArray(path.resolve(each.getKey()).value())
                    .filter(array -> !array.shape().equals(each.getValue()))
                    .flatMap(
                        array ->
                            resumes
                                ? array.resize(each.getValue()).then(Mono.<ZarrArray>empty())
                                : Mono.just(array)),
            0)
        .next()
        .flatMap(
            grown ->
                Mono.<Before>error(
                    new CommandFailure(
                        "an append has begun here and has not ended: "
                            + grown.path().name()
                            + " had the shape "
                            + before.shapes().get(grown.path().name())
                            + " and has "
                            + grown.shape()
                            + "; "
                            + advice(before.shapes(), place))))
        .switchIfEmpty(Mono.defer(() -> forget().thenReturn(before)));
  }

  /** Leaves the mark. */
  Mono<Void> leave(Map<String, Shape> shapes, List<NodePath> consolidated) {
    if (!isMarked()) {
      return Mono.empty();
    }
    JsonObject its = JsonObject.EMPTY;
    for (Map.Entry<String, Shape> each : shapes.entrySet()) {
      List<JsonValue> extents = new ArrayList<>();
      for (long extent : each.getValue().toArray()) {
        extents.add(JsonNumber.of(extent));
      }
      its = its.with(each.getKey(), new JsonArray(extents));
    }
    List<JsonValue> groups = new ArrayList<>();
    consolidated.forEach(group -> groups.add(new JsonString(group.value())));
    JsonObject document =
        JsonObject.EMPTY.with(SHAPES, its).with(CONSOLIDATED, new JsonArray(groups));
    boolean isConditional = store.capabilities().contains(StoreCapability.CONDITIONAL_WRITE);
    return store
        .set(
            key,
            Bytes.utf8(document.toString()),
            isConditional ? Precondition.ABSENT : Precondition.NONE)
        .then();
  }

  /** Removes the mark. */
  Mono<Void> forget() {
    return isMarked() ? store.erase(key) : Mono.empty();
  }

  /** Returns false for a store that keeps a mark for ever, or in which no append is cut short. */
  private boolean isMarked() {
    return store.capabilities().contains(StoreCapability.ERASE) && !StagedStore.isOne(store);
  }

  /** Emits true if an array has another shape than before. */
  Mono<Boolean> hasGrown(Map<String, Shape> shapes) {
    return Flux.fromIterable(shapes.entrySet())
        .concatMap(
            each ->
                hierarchy
                    .openArray(path.resolve(each.getKey()).value())
                    .map(now -> !now.shape().equals(each.getValue()))
                    .onErrorReturn(ZarrException.class, true),
            0)
        .any(hasGrown -> hasGrown);
  }

  /** Returns how an append that has not ended is made again, or taken back. */
  static String advice(Map<String, Shape> shapes, String place) {
    String first = shapes.keySet().iterator().next();
    return "the same command with --resume appends all of SRC to the shapes of before; zarr resize"
        + " gives "
        + String.join(", ", shapes.keySet())
        + " their extent of before, as in: zarr resize "
        + place
        + "/"
        + first
        + " "
        + String.valueOf(shapes.get(first)).replaceAll("[\\[\\] ]", "");
  }

  private Before parse(Bytes mark) {
    JsonValue value =
        JsonDocument.parseAttributes(mark.asByteBuffer(), Location.ofKey(key.value())).value();
    if (!(value instanceof JsonObject document)
        || !(document.get(SHAPES) instanceof JsonObject shapes)
        || shapes.members().isEmpty()) {
      throw foreign();
    }
    Map<String, Shape> found = new LinkedHashMap<>();
    shapes.members().forEach((name, its) -> found.put(name, shape(its)));
    List<String> groups =
        document.get(CONSOLIDATED) instanceof JsonArray paths
            ? paths.elements().stream()
                .filter(JsonString.class::isInstance)
                .map(path -> ((JsonString) path).value())
                .collect(Collectors.toList())
            : List.of();
    return new Before(found, groups);
  }

  private Shape shape(JsonValue value) {
    if (!(value instanceof JsonArray extents)) {
      throw foreign();
    }
    try {
      return Shape.of(
          extents.elements().stream().mapToLong(each -> Long.parseLong(each.toString())).toArray());
    } catch (IllegalArgumentException e) {
      throw foreign();
    }
  }

  private CommandFailure foreign() {
    return new CommandFailure(
        "the key "
            + key
            + " is not the mark of this command's append, but of a copy or of a write of Spark; the"
            + " program that left it finishes it, or erase that key");
  }
}
