package dev.zarrreactive.webflux;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.dataset.ReadVersions;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.InvalidInputException;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.UnknownExtensionException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.files.JsonElements;
import dev.zarrreactive.internal.files.NpyHeader;
import dev.zarrreactive.internal.files.RowCutter;
import dev.zarrreactive.internal.flow.KeyLocks;
import dev.zarrreactive.internal.threads.Environment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The body of a request that has elements of an array: {@code @RequestBody ArrayBody}, or {@code
 * request.bodyToMono(ArrayBody.class)}. It is read while it arrives, and only as fast as the store
 * takes it: the client's socket waits. The service holds one row of it, and what the write gathers
 * within the bytes in flight. The text of a row in JSON has at most the bytes that {@link #array}
 * may have.
 *
 * <p>{@code Content-Type} says the format: {@code application/x-npy} is a NumPy file; {@code
 * application/octet-stream} has elements in C order, little-endian; {@code application/json} is
 * lists in lists; {@code application/x-ndjson} has a row on each line as lists in lists, or an
 * element on each line. Elements in JSON are those of the responses. A row is an index of the first
 * dimension.
 *
 * <p>Bodies that do not fit are an {@link InvalidInputException}, or an error of the write with one
 * as its cause, which are answered with 400; rows before the error may be stored, and the message
 * says how many. It may be read once. Rows are made on the threads of codecs.
 */
public final class ArrayBody {
  static final MediaType NPY = new MediaType("application", "x-npy");

  static final List<MediaType> TYPES =
      List.of(
          NPY,
          MediaType.APPLICATION_OCTET_STREAM,
          MediaType.APPLICATION_JSON,
          MediaType.APPLICATION_NDJSON);

  /** A row may have this part of the bytes in flight. */
  private static final int PART_OF_BUDGET = 4;

  private final Flux<DataBuffer> bytes;
  private final HttpHeaders headers;
  private final int maxBytes;

  /**
   * Creates a body.
   *
   * @param maxBytes the most bytes that are read at a time
   */
  ArrayBody(Flux<DataBuffer> bytes, HttpHeaders headers, int maxBytes) {
    this.bytes = bytes;
    this.headers = headers;
    this.maxBytes = maxBytes;
  }

  /**
   * Reads the whole body into memory, up to {@code spring.codec.max-in-memory-size} (in Spring Boot
   * 4 {@code spring.http.codecs.max-in-memory-size}; 256 KB), beyond which the response is 413.
   *
   * <p>A NumPy file says its type and shape. Of the other formats the request's header {@code
   * Zarr-Data-Type} says the type, such as {@code float32}, and of {@code application/octet-stream}
   * {@code Zarr-Shape} the shape, such as {@code 3,40}: the headers that the responses have.
   */
  public Mono<NdArray> array() {
    return Mono.defer(
        () -> {
          Kind kind = kind();
          DataType type = kind == Kind.NPY ? null : typeInHeader();
          Shape shape = kind == Kind.RAW ? shapeInHeader() : null;
          return whole().map(body -> kind.array(body, type, shape));
        });
  }

  /**
   * Writes the body to a selection of an array, in NumPy notation. The body has the selection's
   * shape. With {@code If-Match} in the request the write begins only if the tag is that of a
   * {@link ArraySlice#conditional} slice of the same selection as it is now; such writes of this
   * service to one array take turns. Another program may write between the check and the write.
   *
   * @return completes when everything is stored; errors are those of {@link
   *     ZarrArray#write(Selection, org.reactivestreams.Publisher)}
   */
  public Mono<Void> writeTo(ZarrArray array, String selection) {
    return Mono.defer(() -> writeTo(array, Selection.parse(selection)));
  }

  /** As {@link #writeTo(ZarrArray, String)}. */
  public Mono<Void> writeTo(ZarrArray array, Selection selection) {
    RequestConditions conditions = RequestConditions.of(headers);
    Supplier<Mono<Void>> write = () -> write(array, selection);
    if (!conditions.isOnMatch()) {
      return Mono.defer(write);
    }
    return KeyLocks.exclusively(
        array.store(),
        "conditional writes of " + array.path(),
        turn ->
            ReadVersions.state(array, selection)
                .filter(state -> conditions.hasMatch('"' + state))
                .switchIfEmpty(Mono.error(RequestConditions::failed))
                .flatMap(state -> write.get()));
  }

  private Mono<Void> write(ZarrArray array, Selection selection) {
    Shape shape = selection.resolve(array.shape()).shape();
    if (shape.rank() == 0) {
      return rows(new RowCutter.Rows(array.dataType(), Shape.of(), 1), array)
          .next()
          .flatMap(element -> array.write(selection, element.reshape(Shape.of())));
    }
    return array.write(selection, rows(rows(array, shape.toArray(), shape.extent(0)), array));
  }

  /**
   * Appends the rows of the body along the first dimension. Rows that arrive while the store works
   * are one append; those before an error are stored.
   *
   * @return the longer array; errors are those of {@link ZarrArray#append(int,
   *     org.reactivestreams.Publisher)}
   */
  public Mono<ZarrArray> appendTo(ZarrArray array) {
    return Mono.defer(
        () -> {
          if (array.shape().rank() == 0) {
            throw new InvalidInputException(
                "the array " + array.path() + " is a scalar, which has no rows");
          }
          return array.append(0, rows(rows(array, array.shape().toArray(), -1), array));
        });
  }

  private static RowCutter.Rows rows(ZarrArray array, long[] shape, long count) {
    Shape row = Shape.of(Arrays.copyOfRange(shape, 1, shape.length));
    return new RowCutter.Rows(array.dataType(), row, count);
  }

  /**
   * Cuts the body into rows, each when it is demanded.
   *
   * @throws RefusedSliceException for a row that is too large, and for another format
   */
  private Flux<NdArray> rows(RowCutter.Rows rows, ZarrArray array) {
    Kind kind = kind();
    long most = array.options().maxInFlightBytes() / PART_OF_BUDGET;
    if (rows.bytes() > most) {
      throw new RefusedSliceException(
          HttpStatus.PAYLOAD_TOO_LARGE.value(),
          "a row of the body has "
              + rows.bytes()
              + " bytes, and this service takes rows of at most "
              + most
              + ", a quarter of its bytes in flight; select less in the other dimensions");
    }
    return Flux.defer(
        () -> {
          RowCutter cutter = kind.cutter(rows, maxBytes);
          Flux<NdArray> cut =
              bytes
                  .publishOn(Environment.current().codecScheduler(), 1)
                  .concatMapIterable(buffer -> taken(cutter, buffer), 1);
          return Flux.concat(List.of(cut, Flux.defer(() -> Flux.fromIterable(cutter.end()))))
              .doOnDiscard(DataBuffer.class, DataBufferUtils::release);
        });
  }

  private static List<NdArray> taken(RowCutter cutter, DataBuffer buffer) {
    try (DataBuffer.ByteBufferIterator parts = buffer.readableByteBuffers()) {
      List<NdArray> rows = new ArrayList<>();
      parts.forEachRemaining(part -> rows.addAll(cutter.take(part)));
      return rows;
    } finally {
      DataBufferUtils.release(buffer);
    }
  }

  private Mono<byte[]> whole() {
    return DataBufferUtils.join(bytes, maxBytes)
        .onErrorMap(
            DataBufferLimitException.class,
            e ->
                new RefusedSliceException(
                    HttpStatus.PAYLOAD_TOO_LARGE.value(),
                    "the body has more than "
                        + maxBytes
                        + " bytes, the most that this service reads into memory; a write of"
                        + " ArrayBody streams it"))
        .map(
            buffer -> {
              byte[] all = new byte[buffer.readableByteCount()];
              buffer.read(all);
              DataBufferUtils.release(buffer);
              return all;
            })
        .defaultIfEmpty(new byte[0])
        .publishOn(Environment.current().codecScheduler());
  }

  private Kind kind() {
    String encoding = headers.getFirst(HttpHeaders.CONTENT_ENCODING);
    if (encoding != null && !encoding.equals("identity")) {
      throw new RefusedSliceException(
          HttpStatus.UNSUPPORTED_MEDIA_TYPE.value(),
          "the body has the Content-Encoding " + encoding + "; send it without one");
    }
    MediaType type = headers.getContentType();
    if (type == null || type.isCompatibleWith(MediaType.APPLICATION_OCTET_STREAM)) {
      return Kind.RAW;
    } else if (type.isCompatibleWith(NPY)) {
      return Kind.NPY;
    } else if (type.isCompatibleWith(MediaType.APPLICATION_NDJSON)) {
      return Kind.LINES;
    } else if (type.isCompatibleWith(MediaType.APPLICATION_JSON)) {
      return Kind.JSON;
    }
    throw new RefusedSliceException(
        HttpStatus.UNSUPPORTED_MEDIA_TYPE.value(),
        "elements are sent as " + TYPES + ", not as " + type);
  }

  private DataType typeInHeader() {
    String name = headers.getFirst("Zarr-Data-Type");
    if (name == null) {
      throw new InvalidInputException(
          "the request lacks the header Zarr-Data-Type with the type of the elements, such as"
              + " float32; a NumPy file, application/x-npy, says its own");
    }
    try {
      return DataTypes.parse(NamedConfiguration.of(name));
    } catch (MetadataException | UnknownExtensionException e) {
      throw new InvalidInputException("the header Zarr-Data-Type: " + e.statement(), e);
    }
  }

  private Shape shapeInHeader() {
    String text = headers.getFirst("Zarr-Shape");
    if (text == null) {
      throw new InvalidInputException(
          "the request lacks the header Zarr-Shape with the extents, such as 3,40");
    }
    try {
      return Shape.of(
          text.isBlank()
              ? new long[0]
              : Arrays.stream(text.split(",", -1))
                  .mapToLong(extent -> Long.parseLong(extent.strip()))
                  .toArray());
    } catch (IllegalArgumentException e) {
      throw new InvalidInputException(
          "the header Zarr-Shape has extents such as 3,40, not \"" + text + '"', e);
    }
  }

  /** The format of a body. */
  private enum Kind {
    NPY {
      @Override
      RowCutter cutter(RowCutter.Rows rows, int text) {
        return RowCutter.npy(rows);
      }

      @Override
      NdArray array(byte[] body, @Nullable DataType type, @Nullable Shape shape) {
        return NpyHeader.array(body);
      }
    },
    RAW {
      @Override
      RowCutter cutter(RowCutter.Rows rows, int text) {
        return RowCutter.raw(rows);
      }

      @Override
      NdArray array(byte[] body, @Nullable DataType type, @Nullable Shape shape) {
        return RowCutter.whole(body, required(type), required(shape));
      }
    },
    JSON {
      @Override
      RowCutter cutter(RowCutter.Rows rows, int text) {
        return RowCutter.json(rows, text);
      }

      @Override
      NdArray array(byte[] body, @Nullable DataType type, @Nullable Shape shape) {
        return JsonElements.array(ByteBuffer.wrap(body), required(type));
      }
    },
    LINES {
      @Override
      RowCutter cutter(RowCutter.Rows rows, int text) {
        return RowCutter.lines(rows, text);
      }

      @Override
      NdArray array(byte[] body, @Nullable DataType type, @Nullable Shape shape) {
        return JsonElements.lines(body, required(type));
      }
    };

    abstract RowCutter cutter(RowCutter.Rows rows, int text);

    abstract NdArray array(byte[] body, @Nullable DataType type, @Nullable Shape shape);

    static <T> T required(@Nullable T value) {
      return Objects.requireNonNull(value);
    }
  }

  @Override
  public String toString() {
    return "ArrayBody of " + headers.getContentType();
  }
}
