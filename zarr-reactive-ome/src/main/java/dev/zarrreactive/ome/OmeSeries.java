package dev.zarrreactive.ome;

import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrLocation;
import dev.zarrreactive.error.NodeNotFoundException;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A series of images in one group, as bioformats2raw lays them out (OME-Zarr 0.5,
 * "bioformats2raw.layout"). Their order is that of the attribute {@code series} of the group {@code
 * OME}; without it they are the groups {@code 0}, {@code 1} and so on, up to the first that is
 * missing. Immutable and thread-safe; publishers are as those of {@link OmeImage}.
 */
public final class OmeSeries {
  private static final int MOST_IMAGES = 100_000;

  private final ZarrGroup group;
  private final List<String> paths;

  private OmeSeries(ZarrGroup group, List<String> paths) {
    this.group = group;
    this.paths = List.copyOf(paths);
  }

  /**
   * Opens the series at a location, {@code OmeSeries.open(Zarr.at("a.zarr"))}. Errors are those of
   * {@link ZarrLocation#openGroup()} and of {@link #of}.
   */
  public static Mono<OmeSeries> open(ZarrLocation location) {
    return location.openGroup().flatMap(OmeSeries::of);
  }

  /**
   * Opens the series of a group; without {@code series} one request tells of each image. {@link
   * dev.zarrreactive.error.MetadataException} if the group is none, or is a plate, whose images are
   * in wells.
   */
  public static Mono<OmeSeries> of(ZarrGroup group) {
    return Mono.defer(
        () -> {
          OmeMetadata metadata = OmeMetadata.of(group);
          metadata.checkReadable();
          if (metadata.plate().isPresent()) {
            throw metadata.refused("the images of the group are in wells; see OmePlate");
          } else if (!metadata.isBioformats2raw()) {
            throw metadata.refused(
                "the group has no series: its attributes lack bioformats2raw.layout");
          }
          return readNames(group)
              .switchIfEmpty(Mono.defer(() -> findNumbers(group)))
              .map(paths -> new OmeSeries(group, paths));
        });
  }

  private static Mono<List<String>> readNames(ZarrGroup group) {
    return group
        .openGroup("OME")
        .map(OmeMetadata::of)
        .doOnNext(OmeMetadata::checkReadable)
        .map(OmeMetadata::series)
        .onErrorResume(NodeNotFoundException.class, e -> Mono.empty())
        .filter(paths -> !paths.isEmpty());
  }

  private static Mono<List<String>> findNumbers(ZarrGroup group) {
    return Flux.range(0, MOST_IMAGES)
        .concatMap(number -> group.exists(Integer.toString(number)), 1)
        .takeWhile(exists -> exists)
        .count()
        .map(count -> IntStream.range(0, count.intValue()).mapToObj(Integer::toString).toList());
  }

  /** The group of the series. */
  public ZarrGroup group() {
    return group;
  }

  /** The paths of the images below the group, in the order of the series. */
  public List<String> paths() {
    return paths;
  }

  /**
   * Opens an image by its place in the series; as {@link OmeImage#of(ZarrGroup)}.
   *
   * @throws IndexOutOfBoundsException if the series has fewer images
   */
  public Mono<OmeImage> image(int index) {
    String path = paths.get(Objects.checkIndex(index, paths.size()));
    return group.openGroup(path).flatMap(OmeImage::of);
  }

  /**
   * Opens the first image that can be opened. Earlier images are among its {@linkplain
   * OmeImage#gaps gaps}; if there is none, the error is that of the first one. {@link
   * dev.zarrreactive.error.MetadataException} if the series has no image.
   */
  public Mono<OmeImage> firstImage() {
    return OmeImage.first(group, paths);
  }
}
