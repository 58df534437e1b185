package dev.zarrreactive.ome;

import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrLocation;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.internal.flow.Concurrently;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A plate of OME-Zarr: wells in rows and columns, which hold images. To open one reads the metadata
 * of its group alone. Immutable and thread-safe; publishers are as those of {@link OmeImage}.
 */
public final class OmePlate {
  /** The wells that are drawn at the same time. */
  private static final int CONCURRENCY = 4;

  private static final int GAP = 1;
  private static final byte GREY = 40;

  private final ZarrGroup group;
  private final OmeMetadata metadata;
  private final OmePlateLayout layout;

  private OmePlate(ZarrGroup group, OmeMetadata metadata, OmePlateLayout layout) {
    this.group = group;
    this.metadata = metadata;
    this.layout = layout;
  }

  /**
   * Opens the plate at a location, {@code OmePlate.open(Zarr.at("a.zarr"))}. Errors are those of
   * {@link ZarrLocation#openGroup()} and of {@link #of}.
   */
  public static Mono<OmePlate> open(ZarrLocation location) {
    return location.openGroup().map(OmePlate::of);
  }

  /** Opens the plate at a path of a hierarchy; otherwise as {@link #open(ZarrLocation)}. */
  public static Mono<OmePlate> open(ZarrHierarchy hierarchy, String path) {
    return hierarchy.openGroup(path).map(OmePlate::of);
  }

  /**
   * Returns the plate of a group.
   *
   * @throws dev.zarrreactive.error.MetadataException if the group is none, or if a problem of its
   *     attributes {@linkplain OmeProblem#stopsReading stops reading}
   */
  public static OmePlate of(ZarrGroup group) {
    OmeMetadata metadata = OmeMetadata.of(group);
    metadata.checkReadable();
    OmePlateLayout layout =
        metadata
            .plate()
            .orElseThrow(() -> metadata.refused("the group is no plate: its attributes lack one"));
    return new OmePlate(group, metadata, layout);
  }

  /** The group of the plate. */
  public ZarrGroup group() {
    return group;
  }

  /** The attributes of the group, with the rules that they break. */
  public OmeMetadata metadata() {
    return metadata;
  }

  /** The name, the rows, the columns and the wells. */
  public OmePlateLayout layout() {
    return layout;
  }

  /** The wells that have images. */
  public List<OmePlateLayout.Well> wells() {
    return layout.wells();
  }

  /** Returns the well at a row and a column; empty if it has no images. */
  public Optional<OmePlateLayout.Well> well(int row, int column) {
    return layout.wells().stream()
        .filter(well -> well.row() == row && well.column() == column)
        .findFirst();
  }

  /**
   * Opens a well by its path, such as {@code A/3}. {@link NodeNotFoundException} if the store lacks
   * it; otherwise as {@link OmeWell#of}.
   *
   * @throws NoSuchElementException if the plate lists no such path
   */
  public Mono<OmeWell> openWell(String path) {
    if (layout.wells().stream().noneMatch(well -> well.path().equals(path))) {
      throw new NoSuchElementException(
          "the plate " + group.path() + " lists no well " + path + "; see OmePlate.wells()");
    }
    return group.openGroup(path).map(OmeWell::of);
  }

  /** Draws the plate in a square; as {@link #picture}. */
  public Mono<OmePicture> thumbnail(int pixels) {
    return picture(pixels, pixels);
  }

  /**
   * Draws the first image of each well at its place, in at most {@code height} times {@code width}
   * pixels. Places without a well are grey. A well whose group or first image cannot be opened is
   * grey, too, and among the {@linkplain OmePicture#gaps gaps} of the picture. Otherwise as {@link
   * OmeImage#picture}, of a few wells at a time.
   *
   * @throws IllegalArgumentException for sides outside of 1 to 4096, and for fewer pixels than a
   *     plate of this many rows and columns needs
   */
  public Mono<OmePicture> picture(int height, int width) {
    ImageDrawing.checkSides(height, width);
    int rows = layout.rows().size();
    int columns = layout.columns().size();
    int cell =
        Math.min((height - (rows - 1) * GAP) / rows, (width - (columns - 1) * GAP) / columns);
    if (cell < 1) {
      throw new IllegalArgumentException(
          "a picture of "
              + rows
              + " rows and "
              + columns
              + " columns of wells has at least "
              + (2 * rows - 1)
              + " and "
              + (2 * columns - 1)
              + " pixels, not "
              + height
              + " and "
              + width);
    }
    return Mono.defer(
        () -> {
          Canvas canvas =
              new Canvas(
                  rows * cell + (rows - 1) * GAP, columns * cell + (columns - 1) * GAP, cell);
          return Concurrently.map(
                  Flux.fromIterable(layout.wells()), CONCURRENCY, well -> cell(well, cell))
              .doOnNext(canvas::draw)
              .then(Mono.fromSupplier(canvas::picture));
        });
  }

  /** A well, and its picture; null if it cannot be opened. */
  private record Cell(OmePlateLayout.Well well, @Nullable OmePicture picture, List<OmeGap> gaps) {}

  private Mono<Cell> cell(OmePlateLayout.Well well, int pixels) {
    return group
        .openGroup(well.path())
        .flatMap(found -> OmeWell.of(found).image(0))
        .flatMap(image -> image.thumbnail(pixels))
        .map(picture -> new Cell(well, picture, picture.gaps()))
        .onErrorResume(
            OmeGap.resume(
                group.path().resolve(well.path()),
                gap -> Mono.just(new Cell(well, null, List.of(gap)))));
  }

  /** The picture of one subscription. */
  private static final class Canvas {
    private final byte[] rgb;
    private final int height;
    private final int width;
    private final int cell;
    private final List<OmeGap> gaps = new ArrayList<>();

    Canvas(int height, int width, int cell) {
      this.rgb = new byte[3 * height * width];
      this.height = height;
      this.width = width;
      this.cell = cell;
      Arrays.fill(rgb, GREY);
    }

    /** Draws a well in the middle of its place. */
    void draw(Cell drawn) {
      gaps.addAll(drawn.gaps);
      OmePicture picture = drawn.picture;
      if (picture == null) {
        return;
      }
      byte[] samples = picture.rgb().bytes().toByteArray();
      int top = drawn.well.row() * (cell + GAP) + (cell - picture.height()) / 2;
      int left = drawn.well.column() * (cell + GAP) + (cell - picture.width()) / 2;
      int line = 3 * picture.width();
      for (int y = 0; y < picture.height(); y++) {
        System.arraycopy(samples, y * line, rgb, 3 * ((top + y) * width + left), line);
      }
    }

    OmePicture picture() {
      gaps.sort(Comparator.comparing(OmeGap::path));
      return new OmePicture(
          NdArray.ofBytes(DataTypes.UINT8, Shape.of(height, width, 3), rgb), gaps);
    }
  }

  /** Returns one line: the path, the name, and the numbers of rows, columns and wells. */
  @Override
  public String toString() {
    return "plate "
        + group.path()
        + (layout.name().isEmpty() ? "" : " " + layout.name())
        + ": "
        + layout.rows().size()
        + " rows, "
        + layout.columns().size()
        + " columns, "
        + layout.wells().size()
        + " wells";
  }
}
