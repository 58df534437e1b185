package dev.zarrreactive.geo;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.convention.ZarrConvention;
import dev.zarrreactive.convention.ZarrConventions;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.pyramid.PixelReduction;
import dev.zarrreactive.internal.pyramid.Pyramid;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.pyramid.Downsampling;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Writes a raster with its overviews, as the conventions {@code multiscales}, {@code proj} and
 * {@code spatial} lay it out: a group with the layout, below it a group for each level, {@code 0}
 * the finest, with the array of elements and the variable {@code spatial_ref}. Each level has its
 * own place in its attributes and in the layout. An overview has half the rows and columns of the
 * level before it, rounded up, and begins at the same corner.
 *
 * <p>Elements pass in blocks; memory is bounded by the options of the hierarchy. Wrong arguments
 * are {@link IllegalArgumentException}s. Publishers are cold; their signals come on a thread of the
 * codec scheduler or of the store. After an error or a cancel parts of the raster may be stored.
 * Not thread-safe.
 */
public final class NewRaster {
  private static final String MAPPING = "spatial_ref";

  private final GeoReference place;
  private final String variable;
  private List<String> dimensions;
  private Downsampling downsampling = Downsampling.MEAN;
  private int levels;
  private UnaryOperator<ArrayMetadataBuilder> layout = UnaryOperator.identity();

  NewRaster(GeoReference place, String variable) {
    if (variable.isEmpty() || variable.equals(MAPPING) || variable.contains("/")) {
      throw new IllegalArgumentException(
          "the name of an array, other than " + MAPPING + ": \"" + variable + "\"");
    }
    if (place.transform().isEmpty()) {
      throw new IllegalArgumentException("a raster that is written has a transform: " + place);
    }
    this.place = place;
    this.variable = variable;
    this.dimensions = List.of(place.rows(), place.columns());
  }

  /** Sets the names of the dimensions, such as time, rows, columns; rows and columns before. */
  public NewRaster dimensions(String... names) {
    List<String> all = List.of(names);
    if (!all.contains(place.rows()) || !all.contains(place.columns())) {
      throw new IllegalArgumentException(
          all + " lacks the rows " + place.rows() + " or the columns " + place.columns());
    }
    dimensions = all;
    return this;
  }

  /**
   * Sets the number of levels, the finest one included. Without, levels are added until one has at
   * most 256 rows and columns.
   */
  public NewRaster levels(int count) {
    Pyramid.checkLevels(count);
    levels = count;
    return this;
  }

  /** Sets how a level is made of the one before it: {@link Downsampling#MEAN} before. */
  public NewRaster downsampling(Downsampling method) {
    downsampling = method;
    return this;
  }

  /** Sets chunks, shards, codecs, attributes and the fill value, of each level; of Zarr v3. */
  public NewRaster layout(UnaryOperator<ArrayMetadataBuilder> settings) {
    layout = settings;
    return this;
  }

  /**
   * Writes a raster from its elements. Emits the group of the layout. {@link
   * dev.zarrreactive.error.NodeExistsException} if there is a node at the path.
   */
  public Mono<ZarrGroup> write(ZarrHierarchy hierarchy, String path, NdArray elements) {
    return written(
        hierarchy,
        path,
        elements.shape(),
        elements.dataType(),
        all -> Pyramid.write(all, elements, factors(), downsampling));
  }

  /** Writes a raster from an array of any store, block by block; otherwise as above. */
  public Mono<ZarrGroup> write(ZarrHierarchy hierarchy, String path, ZarrArray elements) {
    return written(
        hierarchy,
        path,
        elements.shape(),
        elements.dataType(),
        all -> Pyramid.copy(elements, all, factors(), downsampling));
  }

  /**
   * Writes a raster from blocks that follow one another along the first dimension, as {@link
   * ZarrArray#write(dev.zarrreactive.array.selection.Selection, Publisher)} takes them; otherwise
   * as above.
   */
  public Mono<ZarrGroup> write(
      ZarrHierarchy hierarchy, String path, Shape shape, DataType type, Publisher<NdArray> blocks) {
    return written(
        hierarchy, path, shape, type, all -> Pyramid.write(all, blocks, factors(), downsampling));
  }

  private Mono<ZarrGroup> written(
      ZarrHierarchy hierarchy,
      String path,
      Shape shape,
      DataType type,
      Function<List<ZarrArray>, Mono<Void>> filling) {
    Map<String, NodeMetadata> nodes = nodes(path, shape, type);
    List<String> arrays = new ArrayList<>();
    for (String node : nodes.keySet()) {
      if (node.endsWith("/" + variable)) {
        arrays.add(node);
      }
    }
    return hierarchy
        .create(nodes)
        .then(
            Mono.defer(
                () -> Flux.fromIterable(arrays).concatMap(hierarchy::openArray).collectList()))
        .flatMap(filling)
        .then(Mono.defer(() -> hierarchy.openGroup(path)));
  }

  private List<Integer> factors() {
    return dimensions.stream()
        .map(name -> name.equals(place.rows()) || name.equals(place.columns()) ? 2 : 1)
        .toList();
  }

  private Map<String, NodeMetadata> nodes(String path, Shape shape, DataType type) {
    int rows = dimensions.indexOf(place.rows());
    int columns = dimensions.indexOf(place.columns());
    if (shape.rank() != dimensions.size()
        || shape.extent(rows) != place.height()
        || shape.extent(columns) != place.width()) {
      throw new IllegalArgumentException(
          "elements of the shape "
              + shape
              + " for the dimensions "
              + dimensions
              + " and a raster of "
              + place.height()
              + " rows and "
              + place.width()
              + " columns");
    }
    PixelReduction.check(downsampling, type, Location.ofNode(path.isEmpty() ? "/" : "/" + path));
    List<Shape> shapes = Pyramid.shapes(shape, factors(), levels);
    String prefix = path.isEmpty() ? "" : path + "/";
    Map<String, NodeMetadata> nodes = new LinkedHashMap<>();
    List<JsonValue> layouts = new ArrayList<>();
    nodes.put(path, GroupMetadata.of(3, JsonObject.EMPTY));
    ArrayMetadata finest = null;
    double byRows = 1;
    double byColumns = 1;
    for (int i = 0; i < shapes.size(); i++) {
      Shape own = shapes.get(i);
      Shape finer = shapes.get(Math.max(0, i - 1));
      double[] steps = new double[own.rank()];
      Arrays.setAll(steps, d -> own.extent(d) == finer.extent(d) ? 1 : 2);
      byRows *= steps[rows];
      byColumns *= steps[columns];
      GeoReference coarser =
          place.coarser(byColumns, byRows, own.extent(rows), own.extent(columns));
      String level = prefix + i;
      finest = finest == null ? builder(own, type).build() : finest;
      nodes.put(level, GroupMetadata.of(3, coarser.attributes()));
      JsonObject ofArray = finest.attributes();
      for (Map.Entry<String, JsonValue> each : coarser.attributes().members().entrySet()) {
        ofArray = ofArray.with(each.getKey(), each.getValue());
      }
      nodes.put(
          level + "/" + variable,
          ArrayMetadata.like(finest)
              .shape(own)
              .attributes(ofArray.with("grid_mapping", MAPPING))
              .build());
      nodes.put(
          level + "/" + MAPPING,
          ArrayMetadata.v3(Shape.of(), DataTypes.INT64).attributes(coarser.gridMapping()).build());
      layouts.add(layout(i, steps, coarser));
    }
    JsonObject attributes =
        place
            .attributes()
            .with(
                "multiscales",
                JsonObject.EMPTY
                    .with("layout", new JsonArray(layouts))
                    .with("resampling_method", method()));
    nodes.put(
        path, GroupMetadata.of(3, ZarrConventions.declare(attributes, ZarrConvention.MULTISCALES)));
    return nodes;
  }

  private ArrayMetadataBuilder builder(Shape shape, DataType type) {
    return layout.apply(
        ArrayMetadata.v3(shape, type)
            .readInPlanes(dimensions.indexOf(place.rows()), dimensions.indexOf(place.columns()))
            .dimensionNames(dimensions.toArray(String[]::new)));
  }

  /** Returns the name of the method that GDAL and the convention have. */
  private String method() {
    return downsampling == Downsampling.MEAN ? "average" : downsampling.attribute();
  }

  private static JsonObject layout(int level, double[] steps, GeoReference own) {
    JsonObject object = JsonObject.EMPTY.with("asset", Integer.toString(level));
    if (level > 0) {
      object = object.with("derived_from", Integer.toString(level - 1));
    }
    JsonObject attributes = own.attributes();
    object =
        object.with(
            "transform",
            JsonObject.EMPTY
                .with("scale", GeoReference.numbers(steps))
                .with("translation", GeoReference.numbers(new double[steps.length])));
    for (String name : List.of("spatial:shape", "spatial:transform", "spatial:bbox")) {
      JsonValue value = attributes.get(name);
      object = value == null ? object : object.with(name, value);
    }
    return object;
  }
}
