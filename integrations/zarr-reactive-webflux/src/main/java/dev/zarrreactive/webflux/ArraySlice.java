package dev.zarrreactive.webflux;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.cf.TimeCoding;
import dev.zarrreactive.dataset.Variable;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.encoding.Encoding;
import dev.zarrreactive.error.InvalidInputException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.metadata.NodePath;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A selection of an array as the result of a controller: {@code Mono<ArraySlice>}, or {@code
 * ResponseEntity<ArraySlice>}, or the body of a functional endpoint. Nothing is read before the
 * response is written.
 *
 * <p>The client's {@code Accept} or the {@code produces} of the mapping chooses the format: {@code
 * application/x-npy} (the default), {@code application/octet-stream} (C order, little-endian),
 * {@code application/json}, {@code application/x-ndjson}, {@code text/csv} or {@code image/png}.
 * The first two have a {@code Content-Length} and answer a single range of bytes with 206 or 416.
 * The response streams: the service holds a few MiB for each client, whatever the size is.
 *
 * <p>A slice of an array has the stored elements; that of a {@link Variable}, and a {@link #decoded
 * decoded} one, has values by the CF conventions, in each format. Formats of text have dates as ISO
 * 8601.
 *
 * <p>Immutable and thread-safe; it may be written any number of times, and each time reads again.
 */
public final class ArraySlice {
  /** Reactor-netty demands 128 pieces at once, and copies them: 1 MiB for a slow client. */
  private static final int DEFAULT_PIECE = 8 << 10;

  private static final Set<String> TEXTS =
      Set.of("text/csv", "application/json", "application/x-ndjson");

  private final ZarrArray array;

  /** Of stored elements. */
  private final Selection selection;

  private final CfDecoding decoding;

  /** The shape of what is sent. */
  private final Shape shape;

  private final @Nullable Encoding encoding;
  private final boolean isConditional;

  private ArraySlice(
      ZarrArray array,
      Selection selection,
      CfDecoding decoding,
      Shape shape,
      @Nullable Encoding encoding,
      boolean isConditional) {
    this.array = array;
    this.selection = selection;
    this.decoding = decoding;
    this.shape = shape;
    this.encoding = encoding;
    this.isConditional = isConditional;
  }

  /**
   * Returns a slice of stored elements.
   *
   * @throws InvalidInputException if the selection does not fit the shape; the response is 400 with
   *     the reason then
   */
  public static ArraySlice of(ZarrArray array, Selection selection) {
    return of(Variable.of(array, List.of(), Set.of()), selection);
  }

  /**
   * Returns a slice by the text of a parameter, in NumPy notation: see {@link Selection#parse}.
   *
   * @throws InvalidInputException if the text is a wrong selection, for NumPy or for the shape; the
   *     response is 400 with the reason then
   */
  public static ArraySlice of(ZarrArray array, String selection) {
    return of(array, Selection.parse(selection));
  }

  /** Returns a slice of all stored elements. */
  public static ArraySlice of(ZarrArray array) {
    return of(array, Selection.all());
  }

  /** Returns a slice of the values of a variable, or of the part of one that was selected. */
  public static ArraySlice of(Variable variable) {
    return of(variable, Selection.all());
  }

  /**
   * As {@link #of(Variable, Selection)}, by the text of a parameter: see {@link Selection#parse}.
   */
  public static ArraySlice of(Variable variable, String selection) {
    return of(variable, Selection.parse(selection));
  }

  /**
   * Returns a slice of the values of a variable: with its missing values, its packing and its times
   * decoded. {@link Variable#raw} has the stored elements.
   *
   * @param selection of the variable's shape
   * @throws InvalidInputException if the selection does not fit the shape; the response is 400 with
   *     the reason then
   */
  public static ArraySlice of(Variable variable, Selection selection) {
    return new ArraySlice(
        variable.array(),
        variable.storedSelection(selection),
        variable.decoding(),
        selection.resolve(variable.shape()).shape(),
        null,
        false);
  }

  /**
   * Opens the array at a path of a request, and returns a slice of it.
   *
   * @param path with or without a leading slash, as {@code "/arrays/{*path}"} captures it
   * @param selection in NumPy notation: see {@link Selection#parse}
   * @return an error that is answered with 400 if the path or the selection is wrong, or a group is
   *     at the path; otherwise the errors of {@link ZarrHierarchy#open}, of which {@link
   *     dev.zarrreactive.error.NodeNotFoundException} is 404
   */
  public static Mono<ArraySlice> open(ZarrHierarchy hierarchy, String path, String selection) {
    return Mono.defer(() -> hierarchy.open(NodePath.of(path).value()))
        .map(
            found -> {
              if (found instanceof ZarrArray array) {
                return of(array, selection);
              }
              throw new InvalidInputException("a group is at " + found.path() + ", not an array");
            });
  }

  /**
   * Returns the slice with values in place of stored elements: decoded by the array's own
   * attributes, as {@link CfDecoding#of(dev.zarrreactive.metadata.ArrayMetadata)} does. Texts in
   * arrays of characters, and bounds of times, need the arrays beside them: see {@link
   * ServedDataset#slice}.
   */
  public ArraySlice decoded() {
    CfDecoding own = decoding.isIdentity() ? CfDecoding.of(array.metadata()) : decoding;
    return new ArraySlice(array, selection, own, shape, encoding, isConditional);
  }

  /**
   * Returns this slice in one format, whatever the client accepts. It may be {@code
   * Encodings.png(GreyScale.of(250, 310))}, or a format of the application's own, whose media type
   * the mapping names in {@code produces}.
   */
  public ArraySlice as(Encoding format) {
    Objects.requireNonNull(format);
    return new ArraySlice(array, selection, decoding, shape, format, isConditional);
  }

  /**
   * Returns this slice with an {@code ETag}, by which a client may ask whether it has changed
   * ({@code If-None-Match}, answered with 304) or demand that it has not ({@code If-Match},
   * answered with 412). The tag is made of the versions of the stored chunks or shards, so it costs
   * one request for each before they are read; a slice of more than 256 has none, nor has one in a
   * store without versions.
   */
  public ArraySlice conditional() {
    return new ArraySlice(array, selection, decoding, shape, encoding, true);
  }

  /** The array. */
  public ZarrArray array() {
    return array;
  }

  /** The selection of stored elements. */
  public Selection selection() {
    return selection;
  }

  /** The shape of what is sent. */
  public Shape shape() {
    return shape;
  }

  /** The format; null where the client chooses. */
  public @Nullable Encoding encoding() {
    return encoding;
  }

  boolean isConditional() {
    return isConditional;
  }

  ResolvedSelection resolved() {
    return selection.resolve(array.shape());
  }

  private static boolean isText(Encoding format) {
    String type = format.mediaType();
    int parameters = type.indexOf(';');
    return TEXTS.contains(parameters < 0 ? type : type.substring(0, parameters));
  }

  /**
   * Returns the format of the stored elements whose values are written in a format.
   *
   * @throws UnsupportedFeatureException if the values cannot be decoded
   */
  Encoding before(Encoding format) {
    return decoding.before(format, isText(format));
  }

  /**
   * Returns the {@code ETag} of the slice in a format.
   *
   * @param state of the stored values
   */
  String tag(String state, Encoding format) {
    return '"'
        + state
        + format.fileSuffix().replace('.', '-')
        + (decoding.isIdentity() ? "" : "-cf")
        + '"';
  }

  /** Returns the type of what is sent in a format. */
  DataType dataType(Encoding format) {
    boolean isDate = decoding.times().flatMap(TimeCoding::calendar).isPresent();
    return isDate && isText(format) ? DataTypes.STRING : decoding.dataType();
  }

  /**
   * Reads the elements in a format, in pieces for a network: {@link ZarrArray#encode} as Spring's
   * buffers, without a copy. For a response that the application writes itself.
   *
   * @return pieces of 8 KiB at most. They are views that need no release
   */
  public Flux<DataBuffer> buffers(Encoding format, DataBufferFactory factory) {
    return DataBuffers.of(array.encode(selection, before(format), DEFAULT_PIECE), factory);
  }

  Flux<DataBuffer> buffers(Encoding format, long offset, long count, DataBufferFactory factory) {
    return DataBuffers.of(
        array.encode(selection, before(format), offset, count, DEFAULT_PIECE), factory);
  }

  @Override
  public String toString() {
    return "[" + resolved() + "] of array " + array.path();
  }
}
