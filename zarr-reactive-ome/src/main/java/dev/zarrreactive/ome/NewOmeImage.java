package dev.zarrreactive.ome;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.pyramid.PixelReduction;
import dev.zarrreactive.internal.pyramid.Pyramid;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.pyramid.Downsampling;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Writes an image of OME-Zarr 0.5 or 0.6 with its levels of resolution. A level is made of the one
 * before it, in blocks of about a chunk, so that images beyond the memory can be written. It is of
 * half the extent, rounded up, along the axes that are halved, and has the chunks and codecs of the
 * finest one.
 *
 * <p>Arguments that cannot be are {@link IllegalArgumentException}s. Publishers are cold; their
 * signals come on a thread of the codec scheduler or of the store. After an error or a cancel parts
 * of the image may be stored. Not thread-safe.
 */
public final class NewOmeImage {
  private static final Set<String> VERSIONS = Set.of("0.5", "0.6");

  private final List<OmeAxis> axes;
  private final Map<String, Double> scale = new HashMap<>();
  private final Map<String, Double> translation = new HashMap<>();
  private List<String> halved;
  private String name = "";
  private String version = "0.5";
  private List<OmeChannel> channels = List.of();
  private Downsampling downsampling = Downsampling.MEAN;
  private int levels;
  private boolean isLabels;
  private UnaryOperator<ArrayMetadataBuilder> layout = UnaryOperator.identity();

  NewOmeImage(List<OmeAxis> axes) {
    this.axes = List.copyOf(axes);
    checkOrder(this.axes);
    List<String> space =
        this.axes.stream().filter(a -> a.type().equals(OmeAxis.SPACE)).map(OmeAxis::name).toList();
    this.halved = space.subList(space.size() - 2, space.size());
  }

  private static void checkOrder(List<OmeAxis> axes) {
    int last = -1;
    int[] counts = new int[3];
    for (OmeAxis axis : axes) {
      int order =
          switch (axis.type()) {
            case OmeAxis.TIME -> 0;
            case OmeAxis.SPACE -> 2;
            default -> 1;
          };
      counts[order]++;
      if (order < last || axis.name().isEmpty() || counts[0] > 1 || counts[1] > 1) {
        throw wrong(axes);
      }
      last = order;
    }
    boolean areEqual = axes.stream().map(OmeAxis::name).distinct().count() != axes.size();
    if (counts[2] < 2 || counts[2] > 3 || areEqual) {
      throw wrong(axes);
    }
  }

  private static IllegalArgumentException wrong(List<OmeAxis> axes) {
    return new IllegalArgumentException(
        "the axes of an image have different names and are one of the type time at most, then one"
            + " of the type channel or of another one at most, then two or three of the type space: "
            + axes
            + " of the types "
            + axes.stream().map(OmeAxis::type).toList());
  }

  private void checkAxis(String axis) {
    if (axes.stream().noneMatch(each -> each.name().equals(axis))) {
      throw new IllegalArgumentException(
          "the image has the axes "
              + axes.stream().map(OmeAxis::name).toList()
              + ", and none named "
              + axis);
    }
  }

  /** Sets the name. */
  public NewOmeImage name(String text) {
    name = text;
    return this;
  }

  /** Sets the distance of neighbours of the finest level along an axis, in its unit; 1 before. */
  public NewOmeImage scale(String axis, double distance) {
    checkAxis(axis);
    if (!(distance > 0 && Double.isFinite(distance))) {
      throw new IllegalArgumentException("a scale is a finite number above 0: " + distance);
    }
    scale.put(axis, distance);
    return this;
  }

  /** Sets the coordinate of the first elements of the finest level along an axis; 0 before. */
  public NewOmeImage translation(String axis, double coordinate) {
    checkAxis(axis);
    if (!Double.isFinite(coordinate)) {
      throw new IllegalArgumentException("a coordinate is a finite number: " + coordinate);
    }
    translation.put(axis, coordinate);
    return this;
  }

  /**
   * Sets how channels are drawn. Each needs a window, and the image one for each of its channels.
   */
  public NewOmeImage channels(List<OmeChannel> all) {
    if (all.stream().anyMatch(channel -> channel.window().isEmpty())) {
      throw new IllegalArgumentException("a channel that is written has a window: " + all);
    }
    channels = List.copyOf(all);
    return this;
  }

  /** Sets the version of OME-Zarr: {@code 0.5}, the default, or {@code 0.6}. */
  public NewOmeImage version(String text) {
    if (!VERSIONS.contains(text)) {
      throw new IllegalArgumentException("0.5 and 0.6 can be written: " + text);
    }
    version = text;
    return this;
  }

  /**
   * Sets the number of levels. Without, levels are added until one has at most 256 elements along
   * each halved axis.
   */
  public NewOmeImage levels(int count) {
    Pyramid.checkLevels(count);
    levels = count;
    return this;
  }

  /** Sets the axes that each level halves: the last two of space before. */
  public NewOmeImage halving(String... names) {
    List.of(names).forEach(this::checkAxis);
    halved = List.of(names);
    return this;
  }

  /** Sets how a level is made of the one before it: {@link Downsampling#MEAN} before. */
  public NewOmeImage downsampling(Downsampling method) {
    downsampling = method;
    return this;
  }

  /** Says that elements are labels of objects, whose levels have the most frequent label. */
  public NewOmeImage labels() {
    isLabels = true;
    downsampling = Downsampling.MODE;
    return this;
  }

  /** Sets chunks, shards, codecs and the fill value, of each level; of Zarr v3. */
  public NewOmeImage layout(UnaryOperator<ArrayMetadataBuilder> settings) {
    layout = settings;
    return this;
  }

  /**
   * Creates the groups and the arrays of all levels, without elements. {@link
   * dev.zarrreactive.error.NodeExistsException} if there is a node at the path.
   *
   * @param path the path of the image's group
   * @param shape the extents of the finest level
   */
  public Mono<OmeImage> create(ZarrHierarchy hierarchy, String path, Shape shape, DataType type) {
    Map<String, NodeMetadata> nodes = nodes(path, shape, type);
    return hierarchy.create(nodes).then(Mono.defer(() -> OmeImage.open(hierarchy, path)));
  }

  /** Writes an image from its elements; otherwise as {@link #create}. */
  public Mono<OmeImage> write(ZarrHierarchy hierarchy, String path, NdArray elements) {
    return written(
        hierarchy,
        path,
        elements.shape(),
        elements.dataType(),
        all -> Pyramid.write(all, elements, factors(), downsampling));
  }

  /** Writes an image from an array of any store, block by block; otherwise as {@link #create}. */
  public Mono<OmeImage> write(ZarrHierarchy hierarchy, String path, ZarrArray elements) {
    return written(
        hierarchy,
        path,
        elements.shape(),
        elements.dataType(),
        all -> Pyramid.copy(elements, all, factors(), downsampling));
  }

  /**
   * Writes an image from blocks that follow one another along the first axis, as {@link
   * ZarrArray#write(Selection, Publisher)} takes them; otherwise as {@link #create}.
   */
  public Mono<OmeImage> write(
      ZarrHierarchy hierarchy, String path, Shape shape, DataType type, Publisher<NdArray> blocks) {
    return written(
        hierarchy, path, shape, type, all -> Pyramid.write(all, blocks, factors(), downsampling));
  }

  /**
   * Writes labels of an image that has been written, at {@code labels/NAME} below its group, and
   * lists them there. They have as many levels as the image, and its version; otherwise as {@link
   * #write(ZarrHierarchy, String, NdArray)}.
   */
  public Mono<OmeImage> writeLabels(OmeImage of, String label, ZarrHierarchy in, NdArray elements) {
    labels();
    levels = of.levels().size();
    version = of.metadata().version().startsWith("0.6") ? "0.6" : "0.5";
    String folder = of.group().path().resolve("labels").value().substring(1);
    return listed(in, folder, label)
        .then(Mono.defer(() -> write(in, folder + "/" + label, elements)));
  }

  private Mono<ZarrGroup> listed(ZarrHierarchy hierarchy, String folder, String label) {
    return hierarchy
        .exists(folder)
        .flatMap(
            exists ->
                exists
                    ? hierarchy.openGroup(folder)
                    : hierarchy.createGroup(folder, GroupMetadata.of(3, JsonObject.EMPTY)))
        .flatMap(
            group ->
                group.updateAttributes(
                    attributes -> {
                      List<JsonValue> names = new ArrayList<>();
                      OmeMetadata.of(attributes).labelPaths().stream()
                          .filter(known -> !known.equals(label))
                          .forEach(known -> names.add(new JsonString(known)));
                      names.add(new JsonString(label));
                      return attributes.with(
                          "ome",
                          JsonObject.EMPTY
                              .with("version", version)
                              .with("labels", new JsonArray(names)));
                    }));
  }

  private Mono<OmeImage> written(
      ZarrHierarchy hierarchy,
      String path,
      Shape shape,
      DataType type,
      Function<List<ZarrArray>, Mono<Void>> filling) {
    return create(hierarchy, path, shape, type)
        .flatMap(image -> filling.apply(arrays(image)).thenReturn(image));
  }

  private static List<ZarrArray> arrays(OmeImage image) {
    return image.levels().stream().map(OmeLevel::array).toList();
  }

  private List<Integer> factors() {
    return axes.stream().map(axis -> halved.contains(axis.name()) ? 2 : 1).toList();
  }

  private Map<String, NodeMetadata> nodes(String path, Shape shape, DataType type) {
    if (shape.rank() != axes.size()) {
      throw new IllegalArgumentException(
          "the elements have "
              + shape.rank()
              + " dimensions, the image the axes "
              + axes.stream().map(OmeAxis::name).toList());
    }
    NodePath node = path.isEmpty() ? NodePath.ROOT : NodePath.of(path);
    PixelReduction.check(downsampling, type, Location.ofNode(node.value()));
    for (int d = 0; d < axes.size() && !channels.isEmpty(); d++) {
      if (axes.get(d).type().equals(OmeAxis.CHANNEL) && shape.extent(d) != channels.size()) {
        throw new IllegalArgumentException(
            "the image has "
                + shape.extent(d)
                + " channels, and "
                + channels.size()
                + " are described");
      }
    }
    List<Shape> shapes = shapes(shape);
    List<OmeMultiscale.Dataset> datasets = new ArrayList<>();
    Map<String, NodeMetadata> nodes = new LinkedHashMap<>();
    nodes.put(path, GroupMetadata.of(3, JsonObject.EMPTY));
    ArrayMetadataBuilder finest = builder(ArrayMetadata.v3(shape, type));
    ArrayMetadata first = finest.build();
    for (int i = 0; i < shapes.size(); i++) {
      String level = Integer.toString(i);
      ArrayMetadata array = i == 0 ? first : ArrayMetadata.like(first).shape(shapes.get(i)).build();
      nodes.put(path.isEmpty() ? level : path + "/" + level, array);
      datasets.add(new OmeMultiscale.Dataset(level, Optional.of(transform(i, shapes))));
    }
    nodes.put(path, GroupMetadata.of(3, JsonObject.EMPTY.with("ome", attributes(datasets))));
    return nodes;
  }

  private ArrayMetadataBuilder builder(ArrayMetadataBuilder builder) {
    int last = axes.size() - 1;
    return layout.apply(
        builder
            .readInPlanes(last - 1, last)
            .dimensionNames(axes.stream().map(OmeAxis::name).toArray(String[]::new)));
  }

  private JsonObject attributes(List<OmeMultiscale.Dataset> datasets) {
    String type = datasets.size() > 1 ? downsampling.attribute() : "";
    JsonObject ome =
        JsonObject.EMPTY
            .with("version", version)
            .with(
                "multiscales",
                JsonArray.of(
                    OmeDocument.multiscale(version.equals("0.6"), name, type, axes, datasets)));
    if (!channels.isEmpty()) {
      ome = ome.with("omero", OmeDocument.omero(channels));
    }
    return isLabels
        ? ome.with(
            "image-label",
            JsonObject.EMPTY.with("source", JsonObject.EMPTY.with("image", "../../")))
        : ome;
  }

  private List<Shape> shapes(Shape finest) {
    return Pyramid.shapes(finest, factors(), levels);
  }

  private OmeTransform transform(int level, List<Shape> shapes) {
    List<Double> scales = new ArrayList<>();
    List<Double> offsets = new ArrayList<>();
    for (OmeAxis axis : axes) {
      scales.add(scale.getOrDefault(axis.name(), 1.0));
      offsets.add(translation.getOrDefault(axis.name(), 0.0));
    }
    return coarser(new OmeTransform(scales, offsets), factors(), shapes, level, downsampling);
  }

  /** Returns the transform of a level by that of the finest one. */
  static OmeTransform coarser(
      OmeTransform finest,
      List<Integer> factors,
      List<Shape> shapes,
      int level,
      Downsampling method) {
    List<Double> scales = new ArrayList<>();
    List<Double> offsets = new ArrayList<>();
    for (int d = 0; d < factors.size(); d++) {
      double times = 1;
      for (int i = 1; i <= level; i++) {
        boolean isHalved = shapes.get(i).extent(d) != shapes.get(i - 1).extent(d);
        times *= isHalved ? factors.get(d) : 1;
      }
      double own = finest.scale().get(d);
      double moved = method == Downsampling.NEAREST ? 0 : (times - 1) / 2 * own;
      scales.add(own * times);
      offsets.add(finest.translation().get(d) + moved);
    }
    return new OmeTransform(scales, offsets);
  }

  /**
   * Adds levels to an image that has one: their arrays and transforms, like those of {@link
   * #write}. The other attributes stay.
   *
   * @param count the number of levels with the one that it has; 0 for as many as are usual
   * @param halved the axes that are halved; empty for the last two of space
   */
  static Mono<OmeImage> addLevels(
      OmeImage image, int count, List<String> halved, Downsampling method) {
    List<OmeAxis> axes = image.axes();
    if (image.levels().size() != 1 || !image.gaps().isEmpty()) {
      return Mono.error(
          () ->
              image
                  .metadata()
                  .refused(
                      "the image has "
                          + (image.levels().size() + image.gaps().size())
                          + " levels; levels are added to an image that has one"));
    }
    halved.forEach(axis -> image.levels().get(0).dimension(axis));
    List<String> plane = halved.isEmpty() ? image.planeAxes() : halved;
    List<Integer> factors = axes.stream().map(a -> plane.contains(a.name()) ? 2 : 1).toList();
    OmeLevel finest = image.levels().get(0);
    PixelReduction.check(
        method, finest.array().dataType(), Location.ofNode(image.group().path().value()));
    List<Shape> shapes = Pyramid.shapes(finest.array().shape(), factors, count);
    List<OmeMultiscale.Dataset> datasets = new ArrayList<>();
    for (int i = 0; i < shapes.size(); i++) {
      String path = i == 0 ? finest.path() : next(finest.path(), i);
      datasets.add(
          new OmeMultiscale.Dataset(
              path, Optional.of(coarser(finest.transform(), factors, shapes, i, method))));
    }
    ZarrGroup group = image.group();
    return Flux.range(1, shapes.size() - 1)
        .concatMap(
            i ->
                group.createArray(
                    datasets.get(i).path(),
                    ArrayMetadata.like(finest.array().metadata()).shape(shapes.get(i)).build()))
        .collectList()
        .flatMap(
            arrays -> {
              List<ZarrArray> all = new ArrayList<>(List.of(finest.array()));
              all.addAll(arrays);
              return Pyramid.fill(all, factors, method)
                  .then(
                      Mono.defer(
                          () ->
                              group.updateAttributes(
                                  attributes -> withLevels(attributes, image, datasets, method))))
                  .flatMap(OmeImage::of);
            });
  }

  private static String next(String first, int level) {
    return switch (first) {
      case "s0" -> "s" + level;
      case "scale0" -> "scale" + level;
      default -> Integer.toString(level);
    };
  }

  private static @Nullable JsonObject object(@Nullable JsonValue value) {
    return value instanceof JsonObject object ? object : null;
  }

  private static JsonObject withLevels(
      JsonObject attributes,
      OmeImage image,
      List<OmeMultiscale.Dataset> datasets,
      Downsampling method) {
    JsonObject inside = object(attributes.get("ome"));
    JsonObject owner = inside == null ? attributes : inside;
    List<OmeSystem> systems = image.metadata().multiscales().get(0).systems();
    String system = systems.isEmpty() ? "" : systems.get(0).name();
    List<JsonValue> images = new ArrayList<>();
    if (owner.get("multiscales") instanceof JsonArray list) {
      images.addAll(list.elements());
    }
    JsonObject first = images.isEmpty() ? null : object(images.get(0));
    if (first == null) {
      throw image.metadata().refused("another program has changed the attributes meanwhile");
    }
    JsonArray levels = OmeDocument.datasets(!systems.isEmpty(), system, datasets);
    first = first.with("datasets", levels).with("type", method.attribute());
    images.set(0, systems.isEmpty() ? first.without("coordinateTransformations") : first);
    JsonObject changed = owner.with("multiscales", new JsonArray(images));
    return inside == null ? changed : attributes.with("ome", changed);
  }
}
