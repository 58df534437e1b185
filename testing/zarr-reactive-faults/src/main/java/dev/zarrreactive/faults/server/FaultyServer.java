package dev.zarrreactive.faults.server;

import dev.zarrreactive.store.Store;
import io.netty.channel.Channel;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/**
 * A server on this machine with a {@link Fault}, over HTTP/1.1 and, on the same port, HTTP/2
 * without TLS. Start and stop block.
 */
public final class FaultyServer implements AutoCloseable {
  private final BiFunction<ReceivedRequest, byte[], Mono<ServerResponse>> origin;
  private final UnaryOperator<HttpServer> customised;
  private final Queue<ReceivedRequest> requests = new ConcurrentLinkedQueue<>();
  private final AtomicLong numbers = new AtomicLong();
  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicInteger mostUnderWay = new AtomicInteger();
  private final AtomicLong sent = new AtomicLong();
  private volatile Fault fault = Fault.NONE;
  private volatile @Nullable Listening listening;
  private @Nullable KeptPort kept;
  private int port;

  private FaultyServer(
      BiFunction<ReceivedRequest, byte[], Mono<ServerResponse>> origin,
      UnaryOperator<HttpServer> customised) {
    this.origin = origin;
    this.customised = customised;
    start();
  }

  /** Starts a server of the values in {@code store}, which reads whole values from it. */
  public static FaultyServer of(Store store) {
    return of(store, UnaryOperator.identity());
  }

  /** Starts a server of the values in {@code store}, with settings, such as TLS. */
  public static FaultyServer of(Store store, UnaryOperator<HttpServer> customised) {
    Origin origin = new ValueOrigin(store, "");
    return new FaultyServer((asked, body) -> origin.answer(asked), customised);
  }

  /** Starts a server of the responses of {@code origin}. */
  public static FaultyServer of(Origin origin) {
    return new FaultyServer((asked, body) -> origin.answer(asked), UnaryOperator.identity());
  }

  /**
   * Starts a proxy before another server, over HTTP without TLS, which buffers bodies in memory.
   */
  public static FaultyServer before(URI upstream) {
    return new FaultyServer(new UpstreamOrigin(upstream)::answer, UnaryOperator.identity());
  }

  /** Returns the URL of the server, without a trailing slash. */
  public URI uri() {
    return URI.create("http://127.0.0.1:" + port);
  }

  /** Returns the port of the server, which a {@link #restart} keeps. */
  public int port() {
    return port;
  }

  /** Sets the fault of all later requests. */
  public void misbehave(Fault from) {
    this.fault = from;
  }

  /** Returns the requests so far, in the order of their arrival. */
  public List<ReceivedRequest> requests() {
    return List.copyOf(requests);
  }

  /** Clears the recorded requests and the count of sent bytes. */
  public void forget() {
    requests.clear();
    sent.set(0);
    mostUnderWay.set(underWay.get());
  }

  /** Returns the number of requests in flight. */
  public int underWay() {
    return underWay.get();
  }

  /** Returns the largest number of requests in flight so far. */
  public int mostUnderWay() {
    return mostUnderWay.get();
  }

  /** Returns the number of open connections. */
  public int connections() {
    Listening running = listening;
    return running == null ? 0 : running.connections();
  }

  /** Returns the number of bytes of bodies that were sent. */
  public long sentBytes() {
    return sent.get();
  }

  /**
   * Closes the port and all connections, as a server that dies. No other program gets the port
   * before {@link #close}.
   */
  public void stop() {
    Listening running = listening;
    if (running != null) {
      listening = null;
      running.end();
      kept = KeptPort.of(port);
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

  private void givePort() {
    KeptPort given = kept;
    if (given != null) {
      kept = null;
      given.close();
    }
  }

  private void start() {
    HttpServer server =
        HttpServer.create()
            .host("127.0.0.1")
            .port(port)
            .protocol(HttpProtocol.H2C, HttpProtocol.HTTP11)
            .httpRequestDecoder(spec -> spec.maxInitialLineLength(64 << 10))
            .http2Settings(settings -> settings.maxConcurrentStreams(100));
    Listening started = new Listening(customised.apply(server).handle(this::handle));
    port = started.port();
    listening = started;
  }

  private Publisher<Void> handle(HttpServerRequest request, HttpServerResponse response) {
    Channel connection = channel(response);
    ReceivedRequest asked = ReceivedRequest.of(numbers.getAndIncrement(), request);
    requests.add(asked);
    Behaviour behaviour = fault.apply(asked, Behaviour.GOOD);
    ReceivedRequest understood = asked.understood(behaviour);
    ResponseSender sending = new ResponseSender(asked, behaviour, response, sent);
    ServerResponse instead = behaviour.instead();
    Mono<ServerResponse> answer = // after the body: an earlier response may close the connection
        body(request)
            .flatMap(body -> instead == null ? origin.apply(understood, body) : Mono.just(instead));
    Mono<ServerResponse> later =
        behaviour.delay().isZero()
            ? answer
            : Mono.delay(behaviour.delay(), eventLoop(connection)).then(answer);
    mostUnderWay.accumulateAndGet(underWay.incrementAndGet(), Math::max);
    Mono<Void> answered =
        behaviour
            .change()
            .apply(later)
            .map(behaviour::dress)
            .flatMap(dressed -> Mono.from(sending.send(dressed)));
    return answered.doFinally(
        end -> {
          underWay.decrementAndGet();
          readOn(connection);
        });
  }

  /**
   * Lets a connection read its next request. Reactor-netty forgets that where it had queued the
   * request before (its issue 4361), and then the next request waits without end.
   */
  private static void readOn(Channel connection) {
    connection.eventLoop().execute(connection::read);
  }

  private static Channel channel(HttpServerResponse response) {
    AtomicReference<Channel> channel = new AtomicReference<>();
    response.withConnection(connection -> channel.set(connection.channel()));
    return Objects.requireNonNull(channel.get());
  }

  /** Returns the event loop of a connection, so that a late response needs no other thread. */
  private static Scheduler eventLoop(Channel connection) {
    return Schedulers.fromExecutorService(connection.eventLoop());
  }

  private static Mono<byte[]> body(HttpServerRequest request) {
    boolean none = request.method().name().equals("GET") || request.method().name().equals("HEAD");
    return none
        ? Mono.just(new byte[0])
        : request.receive().aggregate().asByteArray().defaultIfEmpty(new byte[0]);
  }
}
