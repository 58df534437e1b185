package dev.zarrreactive.server;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.cf.CfRule;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.dataset.ReadVersions;
import dev.zarrreactive.dataset.Variable;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.encodings.ColourMap;
import dev.zarrreactive.encodings.ColourScale;
import dev.zarrreactive.encodings.Encodings;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.geo.MapTiles;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.ome.OmeChannel;
import dev.zarrreactive.ome.OmeImage;
import dev.zarrreactive.ome.OmeLevel;
import dev.zarrreactive.ome.OmePicture;
import dev.zarrreactive.ome.OmeRegion;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Answers requests for tiles: of an image of OME-Zarr or the plane of an array, by level, row and
 * column, and of a raster for maps, by zoom, column and row. A tile at an edge is whole, with
 * transparent pixels; one outside is missing. Its ETag is of the versions of the chunks that it
 * reads, so that a client that has it costs no decoding.
 */
final class TileApi {
  private static final Pattern TILE =
      Pattern.compile("api/(?:(.*)/)?(tiles|map)/(\\d{1,18})/(\\d{1,18})/(\\d{1,18})\\.png");
  private static final String MEDIA_TYPE = "image/png";
  private static final int USUAL_SIZE = 256;
  private static final int MOST_SIZE = 1024;

  /** The bytes of an element while it is drawn. */
  private static final int DRAWN = 16;

  private final ZarrHierarchy hierarchy;
  private final ServerLimits limits;
  private final Admission admission;

  /** Lets a read pass, or fails in its place. */
  interface Admission {
    /**
     * Returns what is read.
     *
     * @param size the bytes of the elements
     */
    <T> Mono<T> admit(long size, Mono<T> read);
  }

  TileApi(ZarrHierarchy hierarchy, ServerLimits limits, Admission admission) {
    this.hierarchy = hierarchy;
    this.limits = limits;
    this.admission = admission;
  }

  /**
   * A tile that can be read.
   *
   * @param stored the elements of the array that it reads
   * @param made what else it is made of
   * @param rgba the picture
   */
  private record Tile(ZarrArray array, Selection stored, String made, Mono<NdArray> rgba) {}

  /** Returns the response; null where the path is none of a tile. */
  @Nullable Mono<Reply> get(RequestPath path, HttpMethod method, HttpHeaders headers) {
    Matcher tile = TILE.matcher(path.path());
    if (!tile.matches()) {
      return null;
    }
    NodePath node = ArrayApi.node(tile.group(1) == null ? "" : tile.group(1));
    Map<String, List<String>> parameters = ArrayApi.parameters(path);
    long first = Long.parseLong(tile.group(3));
    long second = Long.parseLong(tile.group(4));
    long third = Long.parseLong(tile.group(5));
    Mono<Tile> found =
        tile.group(2).equals("map")
            ? ofMap(node, first, second, third, parameters)
            : ofPlane(node, first, second, third, parameters);
    String made = new TreeMap<>(parameters).toString();
    return found
        .onErrorMap(IllegalArgumentException.class, TileApi::bad)
        .onErrorMap(
            UnsupportedFeatureException.class,
            refused -> new BadRequestException(refused.statement()))
        .flatMap(each -> answer(each, made, method, headers))
        .switchIfEmpty(Mono.error(Problem.MissingException::new));
  }

  private static BadRequestException bad(Throwable wrong) {
    return wrong instanceof BadRequestException known
        ? known
        : new BadRequestException(String.valueOf(wrong.getMessage()));
  }

  private Mono<Reply> answer(Tile tile, String made, HttpMethod method, HttpHeaders headers) {
    long size =
        tile.stored.resolve(tile.array.shape()).shape().elementCountUpTo(Long.MAX_VALUE / DRAWN)
            * DRAWN;
    if (size > limits.sliceBytes()) {
      return Mono.error(
          new Problem.RefusedException(
              413, "the tile reads " + size + " bytes, more than this server sends at once"));
    }
    return ReadVersions.tag(tile.array, tile.stored, made + tile.made)
        .map(Optional::of)
        .defaultIfEmpty(Optional.empty())
        .flatMap(
            told -> {
              String tag = told.orElse(null);
              EntityTag.Outcome outcome = EntityTag.check(headers, tag);
              if (outcome == EntityTag.Outcome.FAILED) {
                return Mono.just(Problem.of(412, null, "the tile has another ETag: " + tag));
              } else if (outcome == EntityTag.Outcome.NOT_MODIFIED) {
                return Mono.just(described(Reply.of(304), tag));
              } else if (method.equals(HttpMethod.HEAD)) {
                return Mono.just(
                    described(Reply.of(200), tag).with(HttpHeaderNames.CONTENT_TYPE, MEDIA_TYPE));
              }
              return admission
                  .admit(size, tile.rgba.map(rgba -> Encodings.encode(Encodings.png(), rgba)))
                  .map(Bytes::toByteArray)
                  .map(png -> described(Reply.of(200, MEDIA_TYPE, png), tag));
            });
  }

  private static Reply described(Reply reply, @Nullable String tag) {
    reply.with(HttpHeaderNames.CACHE_CONTROL, "no-cache");
    return tag == null ? reply : reply.with(HttpHeaderNames.ETAG, tag);
  }

  private Mono<Tile> ofMap(
      NodePath node, long zoom, long column, long row, Map<String, List<String>> parameters) {
    ArrayApi.allow(parameters, Set.of("at", "range", "colours", "warp"));
    ColourScale scale = scale(parameters);
    if (scale == null) {
      throw new BadRequestException(
          "a tile of a map needs range=LEAST:GREATEST, the values with the first and the last"
              + " colour, so that all tiles have the same");
    }
    String warp = first(parameters, "warp", "nearest");
    if (!Set.of("nearest", "bilinear").contains(warp)) {
      throw new BadRequestException("warp is nearest or bilinear, not \"" + warp + "\"");
    }
    MapTiles.Warp by = warp.equals("nearest") ? MapTiles.Warp.NEAREST : MapTiles.Warp.BILINEAR;
    if (node.isRoot()) {
      throw new BadRequestException("a group is at the root, not a raster");
    }
    return hierarchy
        .openGroup(node.parent().value())
        .flatMap(Dataset::of)
        .flatMap(dataset -> MapTiles.of(at(dataset, node.name(), parameters), node.name()))
        .flatMap(
            tiles ->
                Mono.justOrEmpty(tiles.selection((int) Math.min(zoom, 99), column, row, by))
                    .map(
                        selection ->
                            new Tile(
                                tiles.variable().array(),
                                tiles.variable().storedSelection(selection),
                                tiles.toString(),
                                tiles.picture((int) zoom, column, row, by, scale))));
  }

  /** Selects the indices of other dimensions than those of the raster. */
  private static Dataset at(Dataset dataset, String name, Map<String, List<String>> parameters) {
    if (!dataset.variables().containsKey(name)) {
      throw new Problem.MissingException();
    }
    Dataset part = dataset;
    for (Map.Entry<String, Long> index : indices(parameters).entrySet()) {
      part = part.isel(index.getKey(), index.getValue());
    }
    return part;
  }

  /** Reads {@code at=time:5,level:0}. */
  private static Map<String, Long> indices(Map<String, List<String>> parameters) {
    Map<String, Long> indices = new TreeMap<>();
    String text = first(parameters, "at", "");
    for (String part : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      int colon = part.lastIndexOf(':');
      if (colon < 1 || !part.substring(colon + 1).matches("\\d{1,18}")) {
        throw new BadRequestException(
            "at is NAME:INDEX for each dimension, such as time:5,level:0, not \"" + text + "\"");
      }
      indices.put(part.substring(0, colon), Long.parseLong(part.substring(colon + 1)));
    }
    return indices;
  }

  private Mono<Tile> ofPlane(
      NodePath node, long level, long row, long column, Map<String, List<String>> parameters) {
    int size = size(parameters);
    return hierarchy
        .open(node.value())
        .flatMap(
            found -> {
              if (found instanceof ZarrArray array) {
                ArrayApi.allow(parameters, Set.of("select", "size", "range", "colours", "decode"));
                return level == 0
                    ? ofArray(array, row, column, size, parameters)
                    : Mono.<Tile>empty();
              }
              ArrayApi.allow(parameters, Set.of("at", "size", "range"));
              return OmeImage.of((ZarrGroup) found)
                  .flatMap(image -> ofImage(image, level, row, column, size, parameters));
            });
  }

  private static Mono<Tile> ofImage(
      OmeImage image,
      long number,
      long row,
      long column,
      int size,
      Map<String, List<String>> parameters) {
    if (number >= image.levels().size()) {
      return Mono.empty();
    }
    OmeLevel level = image.levels().get((int) number);
    List<String> plane = image.planeAxes();
    OmeRegion region = OmeRegion.all();
    for (Map.Entry<String, Long> index : indices(parameters).entrySet()) {
      region = region.index(index.getKey(), index.getValue());
    }
    long top = offset(row, size, extent(level, plane.get(0)));
    long left = offset(column, size, extent(level, plane.get(1)));
    if (top < 0 || left < 0) {
      return Mono.empty();
    }
    OmeRegion part =
        region.indices(plane.get(0), top, top + size).indices(plane.get(1), left, left + size);
    double[] ends = range(parameters);
    Mono<OmePicture> picture =
        ends == null
            ? image.picture(level, part, size, size)
            : image.picture(
                level, part, size, size, new OmeChannel.Window(ends[0], ends[1], ends[0], ends[1]));
    return Mono.just(
        new Tile(
            level.array(),
            image.selection(level, part),
            image.group().metadata().document().toString(),
            picture.map(OmePicture::rgb)));
  }

  private static long extent(OmeLevel level, String axis) {
    return level.array().shape().extent(level.dimension(axis));
  }

  /** Returns the first index of a tile; negative for one outside. */
  private static long offset(long number, int size, long extent) {
    return number <= (extent - 1) / size && extent > 0 ? number * size : -1;
  }

  private static Mono<Tile> ofArray(
      ZarrArray array, long row, long column, int size, Map<String, List<String>> parameters) {
    boolean decodes = first(parameters, "decode", "false").equals("true");
    Variable variable = Variable.of(array, List.of(), decodes ? CfRule.all() : Set.of());
    ColourScale scale = scale(parameters);
    Plane plane = Plane.of(variable, first(parameters, "select", "..."));
    boolean isExact = variable.dataType().equals(DataTypes.UINT8);
    if (scale == null && !isExact) {
      throw new BadRequestException(
          "a tile of "
              + variable.dataType()
              + " needs range=LEAST:GREATEST, the values with the first and the last colour");
    } else if (scale != null && plane.colours >= 0) {
      throw new BadRequestException("a plane with colours of its own has no range of values");
    }
    long top = offset(row, size, plane.axes.get(plane.rows).count());
    long left = offset(column, size, plane.axes.get(plane.columns).count());
    if (top < 0 || left < 0) {
      return Mono.empty();
    }
    Selection selection = plane.tile(top, left, size);
    Mono<NdArray> rgba =
        variable
            .read(selection)
            .map(
                values ->
                    scale == null
                        ? Encodings.rgba(values, size, size)
                        : scale.rgba(values, size, size));
    return Mono.just(new Tile(array, variable.storedSelection(selection), "", rgba));
  }

  /**
   * The plane that a selection takes.
   *
   * @param rows the dimension of the rows
   * @param columns the dimension of the columns
   * @param colours the dimension of the colours; -1 without
   */
  private record Plane(List<? extends Axis> axes, int rows, int columns, int colours) {
    static Plane of(Variable variable, String select) {
      ResolvedSelection resolved = Selection.parse(select).resolve(variable.shape());
      if (!(resolved instanceof ResolvedSelection.Orthogonal orthogonal)) {
        throw new BadRequestException("a tile is of a plane, not of points");
      }
      List<? extends Axis> axes = orthogonal.axes();
      int[] kept =
          IntStream.range(0, axes.size())
              .filter(d -> !(axes.get(d) instanceof Axis.Range range && range.dropped()))
              .toArray();
      boolean areRanges = IntStream.of(kept).allMatch(d -> axes.get(d) instanceof Axis.Range);
      boolean hasColours =
          kept.length == 3
              && variable.dataType().equals(DataTypes.UINT8)
              && (axes.get(kept[2]).count() == 3 || axes.get(kept[2]).count() == 4);
      if (!areRanges || (kept.length != 2 && !hasColours)) {
        throw new BadRequestException(
            "a tile is of a plane of two dimensions, or three with 3 or 4 colours of uint8 in the"
                + " last one; the selection has the shape "
                + resolved.shape()
                + "; select one index of each other dimension, such as select=0,:,:");
      }
      return new Plane(axes, kept[0], kept[1], hasColours ? kept[2] : -1);
    }

    Selection tile(long top, long left, int size) {
      DimensionSelection[] parts = new DimensionSelection[axes.size()];
      for (int d = 0; d < parts.length; d++) {
        Axis.Range range = (Axis.Range) axes.get(d);
        long from = d == rows ? top : d == columns ? left : 0;
        long to = d == rows || d == columns ? Math.min(range.count(), from + size) : range.count();
        parts[d] =
            range.dropped()
                ? DimensionSelection.at(range.start())
                : DimensionSelection.slice(
                    range.start() + from * range.step(),
                    range.start() + (to - 1) * range.step() + 1,
                    range.step());
      }
      return Selection.of(parts);
    }
  }

  private static int size(Map<String, List<String>> parameters) {
    String text = first(parameters, "size", Integer.toString(USUAL_SIZE));
    int size = text.matches("\\d{1,4}") ? Integer.parseInt(text) : 0;
    if (size < 1 || size > MOST_SIZE) {
      throw new BadRequestException(
          "the size of a tile is from 1 to " + MOST_SIZE + " pixels, not \"" + text + "\"");
    }
    return size;
  }

  private static @Nullable ColourScale scale(Map<String, List<String>> parameters) {
    double[] ends = range(parameters);
    String colours = first(parameters, "colours", ColourMap.VIRIDIS.toString());
    try {
      ColourMap map = ColourMap.of(colours);
      return ends == null ? null : ColourScale.of(map, ends[0], ends[1]);
    } catch (IllegalArgumentException e) {
      throw new BadRequestException(String.valueOf(e.getMessage()));
    }
  }

  private static double @Nullable [] range(Map<String, List<String>> parameters) {
    String text = first(parameters, "range", "");
    if (text.isEmpty()) {
      return null;
    }
    try {
      String[] ends = text.split(":", 2);
      ColourScale checked =
          ColourScale.of(
              ColourMap.GREY,
              Double.parseDouble(ends[0]),
              Double.parseDouble(ends[ends.length - 1]));
      return new double[] {checked.least(), checked.greatest()};
    } catch (IllegalArgumentException e) {
      throw new BadRequestException(
          "a range is LEAST:GREATEST, two different numbers such as 0:1, not \"" + text + "\"");
    }
  }

  private static String first(Map<String, List<String>> parameters, String name, String otherwise) {
    return parameters.getOrDefault(name, List.of(otherwise)).get(0);
  }
}
