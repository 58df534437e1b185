package dev.zarrreactive.webflux;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.cf.CfRule;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.dataset.DatasetSelection;
import dev.zarrreactive.dataset.Variable;
import dev.zarrreactive.error.InvalidInputException;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.internal.labels.DimensionLabel;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.CacheOptions;
import dev.zarrreactive.store.decorator.Stores;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The dataset of a service, in the state in which it is in the store now. With Spring Boot a bean
 * of it has the dataset at {@code zarr.location}.
 *
 * <p>The documents of the dataset and the stored bytes of its coordinates are kept, up to 64 MiB.
 * Before each use the store is asked whether they have changed: one conditional request for the
 * document of a consolidated group, or one for each document of another, and one for each stored
 * chunk of a coordinate whose labels are looked up. Requests of the service at the same time share
 * them. A store without versions is read again.
 *
 * <p>Thread-safe. Values are read through the hierarchy that was given, within its bytes in flight.
 */
public final class ServedDataset {
  private static final long CACHED = 64L << 20;

  /** The most bytes of documents and coordinates in flight. */
  private static final long IN_FLIGHT = 32L << 20;

  private final ZarrHierarchy hierarchy;
  private final String path;
  private final Store cached;
  private final ZarrHierarchy anyFormat;

  /** Opens nodes of the one format that was found, without a look for the other. */
  private volatile @Nullable ZarrHierarchy oneFormat;

  private ServedDataset(ZarrHierarchy hierarchy, String path, Duration age) {
    this.hierarchy = hierarchy;
    this.path = path;
    this.cached =
        Stores.cached(hierarchy.store(), CacheOptions.ofBytes(CACHED).withRevalidation(age));
    ZarrOptions options = hierarchy.options();
    this.anyFormat =
        Zarr.hierarchy(
            cached, options.withMaxInFlightBytes(Math.min(IN_FLIGHT, options.maxInFlightBytes())));
  }

  /**
   * Returns the dataset of the group at a path. Makes no request.
   *
   * @throws dev.zarrreactive.error.InvalidInputException if it is no path of a node
   */
  public static ServedDataset of(ZarrHierarchy hierarchy, String path) {
    return new ServedDataset(hierarchy, NodePath.of(path).value(), Duration.ZERO);
  }

  /**
   * Returns the dataset with documents and coordinates of this age or older revalidated, in place
   * of each time.
   */
  public ServedDataset withRevalidation(Duration age) {
    return new ServedDataset(hierarchy, path, age);
  }

  /**
   * Opens the dataset, or asks whether it has changed. Errors are those of {@link Dataset#open}.
   */
  public Mono<Dataset> dataset() {
    return group(path)
        .flatMap(
            group ->
                group
                    .tree()
                    .map(this::placed)
                    .collectList()
                    .map(nodes -> Dataset.of(group, nodes, CfRule.all())));
  }

  /**
   * Emits the values of a variable, or of a part of it: a time series of a point, a map, a tile, a
   * table. {@code data.slice("t2m", List.of("lat~47.3", "lon~8.5"))} is the time series of the
   * nearest point.
   *
   * @param variable the name, with the path of its group before it
   * @param labels each {@code DIM:LABEL}, {@code DIM:FROM..TO} with both ends included, or {@code
   *     DIM~LABEL} for the nearest value; an equals sign may stand for the colon. {@code
   *     time:2024-01} is a month
   * @return an error that is answered with 400 if a label, a dimension or the variable is not there
   */
  public Mono<ArraySlice> slice(String variable, Collection<String> labels) {
    return slice(variable, labels, "...");
  }

  /**
   * As {@link #slice(String, Collection)}.
   *
   * @param select what is selected of the part that the labels leave, in NumPy notation
   */
  public Mono<ArraySlice> slice(String variable, Collection<String> labels, String select) {
    return Mono.defer(
        () -> {
          NodePath node = NodePath.of(variable);
          return part(node, labels, List.of(node.name()))
              .map(found -> ArraySlice.of(found.variable(node.name()), select));
        });
  }

  /**
   * Emits a table of variables of the group, or of a part of them, with the labels of their cells.
   *
   * @param labels as of {@link #slice(String, Collection)}
   * @param variables at least one name
   * @return errors as of {@link #slice(String, Collection)}
   */
  public Mono<DatasetTable> table(Collection<String> labels, String... variables) {
    List<String> names = List.of(variables);
    return Mono.defer(
        () -> {
          if (names.isEmpty()) {
            throw new InvalidInputException("a table has at least one variable");
          }
          return part(NodePath.of(names.get(0)), labels, names)
              .map(found -> new DatasetTable(found, names));
        });
  }

  /**
   * Emits what labels select.
   *
   * @param place a variable of the group
   * @param variables the names of those that are wanted
   */
  private Mono<Dataset> part(NodePath place, Collection<String> labels, List<String> variables) {
    List<DimensionLabel> parsed = labels.stream().map(DimensionLabel::parse).toList();
    List<String> names = new ArrayList<>(variables);
    parsed.forEach(label -> names.add(label.dimension()));
    return beside(place, names)
        .flatMap(
            dataset -> {
              DatasetSelection chain = dataset.select();
              for (DimensionLabel label : parsed) {
                chain = label.applyTo(chain);
              }
              return chain.dataset();
            });
  }

  private Mono<ZarrGroup> group(String at) {
    return Mono.defer(
        () -> {
          ZarrHierarchy known = oneFormat;
          return known == null
              ? anyGroup(at)
              : known.openGroup(at).onErrorResume(NodeNotFoundException.class, e -> anyGroup(at));
        });
  }

  private Mono<ZarrGroup> anyGroup(String at) {
    return anyFormat
        .openGroup(at)
        .doOnNext(
            group -> {
              int format = group.metadata().zarrFormat();
              oneFormat = Zarr.hierarchy(cached, anyFormat.options().withZarrFormat(format));
            });
  }

  /** Emits the dataset of a variable's group, with the arrays that agree with some of them. */
  private Mono<Dataset> beside(NodePath variable, List<String> names) {
    String parent = variable.isRoot() ? "" : variable.parent().value().substring(1);
    return group(NodePath.of(path).resolve(parent).value())
        .flatMap(
            group ->
                group
                    .children()
                    .map(this::placed)
                    .collectList()
                    .map(nodes -> Dataset.of(group, nodes, CfRule.all(), names)));
  }

  /** Returns a node whose values are read from where they are kept, if it is a coordinate. */
  private ZarrNode placed(ZarrNode node) {
    return node instanceof ZarrArray array && !isCoordinate(array)
        ? hierarchy.array(array.path().value(), array.metadata())
        : node;
  }

  private static boolean isCoordinate(ZarrArray array) {
    return array.shape().rank() == 1
        && Variable.of(array, List.of(), Set.of())
            .dimensions()
            .equals(List.of(array.path().name()));
  }
}
