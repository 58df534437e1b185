package dev.zarrreactive.webflux;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.encoding.Encoding;
import dev.zarrreactive.metadata.NodePath;
import java.util.Objects;
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
 * <p>Immutable and thread-safe; it may be written any number of times, and each time reads again.
 */
public final class ArraySlice {
  /** Reactor-netty demands 128 pieces at once, and copies them: 1 MiB for a slow client. */
  private static final int DEFAULT_PIECE = 8 << 10;

  private final ZarrArray array;
  private final Selection selection;
  private final ResolvedSelection resolved;
  private final @Nullable Encoding encoding;

  private ArraySlice(
      ZarrArray array,
      Selection selection,
      ResolvedSelection resolved,
      @Nullable Encoding encoding) {
    this.array = array;
    this.selection = selection;
    this.resolved = resolved;
    this.encoding = encoding;
  }

  /**
   * Returns a slice.
   *
   * @throws IllegalArgumentException if the selection does not fit the shape; the response is 400
   *     with the reason then
   */
  public static ArraySlice of(ZarrArray array, Selection selection) {
    try {
      return new ArraySlice(array, selection, selection.resolve(array.shape()), null);
    } catch (IllegalArgumentException e) {
      throw new BadSliceException(e);
    }
  }

  /**
   * Returns a slice by the text of a parameter, in NumPy notation: see {@link Selection#parse}.
   *
   * @throws IllegalArgumentException if the text is a wrong selection, for NumPy or for the shape;
   *     the response is 400 with the reason then
   */
  public static ArraySlice of(ZarrArray array, String selection) {
    Selection parsed;
    try {
      parsed = Selection.parse(selection);
    } catch (IllegalArgumentException e) {
      throw new BadSliceException(e);
    }
    return of(array, parsed);
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
    return Mono.defer(() -> hierarchy.open(node(path).value()))
        .map(
            found -> {
              if (found instanceof ZarrArray array) {
                return of(array, selection);
              }
              throw new BadSliceException("a group is at " + found.path() + ", not an array");
            });
  }

  private static NodePath node(String path) {
    try {
      return NodePath.of(path);
    } catch (IllegalArgumentException e) {
      throw new BadSliceException("not a path of a node: " + e.getMessage(), e);
    }
  }

  /** Returns a slice of all elements. */
  public static ArraySlice of(ZarrArray array) {
    return of(array, Selection.all());
  }

  /**
   * Returns this slice in one format, whatever the client accepts. It may be {@code
   * Encodings.png(GreyScale.of(250, 310))}, or a format of the application's own, whose media type
   * the mapping names in {@code produces}.
   */
  public ArraySlice as(Encoding format) {
    Objects.requireNonNull(format);
    return new ArraySlice(array, selection, resolved, format);
  }

  /** The array. */
  public ZarrArray array() {
    return array;
  }

  /** The selection. */
  public Selection selection() {
    return selection;
  }

  /** The format; null where the client chooses. */
  public @Nullable Encoding encoding() {
    return encoding;
  }

  ResolvedSelection resolved() {
    return resolved;
  }

  /**
   * Reads the elements in a format, in pieces for a network: {@link ZarrArray#encode} as Spring's
   * buffers, without a copy. For a response that the application writes itself.
   *
   * @return pieces of 8 KiB at most. They are views that need no release
   */
  public Flux<DataBuffer> buffers(Encoding format, DataBufferFactory factory) {
    return DataBuffers.of(array.encode(selection, format, DEFAULT_PIECE), factory);
  }

  Flux<DataBuffer> buffers(Encoding format, long offset, long count, DataBufferFactory factory) {
    return DataBuffers.of(array.encode(selection, format, offset, count, DEFAULT_PIECE), factory);
  }

  @Override
  public String toString() {
    return "[" + resolved + "] of array " + array.path();
  }
}
