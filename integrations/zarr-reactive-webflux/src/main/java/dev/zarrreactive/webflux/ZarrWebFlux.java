package dev.zarrreactive.webflux;

import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.credentials.LinkKeySource;
import dev.zarrreactive.store.Store;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpStatus;
import org.springframework.http.codec.CodecConfigurer;
import org.springframework.http.codec.EncoderHttpMessageWriter;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.WebExceptionHandler;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Flux;

/**
 * Teaches Spring WebFlux to write {@link ArraySlice}, chunks, metadata and attributes. With Spring
 * Boot the auto-configuration does so; without it, declare a bean of this class beside
 * {@code @EnableWebFlux}, one of {@link #errors} and one of {@link #cancellation}.
 *
 * <p>{@code ArrayMetadata} and {@code GroupMetadata} are written as {@code application/json}: the
 * document that they are. {@code JsonObject}, as attributes are, is written as itself. {@code
 * Flux<Chunk>} is written as {@code application/x-ndjson}: an object on a line for each chunk, with
 * {@code index}, {@code inner_index} in a shard, {@code selection}, {@code shape} and {@code
 * values} in lists. As {@code text/event-stream} the same objects are the data of events, also of a
 * {@code Flux<ServerSentEvent<Chunk>>}; as {@code application/json} they are a list. The next chunk
 * is demanded when the one before is taken; its text is made on the threads of codecs. As {@code
 * application/x-zarr-chunks} and {@code multipart/mixed} chunks are binary.
 *
 * <p>{@link ArrayBody} and {@code NdArray} are read from the bodies of requests.
 */
public final class ZarrWebFlux implements WebFluxConfigurer {
  /** The most bytes of a slice that its connection takes at once. */
  private static final long SMALL = 256 << 10;

  /** The most bytes of a body in memory where the service does not say it, as Spring has it. */
  private static final int DEFAULT_MEMORY = 256 << 10;

  private final long maxSliceBytes;
  private final int maxSlices;
  private final AtomicInteger large = new AtomicInteger();
  private final AtomicInteger small = new AtomicInteger();

  private ZarrWebFlux(long maxSliceBytes, int maxSlices) {
    this.maxSliceBytes = maxSliceBytes;
    this.maxSlices = maxSlices;
  }

  /** Returns the configuration for slices of any size and number. */
  public static ZarrWebFlux create() {
    return new ZarrWebFlux(Long.MAX_VALUE, Integer.MAX_VALUE);
  }

  /**
   * Returns a configuration that answers 413 to a slice whose elements have more bytes than this,
   * whatever its format is. An element of variable length counts as 64 bytes.
   *
   * @throws IllegalArgumentException if {@code bytes} is less than 1
   */
  public ZarrWebFlux withMaxSliceBytes(long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("maxSliceBytes must be at least 1, not " + bytes);
    }
    return new ZarrWebFlux(bytes, maxSlices);
  }

  /**
   * Returns a configuration that answers 503 with {@code Retry-After} to a slice while the service
   * sends this number of slices. A slice counts until its client has taken it or is gone. Slices of
   * at most 256 KiB are counted beside the others, with the same bound, so that slow clients of
   * large ones leave room for them.
   *
   * @throws IllegalArgumentException if {@code slicesAtATime} is less than 1
   */
  public ZarrWebFlux withMaxSlices(int slicesAtATime) {
    if (slicesAtATime < 1) {
      throw new IllegalArgumentException("maxSlices must be at least 1, not " + slicesAtATime);
    }
    return new ZarrWebFlux(maxSliceBytes, slicesAtATime);
  }

  /**
   * Returns a handler of this library's errors, for annotated and functional endpoints. It answers
   * with a problem document (RFC 9457) as {@link dev.zarrreactive.http.HttpProblem} says: 404 for a
   * missing node, 503 with {@code Retry-After} for a store that failed for now, 400 for a selection
   * that does not fit. No body has a name of the store. Any other error goes to the next handler.
   * Failures of 5xx go to the {@link System.Logger} of this package: a line each, and at the level
   * DEBUG their stack traces.
   *
   * @param retryAfter the delay to ask for where the store asks for none
   */
  public static WebExceptionHandler errors(Duration retryAfter) {
    return new ProblemHandler(retryAfter);
  }

  /**
   * Returns a filter that cancels the body of each response when its write has ended, however it
   * ended. Spring alone does not cancel the body of a client that leaves before the first buffer:
   * its bytes stay in flight, and its slice stays counted. The filter covers every body of the
   * service, also {@link ArraySlice#buffers} and streams of the application's own.
   */
  public static WebFilter cancellation() {
    return new BodyCancellation();
  }

  /**
   * Returns a filter by which each response reads one snapshot of a branch: the first node that it
   * opens in a hierarchy that {@linkplain ZarrHierarchy#following follows} finds the newest
   * snapshot, and all others are of the same one. Without the filter a response that opens two
   * arrays may read two snapshots.
   */
  public static WebFilter snapshots() {
    return (exchange, chain) -> chain.filter(exchange).contextWrite(ZarrHierarchy::inOneSnapshot);
  }

  /**
   * Returns a filter for signed links. It lets the end points of the service answer a request for
   * {@code /__signed/TOKEN/PATH} as one for {@code /PATH}, if the link opens that; GET, HEAD and
   * OPTIONS need a link for reading, other methods one for writing. Any other link is 403. The
   * filter is behind those of Spring Security: permit {@code /__signed/**} there.
   *
   * @param keys {@link dev.zarrreactive.credentials.LinkKeys}, or a file of keys that rotate
   */
  public static WebFilter links(LinkKeySource keys) {
    return new LinkFilter(keys);
  }

  /**
   * Returns an end point for the stored values of a hierarchy, which clients of Zarr open by a
   * signed link such as {@code /__signed/TOKEN/zarr/earth}. GET has ranges and an {@code ETag}
   * where the store has versions; a value above 4 MiB is read in ranges of one version, and one
   * that changes meanwhile closes the connection. PUT and DELETE need a link for writing, and take
   * {@code If-Match} and {@code If-None-Match: *}. Without a link all is 403. Values count among
   * the {@linkplain #withMaxSlices slices}.
   *
   * @param path where the values are, such as {@code /zarr}
   */
  public RouterFunction<ServerResponse> values(Store store, String path) {
    LinkedValues values = new LinkedValues(store, this::admitted);
    return RouterFunctions.route()
        .path(
            path,
            below ->
                below
                    .GET("/{*key}", values::get)
                    .HEAD("/{*key}", values::get)
                    .PUT("/{*key}", values::put)
                    .DELETE("/{*key}", values::delete))
        .build();
  }

  /** The most slices at a time. */
  public int maxSlices() {
    return maxSlices;
  }

  /** The slices that are sent now. */
  public int slices() {
    return large.get() + small.get();
  }

  /**
   * Returns the pieces of a slice, unless as many slices as allowed are under way.
   *
   * @param size the bytes of the elements that are sent
   */
  private Flux<DataBuffer> admitted(long size, Flux<DataBuffer> pieces) {
    AtomicInteger slices = size <= SMALL ? small : large;
    return Flux.defer(
        () -> {
          if (slices.incrementAndGet() > maxSlices) {
            slices.decrementAndGet();
            return Flux.error(
                new RefusedSliceException(
                    HttpStatus.SERVICE_UNAVAILABLE.value(),
                    "the service sends " + maxSlices + " slices, its limit"));
          }
          return pieces.doFinally(end -> slices.decrementAndGet());
        });
  }

  private static void note(CodecConfigurer.DefaultCodecConfig defaults, AtomicInteger maxInMemory) {
    Integer most = defaults.maxInMemorySize();
    maxInMemory.set(most == null ? DEFAULT_MEMORY : most);
  }

  @Override
  public void configureHttpMessageCodecs(ServerCodecConfigurer configurer) {
    AtomicInteger maxInMemory = new AtomicInteger(DEFAULT_MEMORY);
    configurer
        .customCodecs()
        .registerWithDefaultConfig(
            new ArrayBodyReader(maxInMemory::get), defaults -> note(defaults, maxInMemory));
    ArraySliceWriter slices = new ArraySliceWriter(maxSliceBytes, this::admitted);
    configurer.customCodecs().register(slices);
    configurer.customCodecs().register(new DatasetTableWriter(slices));
    configurer.customCodecs().register(new DocumentWriter());
    configurer.customCodecs().register(new EncoderHttpMessageWriter<>(new ChunkJsonEncoder()));
    configurer.customCodecs().register(new ChunkEventWriter());
    configurer.customCodecs().register(new ChunkStreamWriter());
  }
}
