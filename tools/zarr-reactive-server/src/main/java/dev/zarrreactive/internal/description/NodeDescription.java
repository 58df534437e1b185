package dev.zarrreactive.internal.description;

import dev.zarrreactive.UnreadableNode;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.chunkgrid.ChunkEdges;
import dev.zarrreactive.dataset.Variable;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.DimensionNames;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.ome.OmeAxis;
import dev.zarrreactive.ome.OmeChannel;
import dev.zarrreactive.ome.OmeMetadata;
import dev.zarrreactive.ome.OmeMultiscale;
import dev.zarrreactive.ome.OmeTransform;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Nodes as JSON, by their metadata alone. */
public final class NodeDescription {
  private static final String SHARDING = "sharding_indexed";

  /** The attributes of an array that tell what it is in a dataset. */
  private static final List<String> NAMING =
      List.of("long_name", "standard_name", "units", "coordinates");

  /** The edges of a dimension that are told of; a picture has no room for more. */
  private static final int MOST_EDGES = 10_000;

  private NodeDescription() {}

  /** Describes a node of a tree. */
  public static JsonObject summary(ZarrNode node) {
    JsonObject summary = JsonObject.EMPTY.with("path", node.path().value());
    if (node instanceof ZarrArray array) {
      return summary
          .with("kind", "array")
          .with("data_type", array.dataType().toString())
          .with("shape", JsonArray.ofIntegers(array.shape().toArray()));
    }
    return node instanceof UnreadableNode unreadable
        ? summary.with("kind", "unreadable").with("error", unreadable.error().statement())
        : summary.with("kind", "group");
  }

  /**
   * Describes one node, with its document.
   *
   * @param variable what an array is in the dataset of its group; null for other nodes
   */
  public static JsonObject metadata(ZarrNode node, @Nullable Variable variable) {
    JsonObject described = summary(node);
    if (node instanceof ZarrArray array) {
      described =
          (variable == null ? described : decoded(described, variable))
              .with("dimensions", texts(DimensionNames.of(array.metadata()).names()))
              .with("layout", layout(array));
    } else if (node instanceof ZarrGroup) {
      List<OmeMultiscale> images = OmeMetadata.of(node.attributes()).multiscales();
      described =
          images.isEmpty() ? described : described.with("image", image(node, images.get(0)));
    }
    return described
        .with("zarr_format", node.metadata().zarrFormat())
        .with("attributes", node.attributes())
        .with("document", node.metadata().document());
  }

  /** Describes an array of a group in short: what it is, its dimensions, chunks and bytes. */
  public static JsonObject child(Variable variable) {
    ZarrArray array = variable.array();
    JsonObject child =
        decoded(summary(array), variable)
            .with("dimensions", texts(DimensionNames.of(array.metadata()).names()))
            .with("layout", layout(array));
    DataType type = variable.decoding().dataType();
    if (!(type instanceof VariableLengthType)) {
      BigInteger size = BigInteger.valueOf(type.itemSize());
      child =
          child.with(
              "bytes", new JsonNumber(variable.shape().elementCount().multiply(size).toString()));
    }
    JsonObject attributes = JsonObject.EMPTY;
    for (String name : NAMING) {
      if (array.attributes().get(name) instanceof JsonString text) {
        attributes = attributes.with(name, text);
      }
    }
    return child.with("attributes", attributes);
  }

  /**
   * Adds the type of values and the rules that make them, if there are such rules, and the shape of
   * texts, which lacks the dimension of their characters.
   */
  private static JsonObject decoded(JsonObject node, Variable variable) {
    CfDecoding decoding = variable.decoding();
    if (!decoding.isReadable() || decoding.isIdentity()) {
      return node;
    }
    List<String> rules =
        decoding.rules().stream()
            .sorted()
            .map(rule -> rule.name().toLowerCase(Locale.ROOT))
            .toList();
    JsonObject decoded =
        JsonObject.EMPTY
            .with("data_type", decoding.dataType().toString())
            .with("rules", texts(rules));
    return node.with(
        "decoded",
        decoding.joinsCharacters()
            ? decoded.with("shape", JsonArray.ofIntegers(variable.shape().toArray()))
            : decoded);
  }

  /** Describes how elements are divided and coded; shards are chunks of the grid. */
  private static JsonObject layout(ZarrArray array) {
    List<JsonValue> edges = new ArrayList<>();
    for (int d = 0; d < array.chunkGrid().rank(); d++) {
      ChunkEdges its = array.chunkGrid().dimension(d);
      edges.add(
          its.lengths().limit(2).count() == 1
              ? JsonNumber.of(its.largest())
              : JsonArray.ofIntegers(
                  LongStream.range(0, Math.min(MOST_EDGES, its.count()))
                      .map(its::length)
                      .toArray()));
    }
    List<String> codecs = new ArrayList<>();
    JsonValue inner = null;
    for (NamedConfiguration codec : array.metadata().codecs()) {
      codecs.add(codec.name());
      if (codec.name().equals(SHARDING)) {
        JsonObject sharding = codec.configuration().object();
        inner = sharding.get("chunk_shape");
        codecs.add("→");
        if (sharding.get("codecs") instanceof JsonArray its) {
          its.elements().forEach(each -> codecs.add(name(each)));
        }
      }
    }
    JsonObject layout = JsonObject.EMPTY.with("codecs", texts(codecs));
    JsonArray grid = new JsonArray(edges);
    return inner == null
        ? layout.with("chunks", grid)
        : layout.with("shards", grid).with("chunks", inner);
  }

  private static String name(JsonValue codec) {
    return codec instanceof JsonString text
        ? text.value()
        : ((JsonObject) codec).string("name").orElse("");
  }

  /** Describes an image of OME-Zarr: its levels, and the axes of the finest one. */
  private static JsonObject image(ZarrNode group, OmeMultiscale image) {
    List<String> levels = new ArrayList<>();
    image.datasets().forEach(level -> below(group.path(), level.path()).ifPresent(levels::add));
    Optional<OmeTransform> finest =
        image.datasets().stream().findFirst().flatMap(OmeMultiscale.Dataset::transform);
    List<JsonValue> axes = new ArrayList<>();
    for (OmeAxis axis : image.axes()) {
      JsonObject described =
          JsonObject.EMPTY
              .with("name", axis.name())
              .with("type", axis.type())
              .with("unit", axis.unit());
      axes.add(finest.isEmpty() ? described : placed(described, finest.get(), axes.size()));
    }
    List<OmeChannel> channels = OmeMetadata.of(group.attributes()).channels();
    return JsonObject.EMPTY
        .with("levels", texts(levels))
        .with("axes", new JsonArray(axes))
        .with("channels", texts(channels.stream().map(OmeChannel::label).toList()))
        .with(
            "display",
            new JsonArray(channels.stream().<JsonValue>map(NodeDescription::display).toList()));
  }

  /** Describes how a channel is drawn. */
  private static JsonObject display(OmeChannel channel) {
    JsonObject display =
        JsonObject.EMPTY
            .with(
                "colour",
                JsonArray.ofIntegers(
                    channel.colour() >> 16, channel.colour() >> 8 & 0xff, channel.colour() & 0xff))
            .with("active", channel.active())
            .with("inverted", channel.inverted());
    return channel
        .window()
        .filter(window -> Double.isFinite(window.start()) && Double.isFinite(window.end()))
        .map(
            window ->
                display.with("start", number(window.start())).with("end", number(window.end())))
        .orElse(display);
  }

  private static JsonObject placed(JsonObject axis, OmeTransform transform, int d) {
    double scale = transform.scale().get(d);
    if (!Double.isFinite(scale) || !Double.isFinite(transform.translation().get(d))) {
      return axis;
    }
    return axis.with("scale", number(scale))
        .with("translation", number(transform.translation().get(d)));
  }

  private static JsonNumber number(double number) {
    return new JsonNumber(Double.toString(number));
  }

  private static Optional<String> below(NodePath group, String path) {
    try {
      return path.isEmpty() ? Optional.empty() : Optional.of(group.resolve(path).value());
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static JsonArray texts(List<? extends @Nullable String> texts) {
    List<JsonValue> values = new ArrayList<>();
    for (String text : texts) {
      values.add(text == null ? JsonNull.NULL : new JsonString(text));
    }
    return new JsonArray(values);
  }
}
