package dev.zarrreactive.geo;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.convention.ZarrConvention;
import dev.zarrreactive.convention.ZarrConventions;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.dataset.Variable;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Where a raster lies on the Earth: its coordinate reference system, and the coordinates of its
 * pixels. Immutable.
 *
 * @param code the authority and the code of the reference system, such as {@code EPSG:32633}; from
 *     the well-known text where attributes tell no other
 * @param wkt the reference system as well-known text
 * @param projJson the reference system as PROJJSON
 * @param transform the coordinates of the pixels; empty if neither attributes nor evenly spaced
 *     coordinates tell them
 * @param rows the name of the dimension of rows
 * @param columns the name of the dimension of columns
 * @param height the number of rows
 * @param width the number of columns
 */
public record GeoReference(
    Optional<String> code,
    Optional<String> wkt,
    Optional<JsonObject> projJson,
    Optional<AffineTransform> transform,
    String rows,
    String columns,
    long height,
    long width) {
  private static final String EPSG = "EPSG:";

  /** The names of dimensions that are rows and columns where no attribute says it. */
  private static final List<List<String>> USUAL =
      List.of(List.of("y", "x"), List.of("lat", "lon"), List.of("latitude", "longitude"));

  /** A difference of steps below this part of a step is one of rounding. */
  private static final double EVEN = 1e-4;

  /**
   * Finds the place of a variable. In this order tell of it: the attributes of the array, those of
   * its group ({@code proj:}, {@code spatial:}), and the variable that {@code grid_mapping} names
   * ({@code crs_wkt}, {@code spatial_ref}, {@code GeoTransform}), else one named {@code
   * spatial_ref} or {@code crs}. Without a transform in attributes, three labels of each coordinate
   * are read: the first two and the last; evenly spaced they tell the transform, as the centres of
   * the pixels.
   *
   * <p>Errors are those of reading. A part of a variable that has dropped its rows or columns has
   * no place.
   *
   * @throws IllegalArgumentException if the variable has fewer than two dimensions
   * @throws dev.zarrreactive.error.InvalidInputException if there is no variable of the name
   */
  public static Mono<GeoReference> of(Dataset dataset, String name) {
    Variable variable = dataset.variable(name);
    List<String> dimensions = variable.dimensions();
    if (dimensions.size() < 2) {
      throw new IllegalArgumentException(
          "a raster has two dimensions or more, the variable " + name + " has " + dimensions);
    }
    GeoAttributes told =
        GeoAttributes.of(variable.attributes()).or(GeoAttributes.of(dataset.attributes()));
    Variable mapping = mapping(dataset, variable);
    GeoAttributes all = mapping == null ? told : told.or(GeoAttributes.of(mapping.attributes()));
    List<String> plane = plane(dataset, dimensions, all.dimensions());
    GeoReference found =
        new GeoReference(
            all.code(),
            all.wkt(),
            all.projJson(),
            all.transform(),
            plane.get(0),
            plane.get(1),
            variable.shape().extent(dimensions.indexOf(plane.get(0))),
            variable.shape().extent(dimensions.indexOf(plane.get(1))));
    return all.transform().isPresent()
        ? Mono.just(found)
        : transform(dataset, plane).map(found::with).defaultIfEmpty(found);
  }

  /**
   * Makes the place of a raster that is written.
   *
   * @throws IllegalArgumentException for numbers of rows or columns below 1
   */
  public static GeoReference of(
      String code,
      AffineTransform transform,
      String rows,
      String columns,
      long height,
      long width) {
    if (height < 1 || width < 1) {
      throw new IllegalArgumentException(
          "a raster has rows and columns: " + height + " times " + width);
    }
    return new GeoReference(
        Optional.of(code),
        Optional.empty(),
        Optional.empty(),
        Optional.of(transform),
        rows,
        columns,
        height,
        width);
  }

  /**
   * Begins a raster with this place, which is written with its overviews.
   *
   * @param variable the name of its array in the group of each level
   * @throws IllegalArgumentException if there is no transform, or for a name that no array can have
   */
  public NewRaster raster(String variable) {
    return new NewRaster(this, variable);
  }

  /** Returns the place of a raster that begins at the same corner and has larger pixels. */
  GeoReference coarser(double byColumns, double byRows, long rowCount, long columnCount) {
    return new GeoReference(
        code,
        wkt,
        projJson,
        transform.map(t -> t.coarser(byColumns, byRows)),
        rows,
        columns,
        rowCount,
        columnCount);
  }

  private GeoReference with(AffineTransform other) {
    return new GeoReference(code, wkt, projJson, Optional.of(other), rows, columns, height, width);
  }

  private static @Nullable Variable mapping(Dataset dataset, Variable variable) {
    String named =
        variable.attributes().get("grid_mapping") instanceof JsonString text
            ? text.value().strip().replaceAll("[:\\s].*", "")
            : "";
    for (String candidate : List.of(named, "spatial_ref", "crs")) {
      Variable found = dataset.variables().get(candidate);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private static List<String> plane(Dataset dataset, List<String> dimensions, List<String> told) {
    if (told.size() == 2 && dimensions.containsAll(told)) {
      return told;
    }
    Optional<String> y = dataset.coordinate("Y").map(Variable::name).filter(dimensions::contains);
    Optional<String> x = dataset.coordinate("X").map(Variable::name).filter(dimensions::contains);
    if (y.isPresent() && x.isPresent()) {
      return List.of(y.get(), x.get());
    }
    for (List<String> usual : USUAL) {
      if (dimensions.containsAll(usual)) {
        return usual;
      }
    }
    return dimensions.subList(dimensions.size() - 2, dimensions.size());
  }

  private static Mono<AffineTransform> transform(Dataset dataset, List<String> plane) {
    return line(dataset, plane.get(1))
        .flatMap(
            x ->
                line(dataset, plane.get(0))
                    .map(y -> new AffineTransform(x[0], x[1], 0, y[0], 0, y[1]).ofCorners()));
  }

  /** Emits the first label and the step of a coordinate; none if the steps differ. */
  private static Mono<double[]> line(Dataset dataset, String dimension) {
    Variable labels = dataset.variables().get(dimension);
    if (labels == null
        || labels.shape().rank() != 1
        || labels.shape().extent(0) < 2
        || !(labels.dataType() instanceof FloatType || labels.dataType() instanceof IntegerType)) {
      return Mono.empty();
    }
    long last = labels.shape().extent(0) - 1;
    return labels
        .read(Selection.of(DimensionSelection.indices(0, 1, last)))
        .map(NdArray::toContiguous)
        .mapNotNull(
            three -> {
              double[] ends = three.cast(DataTypes.FLOAT64).toDoubleArray();
              double step = (ends[2] - ends[0]) / last;
              boolean isEven = Math.abs(ends[1] - ends[0] - step) <= EVEN * Math.abs(step);
              return isEven && step != 0 ? new double[] {ends[0], step} : null;
            });
  }

  /** Returns the code of the reference system in the register of EPSG. */
  public OptionalInt epsg() {
    String digits =
        code.filter(text -> text.startsWith(EPSG)).orElse(EPSG).substring(EPSG.length());
    return digits.matches("\\d{1,9}")
        ? OptionalInt.of(Integer.parseInt(digits))
        : OptionalInt.empty();
  }

  /**
   * Returns attributes of an array, or of the group of arrays with this place, as the declared
   * conventions {@code proj:} and {@code spatial:} have them, with {@code _CRS} of GDAL. Of the
   * forms of the reference system {@code proj:} gets one: the code, else PROJJSON, else well-known
   * text.
   *
   * <p>The array has the names of rows and columns as names of its dimensions. {@link #of} reads
   * the same place.
   */
  public JsonObject attributes() {
    JsonObject attributes = JsonObject.EMPTY;
    if (code.isPresent()) {
      attributes = attributes.with("proj:code", code.get());
    } else if (projJson.isPresent()) {
      attributes = attributes.with("proj:projjson", projJson.get());
    } else if (wkt.isPresent()) {
      attributes = attributes.with("proj:wkt2", wkt.get());
    }
    boolean hasSystem = !attributes.members().isEmpty();
    if (hasSystem) {
      attributes = attributes.with("_CRS", gdalSystem());
    }
    attributes =
        attributes
            .with("spatial:dimensions", JsonArray.of(new JsonString(rows), new JsonString(columns)))
            .with("spatial:shape", JsonArray.ofIntegers(height, width));
    if (transform.isPresent()) {
      AffineTransform t = transform.get();
      AffineTransform.Bounds b = t.bounds((double) height, (double) width);
      attributes =
          attributes
              .with(
                  "spatial:transform",
                  numbers(t.xPerColumn(), t.xPerRow(), t.x(), t.yPerColumn(), t.yPerRow(), t.y()))
              .with("spatial:bbox", numbers(b.minX(), b.minY(), b.maxX(), b.maxY()));
    }
    return hasSystem
        ? ZarrConventions.declare(attributes, ZarrConvention.PROJ, ZarrConvention.SPATIAL)
        : ZarrConventions.declare(attributes, ZarrConvention.SPATIAL);
  }

  /** Returns the system as GDAL has it: by a URL of the register of EPSG, as text, or PROJJSON. */
  private JsonObject gdalSystem() {
    JsonObject system = JsonObject.EMPTY;
    if (epsg().isPresent()) {
      system = system.with("url", "http://www.opengis.net/def/crs/EPSG/0/" + epsg().getAsInt());
    }
    if (wkt.isPresent()) {
      system = system.with("wkt", wkt.get());
    }
    return projJson.isPresent() ? system.with("projjson", projJson.get()) : system;
  }

  /**
   * Returns the attributes of a variable that {@code grid_mapping} of rasters names, such as {@code
   * spatial_ref}, as rioxarray writes and GDAL reads them: {@code crs_wkt}, {@code spatial_ref} and
   * {@code GeoTransform}. Without a well-known text the code stands in its place, which both read.
   */
  public JsonObject gridMapping() {
    JsonObject attributes = JsonObject.EMPTY;
    Optional<String> system = wkt.or(() -> code);
    if (system.isPresent()) {
      attributes = attributes.with("crs_wkt", system.get()).with("spatial_ref", system.get());
    }
    if (transform.isPresent()) {
      AffineTransform t = transform.get();
      attributes =
          attributes.with(
              "GeoTransform",
              Stream.of(t.x(), t.xPerColumn(), t.xPerRow(), t.y(), t.yPerColumn(), t.yPerRow())
                  .map(GeoReference::shortest)
                  .collect(Collectors.joining(" ")));
    }
    return attributes;
  }

  private static String shortest(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1L << 53
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  static JsonArray numbers(double... values) {
    return new JsonArray(
        DoubleStream.of(values)
            .<JsonValue>mapToObj(value -> new JsonNumber(shortest(value)))
            .toList());
  }

  /** Returns the least and greatest coordinates of the raster; empty without a transform. */
  public Optional<AffineTransform.Bounds> bounds() {
    return transform.map(affine -> affine.bounds((double) height, (double) width));
  }
}
