package dev.zarrreactive.internal.http;

import dev.zarrreactive.internal.sharing.SharedFailure;
import dev.zarrreactive.internal.threads.Daemons;
import dev.zarrreactive.internal.transfer.UserAgent;
import dev.zarrreactive.store.decorator.RequestLimit;
import io.netty.channel.ChannelOption;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.netty.FutureMono;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpResponseDecoderSpec;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.tcp.SslProvider;

/** The connections of one store, or of the stores that share them, and their client. */
public final class HttpConnections {
  /** The wait of a request for a connection while all connections are busy. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /**
   * The bytes of one stream that may be in flight. Netty allows all streams of a connection twice
   * as many together, which is 160 MB/s over a link of 50 ms.
   */
  private static final int STREAM_WINDOW = 4 << 20;

  /** The largest part of a body that is passed on: all that netty reads in one call. */
  private static final int PART = 64 << 10;

  /** The largest frame. Frames of the protocol's 16 KiB slow down reads of large chunks by 6 %. */
  private static final int FRAME = 64 << 10;

  private final ConnectionSettings settings;
  private final boolean encrypted;
  private final int leastSpeed;
  private final ConnectionProvider pool;
  private final RequestLimit limit;

  /** The channels of HTTP/2: a pool that closes forgets its unfinished connections. */
  private final ChannelGroup channels =
      new DefaultChannelGroup(ImmediateEventExecutor.INSTANCE, true);

  /** The client that was made; null before the first request. */
  private volatile @Nullable HttpClient ready;

  private final Mono<HttpClient> made =
      Mono.fromCallable(this::make)
          .flatMap(client -> client.warmup().thenReturn(client))
          .doOnNext(client -> ready = client)
          .subscribeOn(SetupThreads.SCHEDULER)
          .cacheInvalidateIf(client -> false)
          .onErrorMap(SharedFailure::forOne);

  private volatile boolean closed;

  /**
   * Connections that the first requests make.
   *
   * @param encrypted false where the server of the store has no TLS
   * @param leastSpeed of a body in bytes per second, on average over a stall timeout; 0 for any
   */
  public HttpConnections(ConnectionSettings settings, boolean encrypted, int leastSpeed) {
    this.settings = settings;
    this.encrypted = encrypted;
    this.leastSpeed = leastSpeed;
    // the one timer that is not a thread of our own: the pool looks for idle connections on
    // Schedulers.parallel(), and reactor-netty has no way to name another scheduler
    ConnectionProvider.Builder builder =
        ConnectionProvider.builder("zarr-http")
            .maxConnections(settings.most())
            .pendingAcquireMaxCount(-1)
            .pendingAcquireTimeout(PATIENCE)
            .maxIdleTime(settings.idle())
            .evictInBackground(settings.idle().dividedBy(2).plusMillis(1));
    ConnectionProvider.MeterRegistrar counter = settings.counter;
    this.limit = RequestLimit.adaptive(settings.mostRequests());
    this.pool = (counter == null ? builder : builder.metrics(true, () -> counter)).build();
  }

  /**
   * Returns the client, made once on a thread that may block. A later request retries an error, and
   * finds a client that was made without a change of threads.
   */
  public Mono<HttpClient> client() {
    HttpClient known = ready;
    return closed ? refusal() : known != null ? Mono.just(known) : made;
  }

  /** Fails a request to a store that was closed. */
  public static <T> Mono<T> refusal() {
    return Mono.error(() -> new IllegalStateException("the store was closed"));
  }

  /** Returns the adaptive limit of the stores that share these connections. */
  public RequestLimit limit() {
    return limit;
  }

  /** Closes the connections; requests in flight fail. */
  public Mono<Void> close() {
    return Mono.defer(
        () -> {
          closed = true;
          return pool.disposeLater()
              .then(FutureMono.deferFuture(channels::close).onErrorComplete());
        });
  }

  /** Returns a client with the settings of the store, which any client needs. */
  public static HttpClient prepared(HttpClient client, Duration stallTimeout, int leastSpeed) {
    return client
        .followRedirect(false)
        .compress(false)
        .doOnRequest(
            (request, connection) ->
                ResponseGuard.on(connection.channel(), stallTimeout, leastSpeed));
  }

  /** Deprecated since Netty 5 has no such size; Netty 4 cuts bodies into parts of 8 KiB. */
  @SuppressWarnings("deprecation")
  private static HttpResponseDecoderSpec inParts(HttpResponseDecoderSpec decoder) {
    return decoder.maxChunkSize(PART);
  }

  private HttpClient make() {
    String agent = UserAgent.text(); // read here, where it may block
    HttpClient client =
        prepared(HttpClient.create(pool), settings.stallTimeout(), leastSpeed)
            .headers(all -> all.set(HttpHeaderNames.USER_AGENT, agent))
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, settings.connectMillis())
            .httpResponseDecoder(decoder -> inParts(decoder.maxHeaderSize(settings.headerSize())));
    if (settings.http2) {
      client =
          (encrypted
                  ? client.protocol(HttpProtocol.H2, HttpProtocol.HTTP11)
                  : client.protocol(HttpProtocol.H2C))
              .http2Settings(
                  http2 ->
                      http2
                          .initialWindowSize(STREAM_WINDOW)
                          .maxFrameSize(FRAME)
                          .maxHeaderListSize(settings.headerSize()))
              .doOnChannelInit((observer, channel, remote) -> channels.add(channel));
    }
    if (settings.proxy != null) {
      client = client.proxy(settings.proxy);
    }
    Consumer<? super SslProvider.SslContextSpec> tls = settings.tls;
    if (tls != null) {
      return client.secure(tls);
    }
    return encrypted || !settings.http2 ? client.secure() : client; // a redirect may want TLS
  }

  /**
   * The threads that set up clients, which reads files: the certificates of the system and the list
   * of name servers. Two daemons, which end when they have been idle for ten seconds. Made for the
   * first store that needs them.
   */
  private static final class SetupThreads {
    static final Scheduler SCHEDULER = Daemons.mayBlock(2, "zarr-http-setup", 10);
  }
}
