package dev.zarrreactive.cli.change;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.cli.location.NodePlace;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.context.ConditionalUpdate;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.DimensionNames;
import dev.zarrreactive.metadata.MetadataLimits;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Another name for a dimension of a group, in all arrays of the group and below it, and for the
 * array that is its coordinate.
 *
 * @param arrays those that have the dimension, below the group
 * @param coordinate true if there is an array of the old name, which is moved
 */
record RenamedDimension(
    NodePlace place,
    NodePath group,
    String from,
    String to,
    List<ZarrArray> arrays,
    boolean coordinate) {
  /** The attributes whose words name variables or dimensions (CF 3.4, 5, 7). */
  private static final Set<String> NAMING =
      Set.of(
          "coordinates",
          "bounds",
          "climatology",
          "grid_mapping",
          "ancillary_variables",
          "cell_measures",
          "cell_methods",
          "formula_terms");

  /**
   * Looks at the arrays of a group.
   *
   * @throws CommandFailure if no array has the dimension, or one has the new name already, too
   */
  static Mono<RenamedDimension> of(NodePlace place, NodePath group, String from, String to) {
    return place
        .hierarchy()
        .openGroup(group.value())
        .flatMapMany(ZarrGroup::tree)
        .collectList()
        .map(nodes -> of(place, group, from, to, nodes));
  }

  private static RenamedDimension of(
      NodePlace place, NodePath group, String from, String to, List<ZarrNode> nodes) {
    List<ZarrArray> all =
        nodes.stream().filter(ZarrArray.class::isInstance).map(ZarrArray.class::cast).toList();
    List<ZarrArray> having = all.stream().filter(array -> names(array).contains(from)).toList();
    boolean hasCoordinate = has(nodes, group.resolve(from));
    if (having.isEmpty() && !hasCoordinate) {
      String there =
          all.stream()
              .flatMap(array -> names(array).stream())
              .filter(name -> name != null)
              .distinct()
              .sorted()
              .collect(Collectors.joining(", "));
      throw new CommandFailure(
          "no array of "
              + group
              + " has the dimension "
              + from
              + (there.isEmpty() ? "; their dimensions have no names" : "; there are " + there));
    }
    if (hasCoordinate && has(nodes, group.resolve(to))) {
      throw new CommandFailure(group.resolve(to) + ": a node exists there");
    }
    for (ZarrArray array : having) {
      DimensionNames found = DimensionNames.of(array.metadata());
      if (found.names().contains(to)) {
        throw new CommandFailure(array.path() + " has the dimension " + to + ", too");
      }
      if (array.metadata().zarrFormat() == 2
          && !(array.attributes().get(DimensionNames.ATTRIBUTE) instanceof JsonArray)) {
        throw new CommandFailure(
            array.path()
                + " has the names of its dimensions in "
                + found.place()
                + ", which this command cannot change; zarr copy --format 3 makes names of Zarr v3");
      }
    }
    return new RenamedDimension(place, group, from, to, having, hasCoordinate);
  }

  private static List<@Nullable String> names(ZarrArray array) {
    return DimensionNames.of(array.metadata()).names();
  }

  private static boolean has(List<ZarrNode> nodes, NodePath path) {
    return nodes.stream().anyMatch(node -> node.path().equals(path));
  }

  /** Says what is renamed. */
  String words() {
    return "the dimension "
        + from
        + " to "
        + to
        + " in "
        + arrays.size()
        + (arrays.size() == 1 ? " array" : " arrays")
        + (coordinate ? ", and its coordinate" : "");
  }

  /** Renames. The coordinate is moved last: until then the same call finds what is left to do. */
  Mono<Void> run() {
    return Flux.fromIterable(arrays)
        .concatMap(this::rename, 0)
        .then(
            Mono.defer(
                () ->
                    coordinate
                        ? place
                            .hierarchy()
                            .move(group.resolve(from).value(), group.resolve(to).value())
                        : Mono.empty()));
  }

  private Mono<Void> rename(ZarrArray array) {
    if (array.metadata().zarrFormat() == 2) {
      return array
          .updateAttributes(
              all ->
                  words(all)
                      .with(DimensionNames.ATTRIBUTE, renamed(all.get(DimensionNames.ATTRIBUTE))))
          .then();
    }
    Store store = place.hierarchy().store();
    ArrayMetadata metadata = array.metadata();
    return array
        .updateAttributes(all -> words(all)) // removes the consolidated metadata above, too
        .then(
            Mono.defer(
                () ->
                    ConditionalUpdate.attempt(
                        store,
                        metadata.documentKey(array.path()),
                        target ->
                            target
                                .read(MetadataLimits.defaults().range())
                                .flatMap(text -> target.set(renamed(array, text))))));
  }

  private Bytes renamed(ZarrArray array, Bytes text) {
    JsonObject document =
        (JsonObject)
            JsonDocument.parse(text.asByteBuffer(), Location.ofNode(array.path().value())).value();
    return Bytes.utf8(
        document
            .with("dimension_names", renamed(document.get("dimension_names")))
            .toPrettyString());
  }

  private JsonValue renamed(@Nullable JsonValue names) {
    List<JsonValue> renamed = new ArrayList<>();
    for (JsonValue name : ((JsonArray) names).elements()) {
      boolean isIt = name instanceof JsonString text && text.value().equals(from);
      renamed.add(isIt ? new JsonString(to) : name);
    }
    return new JsonArray(renamed);
  }

  /** Returns the attributes with the new name in the lists of names. */
  private JsonObject words(JsonObject attributes) {
    JsonObject changed = attributes;
    for (String name : NAMING) {
      if (attributes.get(name) instanceof JsonString text) {
        String others =
            java.util.Arrays.stream(text.value().split(" ", -1))
                .map(word -> word.equals(from) ? to : word.equals(from + ":") ? to + ":" : word)
                .collect(Collectors.joining(" "));
        changed = others.equals(text.value()) ? changed : changed.with(name, others);
      }
    }
    return changed;
  }
}
