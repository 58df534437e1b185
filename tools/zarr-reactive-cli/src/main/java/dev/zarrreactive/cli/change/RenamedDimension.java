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
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Another name for a dimension of a group, in all arrays of the group and below it, and for the
 * arrays that are its coordinates.
 *
 * @param arrays those that have the dimension, below the group
 * @param coordinates the arrays of the old name, which are moved: that of the group, and those
 *     below that have no other dimension
 */
record RenamedDimension(
    NodePlace place,
    NodePath group,
    String from,
    String to,
    List<ZarrArray> arrays,
    List<NodePath> coordinates) {
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
   * @throws CommandFailure if no array has the dimension, one has the new name already, too, or a
   *     group has another dimension of that name
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
    List<NodePath> coordinates =
        nodes.stream()
            .filter(node -> isCoordinate(node, group, from, to))
            .map(ZarrNode::path)
            .toList();
    if (having.isEmpty() && coordinates.isEmpty()) {
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
    for (NodePath coordinate : coordinates) {
      NodePath moved = coordinate.parent().resolve(to);
      if (has(nodes, moved)) {
        throw new CommandFailure(moved + ": a node exists there");
      }
    }
    for (ZarrArray array : having) {
      DimensionNames found = DimensionNames.of(array.metadata());
      if (found.names().contains(to)) {
        throw new CommandFailure(array.path() + " has the dimension " + to + ", too");
      }
      all.forEach(other -> requireOneExtent(array, from, other, to));
      if (array.metadata().zarrFormat() == 2
          && !(array.attributes().get(DimensionNames.ATTRIBUTE) instanceof JsonArray)) {
        throw new CommandFailure(
            array.path()
                + " has the names of its dimensions in "
                + found.place()
                + ", which this command cannot change; zarr copy --format 3 makes names of Zarr v3");
      }
    }
    return new RenamedDimension(place, group, from, to, having, coordinates);
  }

  /** Arrays below the group may have coordinates of their own: of this dimension alone. */
  private static boolean isCoordinate(ZarrNode node, NodePath group, String from, String to) {
    return node instanceof ZarrArray array
        && array.path().name().equals(from)
        && (array.path().parent().equals(group)
            || names(array).equals(List.of(from))
            || names(array).equals(List.of(to)));
  }

  /**
   * Refuses to give two dimensions of a group one name. Those of one extent may be one dimension,
   * of which an interrupted call has renamed a part.
   */
  private static void requireOneExtent(ZarrArray array, String from, ZarrArray other, String to) {
    int axis = names(other).indexOf(to);
    if (axis < 0 || !other.path().parent().equals(array.path().parent())) {
      return;
    }
    long its = array.shape().extent(names(array).indexOf(from));
    long others = other.shape().extent(axis);
    if (its != others) {
      throw new CommandFailure(
          other.path()
              + " has another dimension "
              + to
              + ", of the extent "
              + others
              + "; "
              + from
              + " of "
              + array.path()
              + " has "
              + its);
    }
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
        + (coordinates.isEmpty()
            ? ""
            : coordinates.size() == 1
                ? ", and its coordinate"
                : ", and its " + coordinates.size() + " coordinates");
  }

  /** Renames. The coordinates are moved last: until then the same call finds what is left to do. */
  Mono<Void> run() {
    return Flux.fromIterable(arrays)
        .concatMap(this::rename, 0)
        .then(Mono.defer(this::moveCoordinates));
  }

  private Mono<Void> moveCoordinates() {
    return Flux.fromIterable(coordinates)
        .concatMap(
            path -> place.hierarchy().move(path.value(), path.parent().resolve(to).value()), 0)
        .then();
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
    if (!(names instanceof JsonArray list)) {
      throw new CommandFailure("the names of the dimensions have changed meanwhile: " + names);
    }
    List<JsonValue> renamed = new ArrayList<>();
    for (JsonValue name : list.elements()) {
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
            Arrays.stream(text.value().split(" ", -1))
                .map(word -> word.equals(from) ? to : word.equals(from + ":") ? to + ":" : word)
                .collect(Collectors.joining(" "));
        changed = others.equals(text.value()) ? changed : changed.with(name, others);
      }
    }
    return changed;
  }
}
