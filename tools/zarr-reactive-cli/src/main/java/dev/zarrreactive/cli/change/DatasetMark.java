package dev.zarrreactive.cli.change;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.NodePath;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The mark of a dataset that grows: the shapes of its arrays before the append, in {@code
 * zarr.json.partial} beside the document of the group. An append that is killed leaves it, so that
 * the next one does not take arrays of unequal lengths for a dataset. Only stores that can erase
 * get one.
 */
final class DatasetMark {
  private static final String SHAPES = "append_to_shapes";
  private static final String CONSOLIDATED = "consolidated";

  private final ZarrHierarchy hierarchy;
  private final NodePath path;
  private final GrowthMark mark;
  private final String place;

  /**
   * Creates the mark of a group.
   *
   * @param place the group in the user's words
   */
  DatasetMark(ZarrHierarchy node, ZarrGroup group, String place) {
    this.hierarchy = Zarr.hierarchy(node.store(), node.options().withConsolidatedMetadata(false));
    this.path = group.path();
    this.mark = new GrowthMark(node.store(), group.metadata().documentKey(path));
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
    if (!mark.isKept()) {
      return resumes
          ? Mono.error(
              new CommandFailure(
                  "--resume needs the mark of the append that was interrupted, which is left only"
                      + " in a store that can erase; zarr resize gives arrays their shapes of"
                      + " before"))
          : Mono.empty();
    }
    return mark.look()
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
    JsonObject its = JsonObject.EMPTY;
    for (Map.Entry<String, Shape> each : shapes.entrySet()) {
      its = its.with(each.getKey(), GrowthMark.json(each.getValue()));
    }
    List<JsonValue> groups = new ArrayList<>();
    consolidated.forEach(group -> groups.add(new JsonString(group.value())));
    return mark.leave(JsonObject.EMPTY.with(SHAPES, its).with(CONSOLIDATED, new JsonArray(groups)));
  }

  /** Removes the mark. */
  Mono<Void> forget() {
    return mark.forget();
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

  private Before parse(JsonObject document) {
    if (!(document.get(SHAPES) instanceof JsonObject shapes) || shapes.members().isEmpty()) {
      throw mark.foreign();
    }
    Map<String, Shape> found = new LinkedHashMap<>();
    shapes.members().forEach((name, its) -> found.put(name, mark.shape(its)));
    List<String> groups =
        document.get(CONSOLIDATED) instanceof JsonArray paths
            ? paths.elements().stream()
                .filter(JsonString.class::isInstance)
                .map(path -> ((JsonString) path).value())
                .toList()
            : List.of();
    return new Before(found, groups);
  }
}
