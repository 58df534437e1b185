package dev.zarrreactive.anndata;

import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrLocation;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.ome.OmeImage;
import java.util.List;
import java.util.stream.Collectors;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * What one experiment measured in space, as SpatialData writes it: images, labels, points, shapes
 * and tables, and the transformations of each to named systems of coordinates. Images and labels
 * are those of OME-Zarr, tables those of AnnData; the rows of points and shapes are files of
 * Parquet, which are not read. Immutable and thread-safe; publishers are as those of {@link
 * AnnData}.
 */
public final class SpatialData {
  private final ZarrGroup group;
  private final List<SpatialElement> elements;

  private SpatialData(ZarrGroup group, List<SpatialElement> elements) {
    this.group = group;
    this.elements = List.copyOf(elements);
  }

  /**
   * Opens what is at a location, {@code SpatialData.open(Zarr.at("slide.zarr"))}. Errors are those
   * of {@link ZarrLocation#openGroup()} and of {@link #of}.
   */
  public static Mono<SpatialData> open(ZarrLocation location) {
    return location.openGroup().flatMap(SpatialData::of);
  }

  /** Opens what is at a path of a hierarchy, as {@link #open(ZarrLocation)}. */
  public static Mono<SpatialData> open(ZarrHierarchy hierarchy, String path) {
    return hierarchy.openGroup(path).flatMap(SpatialData::of);
  }

  /**
   * Lists the elements of a group; the store must list. {@link MetadataException} if the attributes
   * lack {@code spatialdata_attrs}.
   */
  public static Mono<SpatialData> of(ZarrGroup group) {
    return Mono.defer(
        () -> {
          if (!(group.attributes().get("spatialdata_attrs") instanceof JsonObject)) {
            throw new MetadataException(
                "expected a group of SpatialData, whose attributes have the member"
                    + " spatialdata_attrs",
                AnnEncoding.location(group));
          }
          return Concurrently.mapInOrder(
                  Flux.fromArray(SpatialElement.Kind.values()), 5, kind -> elements(group, kind))
              .collectList()
              .map(elements -> new SpatialData(group, elements));
        });
  }

  private static Flux<SpatialElement> elements(ZarrGroup group, SpatialElement.Kind kind) {
    return group
        .openGroup(kind.directory())
        .onErrorResume(NodeNotFoundException.class, e -> Mono.empty())
        .flatMapMany(ZarrGroup::children)
        .ofType(ZarrGroup.class)
        .map(element -> SpatialElement.of(kind, element));
  }

  /** The group. */
  public ZarrGroup group() {
    return group;
  }

  /** All elements, kind after kind. */
  public List<SpatialElement> elements() {
    return elements;
  }

  /** The names of the systems of coordinates that transformations lead to, each once. */
  public List<String> systems() {
    return elements.stream()
        .flatMap(element -> element.transforms().stream())
        .map(SpatialTransform::system)
        .distinct()
        .toList();
  }

  /**
   * Returns an element.
   *
   * @throws IllegalArgumentException if there is none of this kind and name; the message names
   *     those that there are
   */
  public SpatialElement element(SpatialElement.Kind kind, String name) {
    return elements.stream()
        .filter(element -> element.kind() == kind && element.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no element "
                        + kind.directory()
                        + "/"
                        + name
                        + "; there are "
                        + elements.stream()
                            .map(SpatialElement::toString)
                            .collect(Collectors.joining(", "))));
  }

  /**
   * Opens an image; as {@link OmeImage#of(ZarrGroup)}.
   *
   * @throws IllegalArgumentException if there is none of this name
   */
  public Mono<OmeImage> image(String name) {
    return OmeImage.of(element(SpatialElement.Kind.IMAGE, name).group());
  }

  /** Opens labels, as {@link #image}. */
  public Mono<OmeImage> labels(String name) {
    return OmeImage.of(element(SpatialElement.Kind.LABELS, name).group());
  }

  /**
   * Opens a table; as {@link AnnData#of}. Its attributes {@code region}, {@code region_key} and
   * {@code instance_key} tell which elements its rows are about.
   *
   * @throws IllegalArgumentException if there is none of this name
   */
  public Mono<AnnData> table(String name) {
    return AnnData.of(element(SpatialElement.Kind.TABLE, name).group());
  }

  /** Returns a text for people: the path and the elements. */
  @Override
  public String toString() {
    return group.path() + " " + elements;
  }
}
