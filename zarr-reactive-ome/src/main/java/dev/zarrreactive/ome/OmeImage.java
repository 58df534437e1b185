package dev.zarrreactive.ome;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrLocation;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.pyramid.Downsampling;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * An image of OME-Zarr 0.4, 0.5 or 0.6, and of older versions where their attributes suffice: its
 * levels of resolution, finest first, with axes and coordinates, its channels and its label images.
 *
 * <p>To open an image reads the metadata of its levels. Elements are read on demand. Immutable and
 * thread-safe. Publishers are cold; a cancel ends their requests, and signals come on a thread of
 * the codec scheduler or of the store.
 */
public final class OmeImage {
  /** The levels whose metadata are read at the same time. */
  private static final int CONCURRENCY = 8;

  private final ZarrGroup group;
  private final OmeMetadata metadata;
  private final OmeMultiscale multiscale;
  private final List<OmeLevel> levels;
  private final List<OmeGap> gaps;
  private final boolean isLabels;

  /** A level that was opened, or the reason why it was not. */
  private record Opened(
      OmeMultiscale.Dataset level, @Nullable ZarrArray array, @Nullable OmeGap gap) {}

  private OmeImage(
      ZarrGroup group,
      OmeMetadata metadata,
      OmeMultiscale multiscale,
      List<OmeLevel> levels,
      List<OmeGap> gaps,
      boolean isLabels) {
    this.group = group;
    this.metadata = metadata;
    this.multiscale = multiscale;
    this.levels = List.copyOf(levels);
    this.gaps = List.copyOf(gaps);
    this.isLabels = isLabels;
  }

  /**
   * Opens the image at a location, {@code OmeImage.open(Zarr.at("a.zarr"))}. Errors are those of
   * {@link ZarrLocation#openGroup()} and of {@link #of(ZarrGroup)}.
   */
  public static Mono<OmeImage> open(ZarrLocation location) {
    return location.openGroup().flatMap(OmeImage::of);
  }

  /** Opens the image at a path of a hierarchy; otherwise as {@link #open(ZarrLocation)}. */
  public static Mono<OmeImage> open(ZarrHierarchy hierarchy, String path) {
    return hierarchy.openGroup(path).flatMap(OmeImage::of);
  }

  /**
   * Opens the first image of a group. A level whose array is missing, or cannot be opened, is left
   * out of {@link #levels} and is one of {@link #gaps}. {@link
   * dev.zarrreactive.error.MetadataException} if the group has no image, if a problem of its
   * attributes {@linkplain OmeProblem#stopsReading stops reading}, or if an array has another
   * number of dimensions than the image has axes; the error of the finest level, such as {@link
   * NodeNotFoundException}, if no level can be opened.
   */
  public static Mono<OmeImage> of(ZarrGroup group) {
    return Mono.defer(() -> open(group, OmeMetadata.of(group), null, false));
  }

  /**
   * Begins an image that is written.
   *
   * @param axes the axes: one of the type {@code time} at most, then one of {@code channel} or of
   *     another type at most, then two or three of {@code space}
   * @throws IllegalArgumentException for other axes
   */
  public static NewOmeImage builder(List<OmeAxis> axes) {
    return new NewOmeImage(axes);
  }

  /** Opens the image of a group that has a name; otherwise as {@link #of(ZarrGroup)}. */
  public static Mono<OmeImage> of(ZarrGroup group, String name) {
    return Mono.defer(() -> open(group, OmeMetadata.of(group), name, false));
  }

  private static Mono<OmeImage> open(
      ZarrGroup group, OmeMetadata metadata, @Nullable String name, boolean isLabels) {
    metadata.checkReadable();
    OmeMultiscale multiscale =
        metadata.multiscales().stream()
            .filter(each -> name == null || each.name().equals(name))
            .findFirst()
            .orElseThrow(() -> metadata.refused(OmeImage.none(metadata, name)));
    boolean hasLabels = isLabels || metadata.labels().isPresent();
    return Concurrently.mapInOrder(
            Flux.fromIterable(multiscale.datasets()),
            CONCURRENCY,
            level ->
                group
                    .openArray(level.path())
                    .map(array -> new Opened(level, array, null))
                    .onErrorResume(
                        OmeGap.resume(
                            group.path().resolve(level.path()),
                            gap -> Mono.just(new Opened(level, null, gap)))))
        .collectList()
        .map(
            opened -> {
              List<OmeLevel> levels = levels(metadata, multiscale, opened);
              List<OmeGap> gaps =
                  opened.stream().map(Opened::gap).filter(Objects::nonNull).toList();
              if (levels.isEmpty()) {
                throw gaps.get(0).error();
              }
              return new OmeImage(group, metadata, multiscale, levels, gaps, hasLabels);
            });
  }

  /** Opens the first of some images that can be opened; earlier ones become its gaps. */
  static Mono<OmeImage> first(ZarrGroup group, List<String> paths) {
    return first(group, paths, List.of());
  }

  private static Mono<OmeImage> first(ZarrGroup group, List<String> paths, List<OmeGap> before) {
    int next = before.size();
    if (next == paths.size()) {
      return Mono.error(
          () ->
              before.isEmpty()
                  ? new MetadataException(
                      "the series has no image: the group OME lists none, and 0 is missing",
                      Location.ofNode(group.path().value()))
                  : before.get(0).error());
    }
    String path = paths.get(next);
    return group
        .openGroup(path)
        .flatMap(OmeImage::of)
        .map(image -> before.isEmpty() ? image : image.after(before))
        .onErrorResume(
            OmeGap.resume(
                group.path().resolve(path),
                gap -> {
                  List<OmeGap> more = new ArrayList<>(before);
                  more.add(gap);
                  return first(group, paths, more);
                }));
  }

  private OmeImage after(List<OmeGap> before) {
    List<OmeGap> all = new ArrayList<>(before);
    all.addAll(gaps);
    return new OmeImage(group, metadata, multiscale, levels, all, isLabels);
  }

  private static String none(OmeMetadata metadata, @Nullable String name) {
    if (name != null) {
      return "the group has the images "
          + metadata.multiscales().stream().map(OmeMultiscale::name).toList()
          + ", and none named "
          + name;
    }
    String help =
        metadata.plate().isPresent()
            ? "; it is a plate, see OmePlate"
            : !metadata.fields().isEmpty()
                ? "; it is a well, see OmeWell"
                : metadata.isScene()
                    ? "; it is a scene, see OmeCoordinates"
                    : metadata.isBioformats2raw()
                        ? "; it has a series of images, see OmeSeries"
                        : "";
    return "the group has no image: its attributes lack multiscales" + help;
  }

  private static List<OmeLevel> levels(
      OmeMetadata metadata, OmeMultiscale multiscale, List<Opened> all) {
    List<OmeLevel> levels = new ArrayList<>();
    for (Opened opened : all) {
      OmeMultiscale.Dataset dataset = opened.level;
      ZarrArray array = opened.array;
      if (array == null) {
        continue;
      }
      Shape shape = array.shape();
      if (shape.rank() != multiscale.axes().size()) {
        throw metadata.refused(
            "the array "
                + dataset.path()
                + " has "
                + shape.rank()
                + " dimensions, the image the axes "
                + multiscale.axes().stream().map(OmeAxis::name).toList());
      }
      OmeTransform byShapes =
          ofShapes(levels.isEmpty() ? shape : levels.get(0).array().shape(), shape);
      OmeTransform transform = dataset.transform().map(own -> own.or(byShapes)).orElse(byShapes);
      levels.add(new OmeLevel(dataset.path(), array, multiscale.axes(), transform));
    }
    return levels;
  }

  /** Returns the transform of a level without one: its elements cover those of the first level. */
  private static OmeTransform ofShapes(Shape first, Shape shape) {
    List<Double> scale =
        IntStream.range(0, shape.rank())
            .mapToObj(d -> (double) first.extent(d) / Math.max(1, shape.extent(d)))
            .toList();
    return new OmeTransform(scale, scale.stream().map(s -> (s - 1) / 2).toList());
  }

  /** The group of the image. */
  public ZarrGroup group() {
    return group;
  }

  /** The attributes of the group, with the rules that they break. */
  public OmeMetadata metadata() {
    return metadata;
  }

  /** The name; empty without. */
  public String name() {
    return multiscale.name();
  }

  /** The axes in the order of the dimensions. */
  public List<OmeAxis> axes() {
    return multiscale.axes();
  }

  /**
   * Adds coarser levels to an image that has one level, each from the one before it, and names them
   * in the attributes at the end; the other attributes stay. They have the chunks and codecs of the
   * finest one. {@link MetadataException} for an image with several levels, {@link
   * dev.zarrreactive.error.UnsupportedFeatureException} for elements that are no numbers. After an
   * error or a cancel their arrays may be stored, which the attributes do not name.
   *
   * @param count the number of levels in the end; 0 for as many as end with at most 256 elements
   *     along each halved axis
   * @param halved the axes that are halved; empty for those of {@link #planeAxes}
   * @throws IllegalArgumentException for an axis that the image lacks
   */
  public Mono<OmeImage> addLevels(int count, List<String> halved, Downsampling method) {
    return NewOmeImage.addLevels(this, count, halved, method);
  }

  /**
   * Reads the systems of coordinates that the attributes name, and the transformations between them
   * (OME-Zarr 0.6); as {@link OmeCoordinates#of}.
   */
  public Mono<OmeCoordinates> coordinates() {
    return OmeCoordinates.of(group);
  }

  /**
   * The names of the axes that a picture has as rows and columns: {@code y} and {@code x}, mostly.
   */
  public List<String> planeAxes() {
    return IntStream.of(ImageDrawing.plane(axes())).mapToObj(d -> axes().get(d).name()).toList();
  }

  /** The levels that can be opened, finest first; at least one. */
  public List<OmeLevel> levels() {
    return levels;
  }

  /**
   * The levels that the attributes name and that cannot be opened, finest first. Before them come
   * the images that {@link OmeWell#firstImage} or {@link OmeSeries#firstImage} passed over.
   */
  public List<OmeGap> gaps() {
    return gaps;
  }

  /** How the channels are drawn, in their order; empty if the attributes say nothing. */
  public List<OmeChannel> channels() {
    return metadata.channels();
  }

  /** Returns true if the elements are labels. */
  public boolean isLabels() {
    return isLabels;
  }

  /**
   * Returns the coarsest level whose neighbours along an axis are at most {@code distance} apart,
   * in the unit of the axis; the finest level where all are farther apart.
   *
   * @throws IllegalArgumentException for an axis that the image lacks
   */
  public OmeLevel levelForResolution(String axis, double distance) {
    OmeLevel found = levels.get(0);
    for (OmeLevel level : levels) {
      if (Math.abs(level.scale(axis)) <= distance) {
        found = level;
      }
    }
    return found;
  }

  /**
   * Returns the coarsest level with at least {@code pixels} elements along the longer side of its
   * plane; the finest level where all have fewer.
   */
  public OmeLevel levelForSize(long pixels) {
    return levelFor(pixels, OmeRegion.all());
  }

  private OmeLevel levelFor(long pixels, OmeRegion region) {
    OmeLevel found = levels.get(0);
    for (OmeLevel level : levels) {
      long most = 0;
      for (int d : ImageDrawing.plane(level.axes())) {
        long[] indices = level.indices(d, region.parts().get(level.axes().get(d).name()));
        most = Math.max(most, indices[1] - indices[0]);
      }
      found = most >= pixels ? level : found;
    }
    return found;
  }

  /**
   * Reads a region from the coarsest level with at least {@code pixels} elements along its longer
   * side; otherwise as {@link OmeLevel#tile}.
   *
   * @throws IllegalArgumentException for an axis that the image lacks, and for coordinates outside
   */
  public Mono<OmeTile> tile(OmeRegion region, long pixels) {
    return levelFor(pixels, region).tile(region);
  }

  /**
   * Returns the level that a {@link #picture(int, int)} reads: the coarsest with an element for
   * each pixel.
   */
  public OmeLevel levelForPicture(int height, int width) {
    return ImageDrawing.level(this, height, width);
  }

  /** Draws the image in a square; as {@link #picture(int, int)}. */
  public Mono<OmePicture> thumbnail(int pixels) {
    return picture(pixels, pixels);
  }

  /**
   * Draws the plane that is shown first, in at most {@code height} times {@code width} pixels and
   * never larger than it is. Elements come from the coarsest level that has as many, at steps where
   * that has many more; a pixel shows the mean of those in it. Active channels are added in their
   * colours, from the start to the end of their windows; a channel without a window goes from its
   * least to its greatest element that is drawn, or from 0 to 255 for {@code uint8}. Labels have
   * their colours on black, or one that follows from the label.
   *
   * <p>Thread, cancel and errors are those of {@link ZarrArray#read(
   * dev.zarrreactive.array.selection.Selection)}; {@link
   * dev.zarrreactive.error.UnsupportedFeatureException} if the elements are no numbers.
   *
   * @throws IllegalArgumentException for sides outside of 1 to 4096
   */
  public Mono<OmePicture> picture(int height, int width) {
    return ImageDrawing.of(this, height, width);
  }

  /**
   * Draws a region of a level, an element a pixel, in the upper left corner of {@code height} times
   * {@code width} pixels; the rest is transparent. So the tiles of an image are all of one size. An
   * axis that the region leaves out is as in {@link #picture(int, int)}; channels are those of the
   * region that are active, or the one that it names. A channel needs a window, by which all tiles
   * have the same colours, unless its elements are {@code uint8} or {@code bool}; {@link
   * dev.zarrreactive.error.UnsupportedFeatureException} without. Otherwise as {@link #picture(int,
   * int)}.
   *
   * @return {@link OmePicture#rgb} of shape (height, width, 4)
   * @throws IllegalArgumentException for sides outside of 1 to 4096, a level of another image, a
   *     region that is outside or larger than the picture, or a range along another axis than those
   *     of the plane and the channels
   */
  public Mono<OmePicture> picture(OmeLevel level, OmeRegion region, int height, int width) {
    return ImageDrawing.of(this, level, region, height, width, Optional.empty());
  }

  /**
   * Draws a region as {@link #picture(OmeLevel, OmeRegion, int, int)}.
   *
   * @param otherwise the window of the channels that have none
   */
  public Mono<OmePicture> picture(
      OmeLevel level, OmeRegion region, int height, int width, OmeChannel.Window otherwise) {
    return ImageDrawing.of(this, level, region, height, width, Optional.of(otherwise));
  }

  /**
   * Returns the elements of a level that a picture of a region reads.
   *
   * @throws IllegalArgumentException as {@link #picture(OmeLevel, OmeRegion, int, int)}
   */
  public Selection selection(OmeLevel level, OmeRegion region) {
    return ImageDrawing.selection(this, level, region);
  }

  /** Lists the paths of the label images below {@code labels}; empty if the image has none. */
  public Mono<List<String>> labels() {
    return group
        .openGroup("labels")
        .map(labels -> OmeMetadata.of(labels).labelPaths())
        .onErrorResume(NodeNotFoundException.class, e -> Mono.just(Collections.emptyList()));
  }

  /** Opens a label image by its path below {@code labels}; otherwise as {@link #of(ZarrGroup)}. */
  public Mono<OmeImage> label(String path) {
    return group
        .openGroup("labels/" + path)
        .flatMap(labels -> open(labels, OmeMetadata.of(labels), null, true));
  }

  /**
   * Returns the level at a path.
   *
   * @throws NoSuchElementException if there is none; the message lists the paths
   * @throws ZarrException for a level that cannot be opened, such as {@link NodeNotFoundException};
   *     it names the node
   */
  public OmeLevel level(String path) {
    NodePath node = below(path);
    for (OmeGap gap : gaps) {
      if (gap.path().equals(node)) {
        throw gap.error();
      }
    }
    return levels.stream()
        .filter(level -> level.path().equals(path))
        .findFirst()
        .orElseThrow(
            () ->
                new NoSuchElementException(
                    "the image has the levels "
                        + levels.stream().map(OmeLevel::path).toList()
                        + ", and none named "
                        + path));
  }

  private @Nullable NodePath below(String path) {
    return multiscale.datasets().stream().anyMatch(level -> level.path().equals(path))
        ? group.path().resolve(path)
        : null;
  }

  /** Returns one line: the path, the axes and the shapes of the levels. */
  @Override
  public String toString() {
    return "image "
        + group.path()
        + " of "
        + axes()
        + ", levels "
        + levels.stream().map(level -> level.path() + " " + level.array().shape()).toList();
  }
}
