package dev.zarrreactive.anndata;

import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrLocation;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.internal.flow.Concurrently;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A matrix of observations by variables, with a table about each of both, as AnnData writes it.
 * Matrices and columns are opened when they are asked for, and their values read by ranges.
 *
 * <p>Immutable and thread-safe. Every publisher is cold: each subscription makes its requests
 * again, and cancelling it cancels them. Results arrive on the threads on which the arrays of the
 * hierarchy are read.
 */
public final class AnnData {
  private final ZarrGroup group;
  private final AnnTable observations;
  private final AnnTable variables;

  private AnnData(ZarrGroup group, List<AnnTable> tables) {
    this.group = group;
    this.observations = tables.get(0);
    this.variables = tables.get(1);
  }

  /**
   * Opens what is at a location, {@code AnnData.open(Zarr.at("cells.zarr"))}. Errors are those of
   * {@link ZarrLocation#openGroup()} and of {@link #of}.
   */
  public static Mono<AnnData> open(ZarrLocation location) {
    return location.openGroup().flatMap(AnnData::of);
  }

  /** Opens what is at a path of a hierarchy, as {@link #open(ZarrLocation)}. */
  public static Mono<AnnData> open(ZarrHierarchy hierarchy, String path) {
    return hierarchy.openGroup(path).flatMap(AnnData::of);
  }

  /**
   * Opens the tables {@code obs} and {@code var} of a group, and the labels of their rows. {@link
   * MetadataException} if the attributes say that the group is something else, {@link
   * NodeNotFoundException} if it lacks a table.
   */
  public static Mono<AnnData> of(ZarrGroup group) {
    return Mono.defer(
        () -> {
          String encoding = AnnEncoding.of(group);
          if (!encoding.isEmpty() && !encoding.equals("anndata")) {
            throw AnnEncoding.refused(group, "a group of AnnData");
          }
          return Concurrently.mapInOrder(
                  Flux.just("obs", "var"), 2, name -> group.openGroup(name).flatMap(AnnTable::of))
              .collectList()
              .map(tables -> new AnnData(group, tables));
        });
  }

  /** The group. */
  public ZarrGroup group() {
    return group;
  }

  /** The table about the observations: a row for each row of the matrices. */
  public AnnTable observations() {
    return observations;
  }

  /** The table about the variables: a row for each column of the matrices. */
  public AnnTable variables() {
    return variables;
  }

  /**
   * Opens the matrix {@code X}; empty where there is none. Errors are those of {@link #matrix}, but
   * for a missing node.
   */
  public Mono<AnnMatrix> matrix() {
    return matrix("X").onErrorResume(NodeNotFoundException.class, e -> Mono.empty());
  }

  /**
   * Opens a matrix by its path below the group, such as {@code layers/counts}, {@code obsm/X_pca},
   * {@code obsp/distances} or {@code raw/X}. {@link NodeNotFoundException} if there is none, {@link
   * dev.zarrreactive.error.UnsupportedFeatureException} for an element that is no matrix, which
   * names its encoding.
   */
  public Mono<AnnMatrix> matrix(String path) {
    return group.open(path).flatMap(AnnMatrix::of);
  }

  /** Opens a table by its path below the group, such as {@code obsm/places} or {@code raw/var}. */
  public Mono<AnnTable> table(String path) {
    return group.openGroup(path).flatMap(AnnTable::of);
  }

  /**
   * Lists the names of a part: {@code layers}, {@code obsm}, {@code varm}, {@code obsp}, {@code
   * varp} or {@code uns}. Empty for a part that is missing.
   */
  public Flux<String> names(String part) {
    return group
        .openGroup(part)
        .onErrorResume(NodeNotFoundException.class, e -> Mono.empty())
        .flatMapMany(ZarrGroup::children)
        .map(ZarrNode::path)
        .map(path -> path.value().substring(path.value().lastIndexOf('/') + 1));
  }

  /** Returns a text for people: the path, and the numbers of rows and columns. */
  @Override
  public String toString() {
    return group.path() + " [" + observations.rows() + ", " + variables.rows() + "]";
  }
}
