package dev.zarrreactive.internal.service;

import dev.zarrreactive.internal.http.ConnectionSettings;
import dev.zarrreactive.internal.http.HttpConnections;
import dev.zarrreactive.internal.http.Url;
import dev.zarrreactive.internal.transfer.SharedResources;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.decorator.Stores;
import java.net.URI;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;

/** The connections of the stores of one service: of their own, of the application, or shared. */
public final class ServiceConnections {
  private static final int LEAST_SPEED = 512;

  private final SharedResources<Server, HttpConnections> shared =
      new SharedResources<>(HttpConnections::close);

  /** No connections yet. */
  public ServiceConnections() {}

  /** Makes a store. */
  public interface Maker<S extends Store> {
    /**
     * Makes the store.
     *
     * @param closed closes the connections of the store
     */
    S make(ServiceRequests requests, Mono<Void> closed);
  }

  /**
   * Returns the server of an endpoint, without slashes at its end.
   *
   * @throws IllegalArgumentException for a URI that is no URL of HTTP, or has user, password or
   *     query
   */
  public static Url endpoint(URI uri) {
    Url url = Url.of(uri);
    if (uri.getRawUserInfo() != null || uri.getRawQuery() != null) {
      throw new IllegalArgumentException(
          "an endpoint must be without user, password and query: " + url.scheme() + "://...");
    }
    String path = url.path().endsWith("/") ? url.path().replaceAll("/+$", "") : url.path();
    return new Url(url.scheme(), url.authority(), path, null);
  }

  /**
   * Returns a store with connections of its own, or over the client of the application.
   *
   * @param client null for connections of its own
   * @throws IllegalArgumentException where a client was given and settings of connections too
   */
  public <S extends Store> S open(
      ConnectionSettings connections,
      @Nullable HttpClient client,
      ServiceSettings settings,
      ServiceIdentity identity,
      Maker<S> maker) {
    if (client != null) {
      connections.refuseAny();
      Mono<HttpClient> given =
          Mono.just(HttpConnections.prepared(client, settings.stallTimeout(), LEAST_SPEED));
      return maker.make(new ServiceRequests(() -> given, settings, identity), Mono.empty());
    }
    HttpConnections made = made(connections, settings);
    return maker.make(new ServiceRequests(made::client, settings, identity), made.close());
  }

  /**
   * Returns the store over the connections and the limit that all stores of this server with equal
   * options share. The last store that closes closes the connections.
   */
  public <S extends Store> Stores.Stack share(
      ConnectionSettings connections,
      StoreOptions options,
      ServiceSettings settings,
      ServiceIdentity identity,
      Maker<S> maker) {
    SharedResources.Lease<HttpConnections> lease =
        shared.lease(new Server(settings.endpoint(), options), () -> made(connections, settings));
    Supplier<Mono<HttpClient>> ready =
        () -> lease.isClosed() ? HttpConnections.refusal() : lease.resource().client();
    ServiceRequests requests = new ServiceRequests(ready, settings, identity);
    return Stores.stack(maker.make(requests, lease.close())).limit(lease.resource().limit());
  }

  /** Returns the number of servers with shared connections. */
  public int sharedServers() {
    return shared.size();
  }

  private static HttpConnections made(ConnectionSettings connections, ServiceSettings settings) {
    return new HttpConnections(
        connections, settings.endpoint().scheme().equals("https"), LEAST_SPEED);
  }

  /** The stores that share connections. */
  private record Server(Url endpoint, StoreOptions options) {
    /** The server, without secrets. */
    @Override
    public String toString() {
      return endpoint.toString();
    }
  }
}
