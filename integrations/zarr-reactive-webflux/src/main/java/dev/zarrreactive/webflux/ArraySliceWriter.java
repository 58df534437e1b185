package dev.zarrreactive.webflux;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.dataset.ReadVersions;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.encoding.Encoding;
import dev.zarrreactive.encodings.Encodings;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.store.StoreSnapshot;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.ResolvableType;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpRange;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ReactiveHttpOutputMessage;
import org.springframework.http.codec.HttpMessageWriter;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.util.MimeTypeUtils;
import org.springframework.web.server.NotAcceptableStatusException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Writes a slice in the format that is negotiated, with its length where it is known, and a single
 * range of bytes of it. An error before the first piece comes before the headers are sent.
 */
final class ArraySliceWriter implements HttpMessageWriter<ArraySlice> {
  private static final int BAD_REQUEST = 400;
  private static final int TOO_LARGE = 413;

  /** An element of variable length counts as much. */
  private static final int VARIABLE = 64;

  private static final Map<MediaType, Encoding> FORMATS = new LinkedHashMap<>();

  static {
    for (Encoding format :
        List.of(
            Encodings.npy(),
            Encoding.raw(ByteOrder.LITTLE_ENDIAN),
            Encodings.json(),
            Encodings.jsonLines(),
            Encodings.csv(),
            Encodings.png())) {
      FORMATS.put(withoutParameters(MediaType.parseMediaType(format.mediaType())), format);
    }
  }

  private final long maxBytes;
  private final Admission admission;

  /** Lets the pieces of slices pass, or fails in their place. */
  interface Admission {
    /**
     * Returns the pieces of a slice.
     *
     * @param size the bytes of the elements that are sent
     */
    Flux<DataBuffer> admit(long size, Flux<DataBuffer> pieces);
  }

  /**
   * Creates a writer.
   *
   * @param maxBytes the most bytes of the elements of a slice
   * @param admission lets the pieces of a slice pass, or fails in their place
   */
  ArraySliceWriter(long maxBytes, Admission admission) {
    this.maxBytes = maxBytes;
    this.admission = admission;
  }

  @Override
  public List<MediaType> getWritableMediaTypes() {
    return List.copyOf(FORMATS.keySet());
  }

  @Override
  public boolean canWrite(ResolvableType type, @Nullable MediaType mediaType) {
    return type.toClass() == ArraySlice.class; // a slice may have a format of the application's own
  }

  private static MediaType withoutParameters(MediaType type) {
    return new MediaType(type.getType(), type.getSubtype());
  }

  private static @Nullable Encoding format(MediaType mediaType) {
    for (Map.Entry<MediaType, Encoding> entry : FORMATS.entrySet()) {
      if (mediaType.isCompatibleWith(entry.getKey())) {
        return entry.getValue();
      }
    }
    return null;
  }

  @Override
  public Mono<Void> write(
      Publisher<? extends ArraySlice> slices,
      ResolvableType type,
      @Nullable MediaType mediaType,
      ReactiveHttpOutputMessage message,
      Map<String, Object> hints) {
    return only(slices)
        .flatMap(
            slice -> {
              Part part = head(slice, mediaType, message.getHeaders());
              return message.writeWith(all(slice, part.format(), message));
            });
  }

  @Override
  public Mono<Void> write(
      Publisher<? extends ArraySlice> slices,
      ResolvableType actualType,
      ResolvableType elementType,
      @Nullable MediaType mediaType,
      ServerHttpRequest request,
      ServerHttpResponse response,
      Map<String, Object> hints) {
    return only(slices)
        .flatMap(
            slice -> {
              // what a snapshot has never changes, but a format of the application's own may
              boolean isOfSnapshot =
                  slice.encoding() == null && StoreSnapshot.of(slice.array().store()) != null;
              return slice.isConditional() || isOfSnapshot
                  ? ReadVersions.state(slice.array(), slice.selection())
                      .singleOptional()
                      .flatMap(
                          state -> write(slice, state.orElse(null), mediaType, request, response))
                  : write(slice, null, mediaType, request, response);
            });
  }

  /**
   * Writes a slice.
   *
   * @param state of what is read; null where the slice has no tag
   */
  private Mono<Void> write(
      ArraySlice slice,
      @Nullable String state,
      @Nullable MediaType mediaType,
      ServerHttpRequest request,
      ServerHttpResponse response) {
    MediaType accepted = mediaType == null ? accepted(request.getHeaders()) : mediaType;
    Part part = head(slice, accepted, response.getHeaders());
    String tag = tag(slice, state, part.format(), response);
    boolean isRead =
        HttpMethod.GET.equals(request.getMethod()) || HttpMethod.HEAD.equals(request.getMethod());
    if (isRead && isPlain(response) && (slice.isConditional() || tag != null)) {
      switch (RequestConditions.of(request.getHeaders()).check(tag)) {
        case FAILED -> throw RequestConditions.failed();
        case NOT_MODIFIED -> {
          return DocumentWriter.notModified(response);
        }
        case SEND -> {}
      }
    }
    boolean isHead = request.getMethod().equals(HttpMethod.HEAD);
    List<HttpRange> ranges =
        part.length().isEmpty() || isHead ? List.of() : ranges(request.getHeaders(), tag);
    if (ranges.size() == 1) {
      return writeRange(slice, part.format(), ranges.get(0), part.length().getAsLong(), response);
    }
    return isHead
        ? response.setComplete()
        : response.writeWith(all(slice, part.format(), response));
  }

  /** Returns the ETag that the application has set, or sets that of the slice; null for none. */
  private static @Nullable String tag(
      ArraySlice slice, @Nullable String state, Encoding format, ServerHttpResponse response) {
    HttpHeaders headers = response.getHeaders();
    String own = headers.getETag();
    if (own != null || state == null || !isPlain(response)) {
      return own;
    }
    String tag = slice.tag(state, format);
    headers.setETag(tag);
    headers.add(HttpHeaders.VARY, HttpHeaders.ACCEPT);
    if (headers.getCacheControl() == null) {
      headers.setCacheControl("no-cache");
    }
    return tag;
  }

  private static boolean isPlain(ServerHttpResponse response) {
    return response.getStatusCode() == null || HttpStatus.OK.equals(response.getStatusCode());
  }

  /** Negotiates the format for a functional endpoint, for which Spring does not. */
  private static @Nullable MediaType accepted(HttpHeaders headers) {
    List<MediaType> accepted = new ArrayList<>(headers.getAccept());
    MimeTypeUtils.sortBySpecificity(accepted);
    for (MediaType type : accepted) {
      if (format(type) != null) {
        return type;
      }
    }
    return accepted.isEmpty() ? null : accepted.get(0);
  }

  /** Returns the slice's own format, or the one of a media type; by default a NumPy file. */
  private Encoding format(ArraySlice slice, @Nullable MediaType mediaType) {
    Encoding own = slice.encoding();
    Encoding format = own != null || mediaType == null ? own : format(mediaType);
    if (format == null && mediaType != null) {
      throw new NotAcceptableStatusException(getWritableMediaTypes());
    }
    return format == null ? Encodings.npy() : format;
  }

  /** Returns the slice; an error where there are several, whose bytes cannot be told apart. */
  private static Mono<ArraySlice> only(Publisher<? extends ArraySlice> slices) {
    return Flux.<ArraySlice>from(slices).singleOrEmpty();
  }

  private record Part(Encoding format, OptionalLong length) {}

  /** Sets the headers of the whole slice; refuses what cannot be written. */
  private Part head(ArraySlice slice, @Nullable MediaType mediaType, HttpHeaders headers) {
    Encoding format = format(slice, mediaType);
    ZarrArray array = slice.array();
    refuseLarge(bytes(slice.dataType(format), slice.shape()));
    OptionalLong length;
    boolean hasRanges;
    try {
      Encoding stored = slice.before(format);
      length = stored.length(array.metadata(), slice.selection());
      hasRanges = stored.encoder(array.metadata(), slice.resolved()).isFixedSize();
    } catch (UnsupportedFeatureException e) {
      throw new RefusedSliceException(BAD_REQUEST, e.statement());
    }
    headers.setContentType(MediaType.parseMediaType(format.mediaType()));
    length.ifPresent(headers::setContentLength);
    if (length.isPresent() && hasRanges) {
      headers.set(HttpHeaders.ACCEPT_RANGES, "bytes");
    }
    headers.set(
        "Zarr-Data-Type", slice.dataType(format).toString().replaceAll("[^\\x20-\\x7e]", "?"));
    headers.set("Zarr-Shape", extents(slice.shape()));
    return new Part(format, hasRanges ? length : OptionalLong.empty());
  }

  private static String extents(Shape shape) {
    return Arrays.stream(shape.toArray()).mapToObj(Long::toString).collect(Collectors.joining(","));
  }

  private static BigInteger bytes(DataType type, Shape shape) {
    long size = type instanceof VariableLengthType ? VARIABLE : type.itemSize();
    return shape.elementCount().multiply(BigInteger.valueOf(size));
  }

  /**
   * Returns pieces if they may be sent now.
   *
   * @param size their bytes
   */
  Flux<DataBuffer> admitted(long size, Flux<DataBuffer> pieces) {
    refuseLarge(BigInteger.valueOf(size));
    return admission.admit(size, pieces);
  }

  private void refuseLarge(BigInteger bytes) {
    if (bytes.compareTo(BigInteger.valueOf(maxBytes)) > 0) {
      throw new RefusedSliceException(
          TOO_LARGE,
          "the slice has "
              + bytes
              + " bytes, and this service sends at most "
              + maxBytes
              + "; select less, or with a step");
    }
  }

  private Flux<DataBuffer> all(
      ArraySlice slice, Encoding format, ReactiveHttpOutputMessage message) {
    long size =
        bytes(slice.dataType(format), slice.shape())
            .min(BigInteger.valueOf(Long.MAX_VALUE))
            .longValue();
    return admission.admit(size, slice.buffers(format, message.bufferFactory()));
  }

  /**
   * Returns the ranges of the request; none where it is to be ignored (RFC 9110, section 14.2): it
   * is malformed, or depends on another validator than the slice's.
   */
  private static List<HttpRange> ranges(HttpHeaders headers, @Nullable String tag) {
    String range = headers.getFirst(HttpHeaders.RANGE);
    String validator = headers.getFirst(HttpHeaders.IF_RANGE);
    boolean isOfAnother =
        validator != null
            && (tag == null || tag.startsWith("W/") || !tag.equals(validator.strip()));
    if (range == null || isOfAnother) {
      return List.of();
    }
    try {
      return HttpRange.parseRanges(range);
    } catch (IllegalArgumentException e) {
      return List.of();
    }
  }

  private Mono<Void> writeRange(
      ArraySlice slice, Encoding format, HttpRange range, long total, ServerHttpResponse response) {
    HttpHeaders headers = response.getHeaders();
    long start = range.getRangeStart(total);
    long end = Math.min(range.getRangeEnd(total), total - 1) + 1;
    if (start >= end) {
      response.setStatusCode(HttpStatus.REQUESTED_RANGE_NOT_SATISFIABLE);
      headers.clearContentHeaders();
      headers.setContentLength(0);
      headers.set(HttpHeaders.CONTENT_RANGE, "bytes */" + total);
      return response.setComplete();
    }
    response.setStatusCode(HttpStatus.PARTIAL_CONTENT);
    headers.setContentLength(end - start);
    headers.set(HttpHeaders.CONTENT_RANGE, "bytes " + start + "-" + (end - 1) + "/" + total);
    return response.writeWith(
        admission.admit(
            end - start, slice.buffers(format, start, end - start, response.bufferFactory())));
  }
}
