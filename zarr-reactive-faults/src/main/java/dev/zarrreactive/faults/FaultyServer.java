package dev.zarrreactive.faults;

import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.Store;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.DisposableServer;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/**
 * A server on this machine, over HTTP/1.1 and, on the same port, HTTP/2 without TLS, that does what
 * its {@link Fault} says. For tests: starting and stopping block.
 */
public final class FaultyServer implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** So that it can be told how much of a body was sent. */
  private static final int SLOW_PART = 8 << 10;

  private static final int PART = 64 << 10;

  private final BiFunction<Asked, byte[], Mono<Answer>> origin;
  private final UnaryOperator<HttpServer> customised;
  private final Queue<Asked> requests = new ConcurrentLinkedQueue<>();
  private final AtomicLong numbers = new AtomicLong();
  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicInteger mostUnderWay = new AtomicInteger();
  private final AtomicLong sent = new AtomicLong();
  private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
  private volatile Fault fault = Fault.NONE;
  private @Nullable DisposableServer server;
  private @Nullable SocketChannel kept;
  private int port;

  private FaultyServer(
      BiFunction<Asked, byte[], Mono<Answer>> origin, UnaryOperator<HttpServer> customised) {
    this.origin = origin;
    this.customised = customised;
    start();
  }

  /** A server of the values in {@code store}; it asks for whole values. */
  public static FaultyServer of(Store store) {
    return of(store, UnaryOperator.identity());
  }

  /** A server of the values in {@code store}, with settings of its own, such as TLS. */
  public static FaultyServer of(Store store, UnaryOperator<HttpServer> customised) {
    Origin origin = new StoreOrigin(store, "");
    return new FaultyServer((asked, body) -> origin.answer(asked), customised);
  }

  /** A server of whatever {@code origin} answers. */
  public static FaultyServer of(Origin origin) {
    return new FaultyServer((asked, body) -> origin.answer(asked), UnaryOperator.identity());
  }

  /** A proxy before another server, over HTTP without TLS; bodies go through memory. */
  public static FaultyServer before(URI upstream) {
    return new FaultyServer(new UpstreamOrigin(upstream)::answer, UnaryOperator.identity());
  }

  /** The URL of the server, without a slash at its end. */
  public URI uri() {
    return URI.create("http://127.0.0.1:" + port);
  }

  /** The port that the server listens at, also after a {@link #restart}. */
  public int port() {
    return port;
  }

  /** What goes wrong from now on. */
  public void misbehave(Fault from) {
    this.fault = from;
  }

  /** The requests so far, in the order of their arrival. */
  public List<Asked> requests() {
    return List.copyOf(requests);
  }

  /** Forgets the requests so far, and the bytes that were sent. */
  public void forget() {
    requests.clear();
    sent.set(0);
    mostUnderWay.set(underWay.get());
  }

  /** How many requests are not answered yet, and not given up either. */
  public int underWay() {
    return underWay.get();
  }

  /** How many requests there were at the same time, at most. */
  public int mostUnderWay() {
    return mostUnderWay.get();
  }

  /** How many connections are open. */
  public int connections() {
    return connections.size();
  }

  /** How many bytes of bodies were sent. */
  public long sentBytes() {
    return sent.get();
  }

  /**
   * Closes the port and all connections, as a server that dies. Until it is closed for good nobody
   * else gets its port.
   */
  public void stop() {
    DisposableServer running = server;
    if (running != null) {
      server = null;
      // without a last word of either side, which would keep the port from a socket of its own
      connections.forEach(FaultyServer::silence);
      connections.close().awaitUninterruptibly(PATIENCE.toMillis());
      running.disposeNow(PATIENCE);
      keepPort();
    }
  }

  private static void silence(Channel connection) {
    try {
      connection.config().setOption(ChannelOption.SO_LINGER, 0);
    } catch (ChannelException e) {
      // it is closed already
    }
  }

  /**
   * A socket that is bound and does not listen: whoever connects is refused. While it does not
   * share the port, nobody else is given it; where an old connection is in the way, it has to.
   */
  private void keepPort() {
    try {
      if (!keepPort(false) && !keepPort(true)) {
        throw new IllegalStateException("the port " + port + " cannot be kept");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean keepPort(boolean shared) throws IOException {
    SocketChannel bound = SocketChannel.open();
    try {
      bound.setOption(StandardSocketOptions.SO_REUSEADDR, shared);
      bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      bound.setOption(StandardSocketOptions.SO_REUSEADDR, false); // from now on for nobody
      kept = bound;
      return true;
    } catch (BindException e) {
      bound.close();
      return false;
    }
  }

  private void givePort() {
    SocketChannel bound = kept;
    kept = null;
    try {
      if (bound != null) {
        bound.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Listens at the same port again. */
  public void restart() {
    stop();
    givePort();
    start();
  }

  @Override
  public void close() {
    stop();
    givePort();
  }

  private void start() {
    DisposableServer started =
        customised
            .apply(
                HttpServer.create()
                    .host("127.0.0.1")
                    .port(port)
                    .protocol(HttpProtocol.H2C, HttpProtocol.HTTP11)
                    .httpRequestDecoder(spec -> spec.maxInitialLineLength(64 << 10))
                    .http2Settings(settings -> settings.maxConcurrentStreams(100)))
            .doOnChannelInit((observer, channel, remote) -> connections.add(channel))
            .handle(this::handle)
            .bindNow(PATIENCE);
    port = started.port();
    server = started;
  }

  private Publisher<Void> handle(HttpServerRequest request, HttpServerResponse response) {
    Asked asked = asked(request);
    requests.add(asked);
    Behaviour behaviour = fault.apply(asked, Behaviour.GOOD);
    Asked understood = understood(asked, behaviour);
    Mono<Answer> answer =
        behaviour.instead() != null
            ? Mono.just(behaviour.instead())
            : body(request).flatMap(body -> origin.apply(understood, body));
    Mono<Answer> later =
        behaviour.delay().isZero()
            ? answer
            : Mono.delay(behaviour.delay(), eventLoop(response)).then(answer);
    mostUnderWay.accumulateAndGet(underWay.incrementAndGet(), Math::max);
    Mono<Void> answered =
        behaviour
            .change()
            .apply(later)
            .map(behaviour::dress)
            .flatMap(
                dressed ->
                    behaviour.isWithoutAnswer()
                        ? end(response, behaviour.ending())
                        : Mono.from(send(asked, dressed, behaviour, response)));
    return answered.doFinally(end -> underWay.decrementAndGet());
  }

  /** Where the connection is written to anyway, so that a late answer costs no change of thread. */
  private static Scheduler eventLoop(HttpServerResponse response) {
    AtomicReference<EventLoop> loop = new AtomicReference<>();
    response.withConnection(connection -> loop.set(connection.channel().eventLoop()));
    return Schedulers.fromExecutorService(loop.get());
  }

  private Asked asked(HttpServerRequest request) {
    Map<String, String> headers = new LinkedHashMap<>();
    request
        .requestHeaders()
        .forEach(
            header ->
                headers.putIfAbsent(header.getKey().toLowerCase(Locale.ROOT), header.getValue()));
    String uri = request.uri();
    int query = uri.indexOf('?');
    return new Asked(
        numbers.getAndIncrement(),
        request.method().name(),
        decoded((query < 0 ? uri : uri.substring(0, query)).substring(1)),
        uri,
        Map.copyOf(headers));
  }

  private static Asked understood(Asked asked, Behaviour behaviour) {
    Map<String, String> headers = new LinkedHashMap<>(asked.headers());
    if (behaviour.ignoresRange()) {
      headers.remove("range");
    }
    if (behaviour.ignoresConditions()) {
      headers.remove("if-match");
      headers.remove("if-none-match");
    }
    return new Asked(asked.number(), asked.method(), asked.path(), asked.uri(), headers);
  }

  private static Mono<byte[]> body(HttpServerRequest request) {
    boolean none = request.method().name().equals("GET") || request.method().name().equals("HEAD");
    return none
        ? Mono.just(new byte[0])
        : request.receive().aggregate().asByteArray().defaultIfEmpty(new byte[0]);
  }

  private Publisher<Void> send(
      Asked asked, Answer answer, Behaviour behaviour, HttpServerResponse response) {
    response.status(answer.status());
    answer.headers().forEach(response::header);
    boolean bodiless = asked.method().equals("HEAD") || answer.status() == 304;
    if (behaviour.knowsLength()
        && answer.status() != 304
        && !answer.headers().containsKey("content-length")) {
      response.header("content-length", String.valueOf(answer.body().size()));
    }
    if (bodiless) {
      return response.send();
    }
    long count = Math.min(answer.body().size(), behaviour.endingAfter());
    Mono<Void> body =
        response.send(parts(answer.body(), (int) count, behaviour), part -> true).then();
    return body.then(end(response, behaviour.ending()));
  }

  private Flux<ByteBuf> parts(Bytes body, int count, Behaviour behaviour) {
    boolean slow = behaviour.bytesPerSecond() > 0;
    int most = slow ? SLOW_PART : PART;
    Flux<ByteBuf> parts =
        Flux.range(0, (count + most - 1) / most)
            .map(
                index -> {
                  int size = Math.min(most, count - index * most);
                  sent.addAndGet(size);
                  return Unpooled.wrappedBuffer(body.slice(index * most, size).asByteBuffer());
                });
    return slow
        ? parts.delayElements(Duration.ofNanos(most * 1_000_000_000L / behaviour.bytesPerSecond()))
        : parts;
  }

  /** Ends the connection or, over HTTP/2, the stream; a reset takes the whole connection. */
  private static Mono<Void> end(HttpServerResponse response, Behaviour.Ending ending) {
    return switch (ending) {
      case WHOLE -> Mono.empty();
      case STALL -> Mono.never();
      case CUT, RESET ->
          Mono.<Void>fromRunnable(
                  () ->
                      response.withConnection(
                          connection ->
                              end(connection.channel(), ending == Behaviour.Ending.RESET)))
              .then(Mono.never());
    };
  }

  @SuppressWarnings("FutureReturnValueIgnored") // nobody waits for the end
  private static void end(Channel stream, boolean reset) {
    Channel whole = stream.parent(); // the socket of a stream; else the port that is listened at
    boolean multiplexed = whole != null && whole.parent() != null;
    Channel ended = reset && multiplexed ? whole : stream;
    if (reset) {
      ended.config().setOption(ChannelOption.SO_LINGER, 0);
    }
    ended.close();
  }

  private static String decoded(String path) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      if (c == '%') {
        bytes.write(Integer.parseInt(path.substring(i + 1, i + 3), 16));
        i += 2;
      } else {
        bytes.write(c);
      }
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
