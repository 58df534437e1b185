package dev.zarrreactive.server;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cf.CfRule;
import dev.zarrreactive.dataset.Variable;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.encoding.Encoding;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.description.NodeDescription;
import dev.zarrreactive.internal.description.SliceFormat;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.observation.ZarrObserver;
import dev.zarrreactive.store.Store;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Answers requests below {@code /api/}: slices of arrays, tiles, their stored chunks, metadata,
 * trees, counts of the server, the document that describes them, and the page. A path there that is
 * none of them is a key like any other.
 */
final class ArrayApi {
  private static final String ROOT = "api/";
  private static final String DOCUMENT = ROOT + "openapi.json";
  private static final String ACTIVITY = ROOT + "activity.json";
  private static final Set<String> RESOURCES = Set.of("slice", "chunks", "metadata", "tree");
  private static final int PIECE = 16 << 10;

  /** The pieces that wait for a slow client: 128 KiB. */
  private static final int QUEUED = 8;

  /** The bounds of the pixels along a side of a picture; the least keeps colours. */
  private static final int LEAST_SIZE = 4;

  private static final int MOST_SIZE = 16_384;

  /** An element of variable length counts as much. */
  private static final int VARIABLE = 64;

  private final ZarrHierarchy hierarchy;
  private final ServerActivity activity;
  private final ServerLimits limits;
  private final byte[] description;
  private final PageFiles page;
  private final @Nullable String name;
  private final Slices slices;
  private final TileApi tiles;

  /**
   * Creates the resources. Looks for codecs in files, so it may block.
   *
   * @param slices the reads of all stores of the server that are under way
   * @param hasVersions whether the page offers other versions of the store
   * @param name of the store, for people; null without one
   */
  ArrayApi(
      Store store,
      @Nullable String name,
      ServerActivity activity,
      Slices slices,
      boolean hasVersions,
      ZarrOptions options,
      ServerLimits limits) {
    this.slices = slices;
    this.name = name;
    this.page = new PageFiles(hasVersions);
    ZarrObserver told = options.observer();
    ZarrObserver counting = activity.slices();
    this.hierarchy =
        Zarr.hierarchy(
            store,
            options
                .withIndependentOperations(true)
                .withMaxWait(limits.maxWait())
                .withObserver(told == null ? counting : ZarrObserver.all(told, counting)));
    this.activity = activity;
    this.limits = limits;
    this.tiles =
        new TileApi(
            hierarchy,
            limits,
            new TileApi.Admission() {
              @Override
              public <T> Mono<T> admit(long size, Mono<T> read) {
                return admitted(size, () -> read).singleOrEmpty();
              }
            });
    this.description = PageFiles.read("openapi.json");
  }

  /** Returns the response; null where the path is none of these resources. */
  @Nullable Mono<Reply> get(RequestPath path, HttpMethod method, HttpHeaders headers) {
    String text = path.path();
    if (text.equals(DOCUMENT)) {
      return Mono.fromSupplier(() -> Reply.of(200, Reply.JSON, description));
    }
    if (text.equals(ACTIVITY)) {
      return Mono.fromSupplier(() -> document(activity.counts()));
    }
    Reply file = text.startsWith(ROOT) ? page.get(text.substring(ROOT.length()), headers) : null;
    if (file != null) {
      return Mono.just(file);
    }
    Mono<Reply> tile = tiles.get(path, method, headers);
    if (tile != null) {
      return tile;
    }
    int end = text.lastIndexOf('/');
    String resource = text.substring(end + 1);
    if (!text.startsWith(ROOT) || !RESOURCES.contains(resource)) {
      return null;
    }
    NodePath node = node(end < ROOT.length() ? "" : text.substring(ROOT.length(), end));
    Map<String, List<String>> parameters = parameters(path);
    return switch (resource) {
      case "slice" -> slice(node, method, parameters);
      case "chunks" -> chunks(node, parameters);
      case "metadata" -> {
        allow(parameters, Set.of("children"));
        boolean hasChildren = isTrue(parameters, "children");
        yield hierarchy
            .inspect(node.value())
            .flatMap(
                found ->
                    found instanceof ZarrArray array
                        ? variable(array, CfRule.all())
                            .map(variable -> NodeDescription.metadata(found, variable))
                        : hasChildren && found instanceof ZarrGroup group
                            ? withChildren(group)
                            : Mono.fromSupplier(() -> NodeDescription.metadata(found, null)))
            .map(ArrayApi::document);
      }
      default -> {
        allow(parameters, Set.of());
        yield tree(node);
      }
    };
  }

  /** Describes a group together with the nodes directly below it. */
  private Mono<JsonObject> withChildren(ZarrGroup group) {
    return group
        .children()
        .take(limits.nodes() + 1L)
        .collectList()
        .map(
            nodes -> {
              boolean isComplete = nodes.size() <= limits.nodes();
              List<ZarrNode> told = isComplete ? nodes : nodes.subList(0, limits.nodes());
              List<JsonValue> children = new ArrayList<>();
              for (ZarrNode node : told) {
                children.add(
                    node instanceof ZarrArray array
                        ? NodeDescription.child(Variable.of(array, told, CfRule.all()))
                        : NodeDescription.summary(node));
              }
              return NodeDescription.metadata(group, null)
                  .with("children", new JsonArray(children))
                  .with("is_complete", isComplete);
            });
  }

  private static boolean isTrue(Map<String, List<String>> parameters, String name) {
    String text = parameters.getOrDefault(name, List.of("false")).get(0);
    if (!Set.of("true", "false").contains(text)) {
      throw new BadRequestException(name + " is true or false, not \"" + text + "\"");
    }
    return Boolean.parseBoolean(text);
  }

  /** Returns the path of a node in a request. */
  static NodePath node(String path) {
    try {
      return NodePath.of(path);
    } catch (IllegalArgumentException e) {
      throw new BadRequestException("not a path of a node: " + e.getMessage());
    }
  }

  /** Returns the parameters of a request's query. */
  static Map<String, List<String>> parameters(RequestPath path) {
    try {
      return new QueryStringDecoder(path.query(), StandardCharsets.UTF_8, false).parameters();
    } catch (IllegalArgumentException e) {
      throw new BadRequestException("a query that is badly encoded");
    }
  }

  /** Refuses other parameters than these, and repeated ones. */
  static void allow(Map<String, List<String>> parameters, Set<String> names) {
    parameters.forEach(
        (name, values) -> {
          if (!names.contains(name) || values.size() != 1) {
            throw new BadRequestException(
                "the parameters are each of " + names + " once, not \"" + name + "\"");
          }
        });
  }

  private Mono<Reply> slice(
      NodePath node, HttpMethod method, Map<String, List<String>> parameters) {
    allow(parameters, Set.of("select", "format", "range", "colours", "size", "decode"));
    Selection selection = selection(parameters);
    if (List.of(ArrivedChunks.FORMAT).equals(parameters.get("format"))) {
      allow(parameters, Set.of("select", "format", "decode"));
      Set<CfRule> rules = isTrue(parameters, "decode") ? CfRule.all() : Set.of();
      return array(node)
          .flatMap(array -> variable(array, rules))
          .map(variable -> frames(variable, selection));
    }
    SliceFormat format = format(parameters);
    int size = size(parameters);
    return array(node)
        .flatMap(array -> variable(array, format.rules()))
        .map(variable -> slice(variable, reduced(variable, selection, size), format, method));
  }

  /** Returns the most pixels along a side of a picture; 0 for any. */
  private static int size(Map<String, List<String>> parameters) {
    if (!parameters.containsKey("size")) {
      return 0;
    }
    String text = parameters.get("size").get(0);
    int size = text.matches("\\d{1,5}") ? Integer.parseInt(text) : 0;
    if (size < LEAST_SIZE
        || size > MOST_SIZE
        || !parameters.containsKey("format")
        || !parameters.get("format").get(0).equals("png")) {
      throw new BadRequestException(
          "size is for the format png, from " + LEAST_SIZE + " to " + MOST_SIZE + " pixels");
    }
    return size;
  }

  /** Returns a selection of every nth element, with at most {@code size} along each dimension. */
  private static Selection reduced(Variable variable, Selection wanted, int size) {
    if (size == 0
        || !(resolved(variable.shape(), wanted) instanceof ResolvedSelection.Orthogonal all)) {
      return wanted;
    }
    List<DimensionSelection> parts = new ArrayList<>();
    for (Axis axis : all.axes()) {
      if (!(axis instanceof Axis.Range range)) {
        throw new BadRequestException("a picture of a size is of ranges, not of lists of indices");
      }
      long every = range.step() * Math.max(1, (range.count() + size - 1) / size);
      parts.add(
          range.dropped()
              ? DimensionSelection.at(range.start())
              : DimensionSelection.slice(
                  range.start(),
                  range.start() + Math.max(0, (range.count() - 1) * range.step() + 1),
                  every));
    }
    return Selection.of(parts.toArray(DimensionSelection[]::new));
  }

  /** Emits what an array is in the dataset of its group, as far as the store tells of others. */
  private Mono<Variable> variable(ZarrArray array, Set<CfRule> rules) {
    Mono<List<ZarrNode>> beside =
        rules.isEmpty() || array.path().isRoot() || Variable.isDecodedAlone(array)
            ? Mono.just(List.of())
            : hierarchy
                .openGroup(array.path().parent().value())
                .flatMapMany(ZarrGroup::children)
                .collectList()
                .onErrorReturn(NodeNotFoundException.class, List.of())
                .onErrorReturn(StoreCapabilityException.class, List.of());
    return beside.map(nodes -> Variable.of(array, nodes, rules));
  }

  private Mono<ZarrArray> array(NodePath node) {
    return hierarchy
        .open(node.value())
        .map(
            found -> {
              if (found instanceof ZarrArray array) {
                return array;
              }
              throw new BadRequestException("a group is at " + node + ", not an array");
            });
  }

  /** Tells which chunks of a selection are stored. */
  private Mono<Reply> chunks(NodePath node, Map<String, List<String>> parameters) {
    allow(parameters, Set.of("select"));
    Selection selection = selection(parameters);
    return array(node)
        .flatMap(
            array ->
                admitted(
                        Long.MAX_VALUE,
                        () ->
                            ChunkPresence.document(
                                array,
                                resolved(array.shape(), selection),
                                hierarchy.options().codecs()))
                    .single())
        .map(ArrayApi::document);
  }

  private static ResolvedSelection resolved(Shape shape, Selection selection) {
    try {
      return selection.resolve(shape);
    } catch (IllegalArgumentException e) {
      throw new BadRequestException(String.valueOf(e.getMessage()));
    }
  }

  private static SliceFormat format(Map<String, List<String>> parameters) {
    try {
      return SliceFormat.of(parameters);
    } catch (IllegalArgumentException e) {
      throw new BadRequestException(String.valueOf(e.getMessage()));
    }
  }

  private static Selection selection(Map<String, List<String>> parameters) {
    try {
      return Selection.parse(parameters.getOrDefault("select", List.of("...")).get(0));
    } catch (IllegalArgumentException e) {
      throw new BadRequestException(String.valueOf(e.getMessage()));
    }
  }

  private Reply slice(Variable variable, Selection wanted, SliceFormat format, HttpMethod method) {
    ZarrArray array = variable.array();
    Shape shape = resolved(variable.shape(), wanted).shape();
    Selection selection;
    Encoding encoding;
    OptionalLong length;
    try {
      selection = variable.storedSelection(wanted);
      encoding = format.encoding(variable.decoding());
      length = encoding.length(array.metadata(), selection);
      encoding.encoder(
          array.metadata(), selection.resolve(array.shape())); // refuses what the format lacks
    } catch (IllegalArgumentException e) {
      throw new BadRequestException(String.valueOf(e.getMessage()));
    } catch (UnsupportedFeatureException e) {
      throw new BadRequestException(e.statement());
    }
    DataType type = format.dataType(variable.decoding());
    BigInteger bytes =
        shape
            .elementCount()
            .multiply(
                BigInteger.valueOf(
                    type instanceof VariableLengthType ? VARIABLE : type.itemSize()));
    if (bytes.compareTo(BigInteger.valueOf(limits.sliceBytes())) > 0) {
      return tooLarge(array.path().value().substring(1), bytes, limits.sliceBytes());
    }
    Reply reply = reply(encoding.mediaType(), type, shape);
    long size = bytes.longValueExact();
    if (length.isPresent()) {
      reply.withLength(length.getAsLong());
    }
    return method.equals(HttpMethod.HEAD)
        ? reply
        : reply.withPeeked(
            admitted(size, () -> array.encode(selection, encoding, PIECE)),
            pieces ->
                QueueWindow.of(
                    pieces.map(piece -> released -> QueueWindow.copied(piece, released)), QUEUED));
  }

  /** Sends the chunks of a slice as they arrive. */
  private Reply frames(Variable variable, Selection wanted) {
    ResolvedSelection selection = resolved(variable.shape(), wanted);
    ArrivedChunks frames;
    try {
      frames = ArrivedChunks.of(variable, selection);
    } catch (IllegalArgumentException e) {
      throw new BadRequestException(String.valueOf(e.getMessage()));
    } catch (UnsupportedFeatureException e) {
      throw new BadRequestException(e.statement());
    }
    String path = variable.array().path().value().substring(1);
    if (frames.bytes().compareTo(BigInteger.valueOf(ArrivedChunks.MOST)) > 0) {
      return tooLarge(path, frames.bytes(), ArrivedChunks.MOST);
    }
    return reply("application/octet-stream", variable.decoding().dataType(), selection.shape())
        .withPeeked(
            admitted(frames.bytes().longValueExact(), () -> frames.pieces(wanted, PIECE)),
            pieces ->
                QueueWindow.of(
                    pieces.map(piece -> released -> QueueWindow.copied(piece, released)), QUEUED));
  }

  private static Reply reply(String mediaType, DataType type, Shape shape) {
    return Reply.of(200)
        .with(HttpHeaderNames.CONTENT_TYPE, mediaType)
        .with(HttpHeaderNames.CACHE_CONTROL, "no-cache")
        .with("Zarr-Data-Type", visible(type.toString()))
        .with(
            "Zarr-Shape",
            Arrays.stream(shape.toArray())
                .mapToObj(Long::toString)
                .collect(Collectors.joining(",")));
  }

  private static Reply tooLarge(String path, BigInteger bytes, long most) {
    return Problem.of(
        413,
        path,
        "the slice has "
            + bytes
            + " bytes, and this server sends at most "
            + most
            + "; select less, or with a step");
  }

  /**
   * The reads under way. Small ones are counted beside the others, since slow clients of large ones
   * hold those for long.
   */
  record Slices(AtomicInteger large, AtomicInteger small) {
    Slices() {
      this(new AtomicInteger(), new AtomicInteger());
    }
  }

  /**
   * Reads for a response, unless as many reads as allowed are under way.
   *
   * @param size the bytes of the result
   */
  private <T> Flux<T> admitted(long size, Supplier<Publisher<T>> read) {
    AtomicInteger underWay = ByteBudget.isSmall(size) ? slices.small() : slices.large();
    return Flux.defer(
        () -> {
          if (underWay.incrementAndGet() > limits.slices()) {
            underWay.decrementAndGet();
            return Flux.error(
                new Problem.RefusedException(
                    503, "the server sends " + limits.slices() + " slices"));
          }
          return Flux.defer(read).doFinally(end -> underWay.decrementAndGet());
        });
  }

  /** Returns text for a header, with question marks in place of other characters. */
  private static String visible(String text) {
    return text.replaceAll("[^\\x20-\\x7e]", "?");
  }

  private Mono<Reply> tree(NodePath path) {
    return hierarchy
        .open(path.value())
        .flatMapMany(
            node -> node instanceof ZarrGroup group ? group.tree() : Flux.<ZarrNode>empty())
        .<JsonValue>map(NodeDescription::summary)
        .take(limits.nodes() + 1L)
        .collectList()
        .map(
            nodes -> {
              boolean isComplete = nodes.size() <= limits.nodes();
              JsonObject tree = JsonObject.EMPTY.with("path", path.value());
              return document(
                  (name != null && path.isRoot() ? tree.with("name", name) : tree)
                      .with(
                          "nodes",
                          new JsonArray(isComplete ? nodes : nodes.subList(0, limits.nodes())))
                      .with("is_complete", isComplete));
            });
  }

  /** Returns the response of a document that may change. */
  static Reply document(JsonObject json) {
    return Reply.of(200, Reply.JSON, json.toString().getBytes(StandardCharsets.UTF_8))
        .with(HttpHeaderNames.CACHE_CONTROL, "no-cache");
  }
}
