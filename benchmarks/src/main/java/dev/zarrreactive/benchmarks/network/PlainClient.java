package dev.zarrreactive.benchmarks.network;

import dev.zarrreactive.benchmarks.latency.FarArrays;
import io.netty.buffer.ByteBuf;
import java.net.URI;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/** Fetches the same chunks over as many connections, and throws away what comes. */
final class PlainClient implements AutoCloseable {
  private final int connections;
  private final ConnectionProvider pool;
  private final HttpClient client;
  private final URI chunks;

  PlainClient(URI server, int connections) {
    this.connections = connections;
    this.pool =
        ConnectionProvider.builder("plain")
            .maxConnections(connections)
            .pendingAcquireMaxCount(-1)
            .build();
    this.client = HttpClient.create(pool);
    this.chunks = server.resolve("/" + Transport.ROOM + "/" + FarArrays.PATH + "/c/");
  }

  /** Fetches the chunks of a row; how many bytes came. */
  Mono<Long> fetch(int count) {
    return Flux.range(0, count)
        .flatMap(
            index ->
                client
                    .get()
                    .uri(chunks.resolve(String.valueOf(index)))
                    .responseContent()
                    .map(ByteBuf::readableBytes)
                    .reduce(0L, Long::sum),
            connections)
        .reduce(0L, Long::sum);
  }

  @Override
  public void close() {
    pool.dispose();
  }
}
