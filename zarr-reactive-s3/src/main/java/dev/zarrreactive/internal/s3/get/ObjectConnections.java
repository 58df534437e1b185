package dev.zarrreactive.internal.s3.get;

import dev.zarrreactive.internal.http.ConnectionSettings;
import dev.zarrreactive.internal.http.HttpConnections;
import dev.zarrreactive.internal.transfer.TransferSettings;
import dev.zarrreactive.store.credential.TlsMaterial;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider.MeterRegistrar;

/** The connections of reads, which the first read makes. */
public final class ObjectConnections {
  private final HttpConnections connections;
  private final UnaryOperator<HttpClient> decoration;

  /**
   * Connections for one store, or for the stores that share a client.
   *
   * @param tls the certificates; null for those of the system
   * @param counter counts connections, for tests; null for none
   * @param decoration of the client, for tests
   */
  public ObjectConnections(
      TransferSettings transfer,
      @Nullable TlsMaterial tls,
      @Nullable MeterRegistrar counter,
      UnaryOperator<HttpClient> decoration) {
    ConnectionSettings settings = new ConnectionSettings(transfer);
    settings.setTls(tls);
    settings.counter = counter;
    this.connections = new HttpConnections(settings, true, 0);
    this.decoration = decoration;
  }

  Mono<HttpClient> client() {
    return connections.client().map(decoration);
  }

  /** Emits true when the client is made. */
  public Mono<Boolean> make() {
    return connections.client().map(client -> true);
  }

  /** Closes the connections; reads in flight fail. */
  public Mono<Void> close() {
    return connections.close();
  }
}
