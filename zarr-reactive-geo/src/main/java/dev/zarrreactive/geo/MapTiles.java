package dev.zarrreactive.geo;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.dataset.Variable;
import dev.zarrreactive.datatype.BoolType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.encodings.ColourScale;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.json.JsonString;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The tiles of a raster for maps in a browser: 256 x 256 pixels of Web Mercator (EPSG:3857), by
 * zoom, column and row from the north west, as in {@code /{z}/{x}/{y}.png}. Immutable and
 * thread-safe.
 *
 * <p>The raster is one of longitudes and latitudes (EPSG:4326, OGC:CRS84, or coordinates in degrees
 * without a reference system, which are taken for those) or of Web Mercator itself. The place of
 * each pixel's centre in the raster is computed exactly; a raster in another system would need a
 * transformation that this library lacks, and is refused. Longitudes may be from 0 to 360.
 *
 * <p>Where a tile has more than two elements of the raster for a pixel, every nth element is read,
 * so that a tile costs at most about 1,000 x 1,000 elements, and is exact to half a pixel. No mean
 * is made: store coarser levels for that.
 */
public final class MapTiles {
  /** The rows and the columns of a tile. */
  public static final int PIXELS = 256;

  private static final int DEEPEST = 30;
  private static final double CIRCUMFERENCE = 2 * Math.PI * 6_378_137;
  private static final double TURN = 360;
  private static final int MERCATOR = 3857;
  private static final int GEOGRAPHIC = 4326;

  private final Variable variable;
  private final AffineTransform transform;
  private final boolean isGeographic;
  private final int rows;
  private final int columns;

  /** How a pixel gets its value. */
  public enum Warp {
    /** The element in which the centre of the pixel lies. */
    NEAREST,
    /** The mean of the four nearest elements by their distances, of those that are no NaN. */
    BILINEAR
  }

  private MapTiles(
      Variable variable, AffineTransform transform, boolean isGeographic, int rows, int columns) {
    this.variable = variable;
    this.transform = transform;
    this.isGeographic = isGeographic;
    this.rows = rows;
    this.columns = columns;
  }

  /**
   * Finds the place of a variable, as {@link GeoReference#of} does. The variable has two
   * dimensions: select one index of each other one before, as {@code dataset.isel("time", 5)}.
   *
   * <p>Errors are those of reading, and {@link UnsupportedFeatureException} for another reference
   * system, for coordinates that are not evenly spaced, and for elements that are no numbers.
   *
   * @throws IllegalArgumentException if the variable has another number of dimensions
   * @throws java.util.NoSuchElementException if there is no variable of the name
   */
  public static Mono<MapTiles> of(Dataset dataset, String name) {
    Variable variable = dataset.variable(name);
    if (variable.dimensions().size() != 2) {
      throw new IllegalArgumentException(
          "a tile shows two dimensions, the variable "
              + name
              + " has "
              + variable.dimensions()
              + "; select one index of each other dimension");
    }
    return GeoReference.of(dataset, name).map(place -> of(dataset, variable, place));
  }

  private static MapTiles of(Dataset dataset, Variable variable, GeoReference place) {
    DataType type = variable.dataType();
    if (!(type instanceof IntegerType || type instanceof FloatType || type instanceof BoolType)) {
      throw refused(variable, "has " + type + ", and a tile shows integers, floats and bool");
    }
    boolean isMercator = place.epsg().orElse(0) == MERCATOR;
    boolean isGeographic =
        place.epsg().orElse(0) == GEOGRAPHIC
            || place.code().filter(code -> code.endsWith(":CRS84")).isPresent()
            || (place.code().isEmpty()
                && place.wkt().isEmpty()
                && place.projJson().isEmpty()
                && isInDegrees(dataset, place.rows(), "north|N")
                && isInDegrees(dataset, place.columns(), "east|E"));
    if (!isMercator && !isGeographic) {
      throw refused(
          variable,
          "is in "
              + place.code().orElse("a reference system without a code")
              + ", and tiles are made of EPSG:4326, OGC:CRS84 and EPSG:3857; store it warped to one"
              + " of them, as gdalwarp does");
    }
    AffineTransform transform =
        place
            .transform()
            .orElseThrow(
                () ->
                    refused(
                        variable,
                        "has no place: neither attributes nor evenly spaced coordinates tell the"
                            + " coordinates of its pixels"));
    List<String> dimensions = variable.dimensions();
    return new MapTiles(
        variable,
        transform,
        isGeographic,
        dimensions.indexOf(place.rows()),
        dimensions.indexOf(place.columns()));
  }

  private static boolean isInDegrees(Dataset dataset, String dimension, String directions) {
    Variable labels = dataset.variables().get(dimension);
    return labels != null
        && labels.attributes().get("units") instanceof JsonString units
        && units.value().matches("degrees?_?(" + directions + ")");
  }

  private static UnsupportedFeatureException refused(Variable variable, String what) {
    return new UnsupportedFeatureException(
        "the raster " + variable.name() + " " + what,
        Location.ofNode(variable.array().path().value()));
  }

  /** The variable. */
  public Variable variable() {
    return variable;
  }

  /** The elements of a raster that a tile reads. */
  private record Window(
      long firstRow, long rows, int rowStep, long firstColumn, long columns, int columnStep) {}

  /**
   * Returns the selection of the variable that a tile reads; empty for a tile that has no pixel in
   * the raster, and for one that is none at its zoom.
   */
  public Optional<Selection> selection(int zoom, long column, long row, Warp warp) {
    return window(zoom, column, row, warp).map(this::selection);
  }

  private Selection selection(Window window) {
    DimensionSelection[] parts = new DimensionSelection[2];
    parts[rows] =
        DimensionSelection.slice(window.firstRow, window.firstRow + window.rows, window.rowStep);
    parts[columns] =
        DimensionSelection.slice(
            window.firstColumn, window.firstColumn + window.columns, window.columnStep);
    return Selection.of(parts);
  }

  private long height() {
    return variable.shape().extent(rows);
  }

  private long width() {
    return variable.shape().extent(columns);
  }

  /** The places of the pixels of a tile in the raster, in elements; NaN for one outside. */
  private final class Places {
    private final double[] rowOf = new double[PIXELS * PIXELS];
    private final double[] columnOf = new double[PIXELS * PIXELS];

    Places(int zoom, long column, long row) {
      double tiles = Math.scalb(1.0, zoom);
      for (int i = 0; i < PIXELS; i++) {
        double down = (row + (i + 0.5) / PIXELS) / tiles;
        double y =
            isGeographic
                ? Math.toDegrees(Math.atan(Math.sinh(Math.PI * (1 - 2 * down))))
                : (0.5 - down) * CIRCUMFERENCE;
        for (int j = 0; j < PIXELS; j++) {
          double right = (column + (j + 0.5) / PIXELS) / tiles;
          put(i * PIXELS + j, (right - 0.5) * (isGeographic ? TURN : CIRCUMFERENCE), y);
        }
      }
    }

    private void put(int pixel, double x, double y) {
      rowOf[pixel] = Double.NaN;
      columnOf[pixel] = Double.NaN;
      double turn = isGeographic ? TURN : CIRCUMFERENCE;
      for (int turns = -1; turns <= 1; turns++) {
        double atColumn = transform.column(x + turns * turn, y);
        double atRow = transform.row(x + turns * turn, y);
        if (atColumn >= 0 && atColumn < width() && atRow >= 0 && atRow < height()) {
          rowOf[pixel] = atRow;
          columnOf[pixel] = atColumn;
        }
      }
    }
  }

  private static boolean isTile(int zoom, long column, long row) {
    return zoom >= 0
        && zoom <= DEEPEST
        && column >= 0
        && row >= 0
        && column < 1L << zoom
        && row < 1L << zoom;
  }

  private Optional<Window> window(int zoom, long column, long row, Warp warp) {
    return isTile(zoom, column, row)
        ? Optional.ofNullable(window(new Places(zoom, column, row), warp))
        : Optional.empty();
  }

  private @Nullable Window window(Places places, Warp warp) {
    long[] ofRows = ends(places.rowOf, height(), warp);
    long[] ofColumns = ends(places.columnOf, width(), warp);
    return ofRows == null || ofColumns == null
        ? null
        : new Window(
            ofRows[0],
            ofRows[1] - ofRows[0],
            step(ofRows[1] - ofRows[0]),
            ofColumns[0],
            ofColumns[1] - ofColumns[0],
            step(ofColumns[1] - ofColumns[0]));
  }

  private static int step(long elements) {
    return (int) Math.max(1, elements / (2L * PIXELS));
  }

  /** Returns the first element of places, and the one after the last; null without any place. */
  private static long @Nullable [] ends(double[] places, long extent, Warp warp) {
    double least = Double.POSITIVE_INFINITY;
    double greatest = Double.NEGATIVE_INFINITY;
    for (double place : places) {
      if (!Double.isNaN(place)) {
        least = Math.min(least, place);
        greatest = Math.max(greatest, place);
      }
    }
    if (least > greatest) {
      return null;
    }
    int around = warp == Warp.BILINEAR ? 1 : 0;
    return new long[] {
      Math.max(0, (long) least - around), Math.min(extent, (long) greatest + 1 + around)
    };
  }

  /**
   * Reads the values of a tile, decoded as the dataset is.
   *
   * <p>Thread, cancel and errors are those of {@link Variable#read()}.
   *
   * @return {@code float64} of shape (256, 256), the northernmost row first; NaN outside of the
   *     raster. Empty where {@link #selection} is
   */
  public Mono<NdArray> values(int zoom, long column, long row, Warp warp) {
    return Mono.defer(
        () -> {
          if (!isTile(zoom, column, row)) {
            return Mono.empty();
          }
          Places places = new Places(zoom, column, row);
          Window window = window(places, warp);
          return window == null
              ? Mono.empty()
              : variable.read(selection(window)).map(read -> warped(read, window, places, warp));
        });
  }

  /**
   * Draws a tile in the colours of a scale.
   *
   * @return {@code uint8} of shape (256, 256, 4): red, green, blue and opacity; transparent outside
   *     of the raster. Empty where {@link #selection} is
   */
  public Mono<NdArray> picture(int zoom, long column, long row, Warp warp, ColourScale scale) {
    return values(zoom, column, row, warp).map(values -> scale.rgba(values, PIXELS, PIXELS));
  }

  private NdArray warped(NdArray read, Window window, Places places, Warp warp) {
    NdArray plane = (rows == 0 ? read : read.transpose(1, 0)).toContiguous();
    int width = (int) plane.shape().extent(1);
    int height = (int) plane.shape().extent(0);
    double[] elements = plane.cast(DataTypes.FLOAT64).toDoubleArray();
    double[] pixels = new double[PIXELS * PIXELS];
    for (int i = 0; i < pixels.length; i++) {
      double down = (places.rowOf[i] - 0.5 - window.firstRow) / window.rowStep;
      double right = (places.columnOf[i] - 0.5 - window.firstColumn) / window.columnStep;
      pixels[i] =
          Double.isNaN(down)
              ? Double.NaN
              : warp == Warp.NEAREST
                  ? elements[nearest(down, height) * width + nearest(right, width)]
                  : mean(elements, width, height, down, right);
    }
    return NdArray.ofDoubles(Shape.of(PIXELS, PIXELS), pixels);
  }

  /** Returns the nearest element; of two that are equally near, the one in which the place lies. */
  private static int nearest(double place, int extent) {
    return (int) Math.max(0, Math.min(extent - 1L, (long) Math.floor(place + 0.5)));
  }

  private static double mean(double[] elements, int width, int height, double down, double right) {
    double sum = 0;
    double weights = 0;
    int top = (int) Math.floor(down);
    int left = (int) Math.floor(right);
    for (int row = top; row <= top + 1; row++) {
      for (int column = left; column <= left + 1; column++) {
        double weight = (1 - Math.abs(down - row)) * (1 - Math.abs(right - column));
        double element = elements[nearest(row, height) * width + nearest(column, width)];
        if (!Double.isNaN(element) && weight > 0) {
          sum += weight * element;
          weights += weight;
        }
      }
    }
    return weights == 0 ? Double.NaN : sum / weights;
  }

  /** Returns the variable and the transform of its pixels. */
  @Override
  public String toString() {
    return "tiles of " + variable.name() + " at " + transform;
  }
}
