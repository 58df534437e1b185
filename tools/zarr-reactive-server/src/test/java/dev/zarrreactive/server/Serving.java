package dev.zarrreactive.server;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Waiting;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/** A server over a store in memory, and a client of the JDK. */
final class Serving implements AutoCloseable {
  static final StoreKey KEY = StoreKey.of("a/c/0");
  static final int MOST = 64 << 10;

  final MemoryStore values = MemoryStore.create();
  final InstrumentedStore store = InstrumentedStore.of(values);
  final List<Throwable> failures = new CopyOnWriteArrayList<>();
  final RunningServer server;
  private final HttpClient client = HttpClient.newHttpClient();

  Serving() {
    this(UnaryOperator.identity());
  }

  Serving(UnaryOperator<ZarrServer> settings) {
    this(null, settings);
  }

  /** Serves another store than that in memory. */
  Serving(Store other, UnaryOperator<ZarrServer> settings) {
    ZarrServer set =
        ZarrServer.of(other == null ? store : other)
            .port(0)
            .limits(ServerLimits.defaults().withReadBytes(MOST))
            .onFailure((path, error) -> failures.add(error));
    server = Objects.requireNonNull(Waiting.await(settings.apply(set).start()));
  }

  /** Stores random bytes. */
  Bytes put(StoreKey key, int size) {
    byte[] random = new byte[size];
    new Random(size + 1L).nextBytes(random);
    Bytes value = Bytes.wrap(random);
    values.set(key, value).block();
    return value;
  }

  HttpResponse<byte[]> get(String path, String... headers) {
    return send("GET", path, headers);
  }

  HttpResponse<byte[]> send(String method, String path, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server.uri() + path))
            .version(HttpClient.Version.HTTP_1_1)
            .method(method, HttpRequest.BodyPublishers.noBody());
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    Waiting.await(server.close());
  }
}
