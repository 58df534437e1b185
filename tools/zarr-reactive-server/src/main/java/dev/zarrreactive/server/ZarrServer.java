package dev.zarrreactive.server;

import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.credentials.LinkKeySource;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.threads.Daemons;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.decorator.CacheOptions;
import dev.zarrreactive.store.decorator.Stores;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.resources.LoopResources;

/**
 * The settings of a server of a store over HTTP, for one thread. The server only reads.
 *
 * <p><b>Values.</b> {@code GET /KEY} is the value at a key: whole or a range of it, with its
 * length, and with a strong ETag where the store has versions. A value is of one version from its
 * first byte to its last; where it changes or the store fails midway, the connection closes before
 * the announced length is reached. A missing value is 404. A failure of the store is 502, 503 or
 * 500, never 404. {@code GET /PREFIX/} lists, where the store can.
 *
 * <p><b>Slices.</b> {@code GET /api/PATH/slice} is a selection of an array; see {@link #api}.
 *
 * <p><b>Requests to the store.</b> Bytes are read as fast as the client takes them, a range of a
 * few MiB at a time. Reads of the same value at the same time make one request to the store. A
 * small cache below the server keeps values; it asks the store each time whether they have changed.
 * A client that leaves cancels its requests.
 *
 * <p><b>Threads.</b> Nothing blocks. Responses are made on the threads of the store.
 */
public final class ZarrServer {
  private static final Scheduler SETUP = Daemons.mayBlock(1, "zarr-server-setup", 10);

  private final @Nullable Store store;
  private final @Nullable StoreVersions versions;
  private String host = "127.0.0.1";
  private int port = 8080;
  private String prefix = "";
  private @Nullable String name;
  private boolean synthesizes;
  private boolean servesApi = true;
  private ZarrOptions options = ZarrOptions.defaults();
  private ServerLimits limits = ServerLimits.defaults();
  private Set<String> origins = Set.of();
  private @Nullable AccessCheck access;
  private @Nullable LinkKeySource links;
  private BiConsumer<String, Throwable> failures = (path, error) -> {};
  private UnaryOperator<HttpServer> customized = UnaryOperator.identity();

  private ZarrServer(@Nullable Store store, @Nullable StoreVersions versions) {
    this.store = store;
    this.versions = versions;
  }

  /** Returns the settings of a server of {@code store}, which stays the caller's to close. */
  public static ZarrServer of(Store store) {
    return new ZarrServer(store, null);
  }

  /**
   * Returns the settings of a server of the versions of a store. {@code GET /KEY} is of {@link
   * StoreVersions#served}; {@code GET /__versions/branch.NAME/KEY}, {@code
   * /__versions/tag.NAME/KEY} and {@code /__versions/ID/KEY} are of the version that they name, and
   * {@code api/} below each of them as below the root. {@code /__versions/} and {@code
   * api/versions.json} tell the branches, the tags and the history. A branch follows its snapshots:
   * a response is of a state that is at most a second old. Values of a snapshot that a request
   * names by its id may be kept by the client.
   *
   * <p>Four stores are open at a time, and each has a fourth of {@link ServerLimits#cacheBytes} and
   * of {@link ZarrOptions#maxInFlightBytes}. The {@link #access} check sees the whole path, with
   * the version at its beginning.
   */
  public static ZarrServer of(StoreVersions versions) {
    return new ZarrServer(null, versions);
  }

  /** Sets the address to listen at; by default 127.0.0.1, which this machine alone can reach. */
  public ZarrServer host(String name) {
    this.host = name;
    return this;
  }

  /** Sets the port, 8080 by default; 0 for one that is free. */
  public ZarrServer port(int number) {
    if (number < 0 || number > 0xffff) {
      throw new IllegalArgumentException("not a port: " + number);
    }
    this.port = number;
    return this;
  }

  /**
   * Gives the store a name for people, such as {@code earth.zarr}, which the page shows; none by
   * default. Every client can read it.
   */
  public ZarrServer name(String forPeople) {
    this.name = forPeople;
    return this;
  }

  /**
   * Serves below a path, such as {@code /data}; below the root by default. A {@link #handler} in a
   * server of the application needs the path that its route has.
   */
  public ZarrServer path(String path) {
    if (!path.isEmpty() && !path.matches("(/[A-Za-z0-9._~-]+)+")) {
      throw new IllegalArgumentException(
          "a path of a server is empty, or segments such as /data/v1 of letters, digits and"
              + " \"-._~\": "
              + path);
    }
    this.prefix = path;
    return this;
  }

  /**
   * Serves the root group with consolidated metadata, made of its tree, where the store has none:
   * in {@code zarr.json} (Zarr v3) and {@code .zmetadata} (Zarr v2). By default values are served
   * as they are stored. A document is up to five seconds old. It is made of at most {@link
   * ServerLimits#nodes} nodes and has at most {@link ServerLimits#documentBytes}; of a larger tree,
   * or one that cannot be consolidated, the stored document is served.
   */
  public ZarrServer consolidated(boolean synthesize) {
    this.synthesizes = synthesize;
    return this;
  }

  /**
   * Serves slices of arrays, metadata and trees below {@code /api/}, as by default, or not: {@code
   * GET /api/PATH/slice?select=0:10,5&format=npy}, {@code /api/PATH/tiles/LEVEL/ROW/COLUMN.png},
   * {@code /api/PATH/map/Z/X/Y.png}, {@code /api/PATH/metadata}, {@code /api/PATH/tree}, {@code
   * /api/openapi.json}, counts at {@code /api/activity.json}, and the page for browsers at {@code
   * /api/}. Other paths below {@code /api/} are keys.
   */
  public ZarrServer api(boolean serve) {
    this.servesApi = serve;
    return this;
  }

  /**
   * Sets the options of the arrays whose slices are served. {@link
   * ZarrOptions#withMaxInFlightBytes} bounds the memory of all slices together: {@linkplain
   * ZarrOptions#withIndependentOperations as for independent operations}, since clients do not wait
   * for each other.
   */
  public ZarrServer options(ZarrOptions ofArrays) {
    this.options = ofArrays;
    return this;
  }

  /** Sets the limits. */
  public ZarrServer limits(ServerLimits all) {
    this.limits = all;
    return this;
  }

  /**
   * Sets the origins whose pages may read, such as {@code https://viewer.example}; {@code "*"} is
   * every origin. By default browsers keep the pages of other origins out, and the page of the
   * server itself reads.
   */
  public ZarrServer origins(String... allowed) {
    this.origins = Set.copyOf(List.of(allowed));
    return this;
  }

  /**
   * Sets the check of requests; by default every request is answered, and with {@link #links} those
   * of links alone.
   */
  public ZarrServer access(AccessCheck check) {
    this.access = check;
    return this;
  }

  /**
   * Answers requests for {@code /__signed/TOKEN/PATH} as those for {@code /PATH}, where a link that
   * one of the keys has signed opens it; {@link #access} is not asked then. A link that opens
   * nothing is 403, whatever the reason. Links are signed for paths below {@link #path}, and lead
   * to values, listings and, signed for {@code api/PATH}, to slices. With {@link #consolidated} the
   * group that a link names has consolidated metadata as the root has. What {@link #onFailure}
   * tells has no token.
   *
   * @param keys {@link dev.zarrreactive.credentials.LinkKeys}, or a file of keys that rotate
   */
  public ZarrServer links(LinkKeySource keys) {
    this.links = keys;
    return this;
  }

  /**
   * Tells {@code told} of each failure, with the path of the request: of a response with a status
   * of 5xx, and of one that was cut. Clients are told no more than that it failed. Called on any
   * thread, which it must not block.
   */
  public ZarrServer onFailure(BiConsumer<String, Throwable> told) {
    this.failures = told;
    return this;
  }

  /**
   * Changes the server of reactor-netty before it listens: TLS, other protocols, compression,
   * access logs. By default it speaks HTTP/1.1, and HTTP/2 without TLS.
   */
  public ZarrServer customize(UnaryOperator<HttpServer> change) {
    this.customized = change;
    return this;
  }

  /**
   * Returns the function that answers requests, for a server of the application: {@code
   * HttpServer.create().route(routes -> routes.route(request -> request.uri().startsWith("/data/"),
   * server.handler()))}, with {@link #path} as the route. The limits and the cache are those of one
   * handler; connections, their times and their speed are then the application's to bound.
   */
  public BiFunction<HttpServerRequest, HttpServerResponse, Publisher<Void>> handler() {
    return requestHandler();
  }

  private RequestHandler requestHandler() {
    ByteBudget budget =
        ByteBudget.ofService(limits.heldBytes(), Environment.current().timer(), limits.maxWait());
    ServerActivity activity = new ServerActivity(budget);
    ArrayApi.Slices slices = new ArrayApi.Slices();
    ServedResources resources;
    if (versions != null) {
      resources =
          new ServedVersions(
              versions,
              each -> served(each, ServedVersions.OPENED, activity, slices),
              SETUP,
              servesApi,
              limits);
    } else {
      resources = served(Objects.requireNonNull(store), 1, activity, slices);
    }
    return new RequestHandler(
        resources,
        activity,
        budget,
        prefix,
        limits,
        new CrossOrigin(origins),
        check(),
        links,
        failures);
  }

  private AccessCheck check() {
    AccessCheck.Decision usual =
        links == null ? AccessCheck.Decision.ALLOWED : AccessCheck.Decision.FORBIDDEN;
    return access == null ? (method, path, headers) -> Mono.just(usual) : access;
  }

  /** Returns the resources of one of several stores, which share the memory of the server. */
  private ServedStore served(
      Store one, int stores, ServerActivity activity, ArrayApi.Slices slices) {
    CacheOptions cache =
        CacheOptions.ofBytes(limits.cacheBytes() / stores).withRevalidation(Duration.ZERO);
    Store readable =
        one.capabilities().contains(StoreCapability.WRITE) ? Stores.readOnly(one) : one;
    Store cached = Stores.cached(Stores.observed(readable, activity.store()), cache);
    ZarrOptions own =
        options.withMaxInFlightBytes(Math.max(1, options.maxInFlightBytes() / stores));
    return new ServedStore(
        cached,
        synthesizes,
        servesApi
            ? new ArrayApi(cached, name, activity, slices, versions != null, own, limits)
            : null,
        limits);
  }

  /**
   * Starts the server; each subscription starts one more. An address that is in use is an error of
   * reactor-netty, a {@link reactor.netty.ChannelBindException}. A cancel before the result leaves
   * no server.
   */
  public Mono<RunningServer> start() {
    return Mono.defer(
            () -> {
              RequestHandler handler = requestHandler();
              LoopResources threads =
                  LoopResources.create("zarr-server", Environment.current().processors(), true);
              ClientConnections connections = new ClientConnections(limits);
              String path = prefix;
              HttpServer server =
                  HttpServer.create()
                      .host(host)
                      .port(port)
                      .runOn(threads)
                      .protocol(HttpProtocol.HTTP11, HttpProtocol.H2C)
                      .httpRequestDecoder(decoder -> decoder.maxInitialLineLength(16 << 10))
                      .doOnChannelInit((observer, channel, remote) -> connections.open(channel));
              return customized
                  .apply(server)
                  .handle(handler)
                  .bind()
                  .<RunningServer>map(
                      bound ->
                          new RunningServer(
                              bound,
                              path,
                              handler,
                              connections,
                              threads,
                              Environment.current().timer()))
                  .onErrorResume(
                      error ->
                          threads
                              .disposeLater(Duration.ZERO, Duration.ofSeconds(2))
                              .then(Mono.error(error)));
            })
        .subscribeOn(SETUP); // the native transport and addresses are read from files
  }
}
