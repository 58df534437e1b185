package dev.zarrreactive.webflux;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.InvalidInputException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.NotAValueException;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.RangeOutOfBoundsException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.ValueTooLargeException;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpRange;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.BodyInserters;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Answers requests for the values of a store, which a signed link has opened. */
final class LinkedValues {
  /** The most bytes of one request to the store. */
  private static final int MOST = 4 << 20;

  private static final int PIECE = 8 << 10;
  private static final ByteRange NOTHING = new ByteRange.Slice(0, 0);

  /** An offset behind the end of every value, whose refusal tells the size. */
  private static final ByteRange BEYOND = new ByteRange.From(1L << 62);

  private static final Pattern TAG = Pattern.compile("(W/)?\"[\\x21\\x23-\\x7e]*\"");
  private static final String MARK = "\"z-";

  private final Store store;
  private final ArraySliceWriter.Admission admission;

  LinkedValues(Store store, ArraySliceWriter.Admission admission) {
    this.store = store;
    this.admission = admission;
  }

  /** What is known of a value. */
  private record State(@Nullable Version version, long size) {
    ReadCondition required() {
      return version == null ? ReadCondition.ALWAYS : ReadCondition.ifMatch(version);
    }
  }

  /** Answers GET and HEAD. */
  Mono<ServerResponse> get(ServerRequest request) {
    StoreKey key = key(request);
    HttpHeaders headers = request.headers().asHttpHeaders();
    boolean isPlain =
        request.method().equals(HttpMethod.GET)
            && headers.getFirst(HttpHeaders.RANGE) == null
            && headers.getFirst(HttpHeaders.IF_NONE_MATCH) == null
            && headers.getFirst(HttpHeaders.IF_MATCH) == null;
    Mono<ServerResponse> found =
        isPlain
            ? store
                .getVersioned(key, ByteRange.whole(MOST), ReadCondition.ALWAYS)
                .flatMap(read -> whole(key, read))
                .onErrorResume(
                    ValueTooLargeException.class,
                    large -> state(key).flatMap(state -> described(request, key, state)))
            : state(key).flatMap(state -> described(request, key, state));
    return found
        .onErrorResume(NotAValueException.class, none -> Mono.empty())
        .switchIfEmpty(ServerResponse.notFound().build());
  }

  /** Returns the key of a request, which a link has opened. */
  private static StoreKey key(ServerRequest request) {
    if (request.exchange().getAttribute(LinkFilter.OPENED) == null) {
      throw RefusedSliceException.denied();
    }
    try {
      return StoreKey.of(request.pathVariable("key").replaceFirst("^/", ""));
    } catch (IllegalArgumentException e) {
      throw new InvalidInputException("not a path of a value: " + e.getMessage(), e);
    }
  }

  private Mono<State> state(StoreKey key) {
    return store
        .getVersioned(key, NOTHING, ReadCondition.ALWAYS)
        .flatMap(
            read -> {
              State unmeasured = new State(read.version(), -1);
              return store
                  .getVersioned(key, BEYOND, unmeasured.required())
                  .map(none -> unmeasured)
                  .onErrorResume(
                      RangeOutOfBoundsException.class,
                      e -> Mono.just(new State(read.version(), e.size())));
            });
  }

  private Mono<ServerResponse> whole(StoreKey key, VersionedBytes read) {
    Bytes bytes = Objects.requireNonNull(read.bytes());
    State state = new State(read.version(), bytes.size());
    return head(key, HttpStatus.OK, state, bytes.size())
        .body(BodyInserters.fromDataBuffers(admission.admit(bytes.size(), pieces(bytes))));
  }

  private Mono<ServerResponse> described(ServerRequest request, StoreKey key, State state) {
    String tag = tag(state.version());
    List<String> required = request.headers().asHttpHeaders().getIfMatch();
    if (!required.isEmpty() && !required.contains("*") && !required.contains(tag)) {
      return ServerResponse.status(HttpStatus.PRECONDITION_FAILED).build();
    }
    Mono<ServerResponse> decided = tag == null ? Mono.empty() : request.checkNotModified(tag);
    return decided.switchIfEmpty(Mono.defer(() -> part(request, key, state)));
  }

  private Mono<ServerResponse> part(ServerRequest request, StoreKey key, State state) {
    if (request.method().equals(HttpMethod.HEAD)) {
      return head(key, HttpStatus.OK, state, state.size()).build();
    }
    List<HttpRange> ranges = ranges(request, tag(state.version()));
    if (ranges.size() != 1) {
      return head(key, HttpStatus.OK, state, state.size())
          .body(BodyInserters.fromDataBuffers(bytes(key, state, 0, state.size())));
    }
    long first;
    long last;
    try {
      first = ranges.get(0).getRangeStart(state.size());
      last = ranges.get(0).getRangeEnd(state.size());
    } catch (IllegalArgumentException e) {
      first = state.size();
      last = -1;
    }
    if (first > last) {
      return ServerResponse.status(HttpStatus.REQUESTED_RANGE_NOT_SATISFIABLE)
          .header(HttpHeaders.CONTENT_RANGE, "bytes */" + state.size())
          .build();
    }
    return head(key, HttpStatus.PARTIAL_CONTENT, state, last - first + 1)
        .header(HttpHeaders.CONTENT_RANGE, "bytes " + first + "-" + last + "/" + state.size())
        .body(BodyInserters.fromDataBuffers(bytes(key, state, first, last + 1)));
  }

  private static List<HttpRange> ranges(ServerRequest request, @Nullable String tag) {
    HttpHeaders headers = request.headers().asHttpHeaders();
    String condition = headers.getFirst(HttpHeaders.IF_RANGE);
    if (condition != null && !condition.equals(tag)) {
      return List.of();
    }
    try {
      return HttpRange.parseRanges(headers.getFirst(HttpHeaders.RANGE));
    } catch (IllegalArgumentException e) {
      return List.of(); // a malformed header is ignored
    }
  }

  private static ServerResponse.BodyBuilder head(
      StoreKey key, HttpStatus status, State state, long length) {
    String tag = tag(state.version());
    boolean isDocument =
        key.value().matches("(.*/)?(zarr\\.json|\\.z(array|group|attrs|metadata))");
    ServerResponse.BodyBuilder response =
        ServerResponse.status(status)
            .contentType(
                isDocument ? MediaType.APPLICATION_JSON : MediaType.APPLICATION_OCTET_STREAM)
            .header(HttpHeaders.ACCEPT_RANGES, "bytes")
            .header(HttpHeaders.CACHE_CONTROL, "no-cache");
    if (tag != null) {
      response.header(HttpHeaders.ETAG, tag);
    }
    return length < 0 ? response : response.contentLength(length);
  }

  /** Reads bytes of one version, a few MiB at a time, as the client takes them. */
  private Flux<DataBuffer> bytes(StoreKey key, State state, long from, long to) {
    if (state.size() < 0) {
      throw new StoreException("the store tells no size", Location.ofKey(key.value()));
    }
    Flux<DataBuffer> pieces =
        Flux.<Long, Long>generate(
                () -> from,
                (next, sink) -> {
                  if (next >= to) {
                    sink.complete();
                  } else {
                    sink.next(next);
                  }
                  return Math.min(to, next + MOST);
                })
            .concatMap(
                offset -> {
                  long length = Math.min(MOST, to - offset);
                  return store
                      .getVersioned(key, new ByteRange.Slice(offset, length), state.required())
                      .switchIfEmpty(Mono.error(() -> erased(key)))
                      .flatMapMany(read -> pieces(Objects.requireNonNull(read.bytes())));
                },
                0);
    return admission.admit(to - from, pieces);
  }

  private static StoreException erased(StoreKey key) {
    return new StoreException(
        "the value was erased while it was sent", Location.ofKey(key.value()));
  }

  /** Returns views of a value: reactor-netty takes 128 at once, and copies them. */
  private static Flux<DataBuffer> pieces(Bytes bytes) {
    return Flux.range(0, (bytes.size() + PIECE - 1) / PIECE)
        .map(
            number -> {
              int offset = number * PIECE;
              return DataBuffers.of(
                  bytes.slice(offset, Math.min(PIECE, bytes.size() - offset)),
                  DefaultDataBufferFactory.sharedInstance);
            });
  }

  /** Answers PUT: stores the body as it arrives, whole or not at all. */
  Mono<ServerResponse> put(ServerRequest request) {
    StoreKey key = key(request);
    Flux<Bytes> pieces = request.bodyToFlux(DataBuffer.class).map(LinkedValues::copied);
    return precondition(request)
        .map(
            precondition ->
                store.set(key, pieces, precondition).then(ServerResponse.noContent().build()))
        .orElseGet(() -> ServerResponse.status(HttpStatus.PRECONDITION_FAILED).build())
        .onErrorResume(
            PreconditionFailedException.class,
            other -> ServerResponse.status(HttpStatus.PRECONDITION_FAILED).build());
  }

  private static Bytes copied(DataBuffer buffer) {
    byte[] bytes = new byte[buffer.readableByteCount()];
    buffer.read(bytes);
    DataBufferUtils.release(buffer);
    return Bytes.wrap(bytes);
  }

  /** Answers DELETE; a value that is missing is erased. */
  Mono<ServerResponse> delete(ServerRequest request) {
    StoreKey key = key(request);
    String match = request.headers().asHttpHeaders().getFirst(HttpHeaders.IF_MATCH);
    Version version = match == null ? null : version(match);
    if (match != null && version == null) {
      return ServerResponse.status(HttpStatus.PRECONDITION_FAILED).build();
    }
    return (version == null ? store.erase(key) : store.erase(key, version))
        .then(ServerResponse.noContent().build())
        .onErrorResume(
            PreconditionFailedException.class,
            other -> ServerResponse.status(HttpStatus.PRECONDITION_FAILED).build());
  }

  /** Returns the condition of a write; empty for one that cannot hold. */
  private static Optional<Precondition> precondition(ServerRequest request) {
    HttpHeaders headers = request.headers().asHttpHeaders();
    String match = headers.getFirst(HttpHeaders.IF_MATCH);
    String none = headers.getFirst(HttpHeaders.IF_NONE_MATCH);
    if (none != null) {
      return none.strip().equals("*") && match == null
          ? Optional.of(Precondition.ABSENT)
          : Optional.empty();
    }
    Version version = match == null ? null : version(match);
    return match == null
        ? Optional.of(Precondition.NONE)
        : version == null ? Optional.empty() : Optional.of(Precondition.matches(version));
  }

  /** Returns the ETag of a version: as it is where it is one, else encoded. */
  private static @Nullable String tag(@Nullable Version version) {
    return version == null || TAG.matcher(version.tag()).matches()
        ? version == null ? null : version.tag()
        : MARK
            + Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(version.tag().getBytes(StandardCharsets.UTF_8))
            + "\"";
  }

  /** Returns the version of an ETag; null for a list of them, and for a wrong one. */
  private static @Nullable Version version(String tag) {
    if (!TAG.matcher(tag).matches()) {
      return null;
    }
    try {
      return new Version(
          tag.startsWith(MARK)
              ? new String(
                  Base64.getUrlDecoder().decode(tag.substring(MARK.length(), tag.length() - 1)),
                  StandardCharsets.UTF_8)
              : tag);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
