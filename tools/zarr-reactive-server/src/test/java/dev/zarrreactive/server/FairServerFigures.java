package dev.zarrreactive.server;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.store.AbstractStore;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.testing.SlowAndQuickClients;
import dev.zarrreactive.testing.Waiting;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import reactor.core.publisher.Mono;

/**
 * Prints how long small slices and values take alone, and beside slow clients of large ones. A
 * program for {@code docs/serving.md}, not a test; for a JVM with {@code -Xmx256m}, clients and
 * server together. With the argument {@code values} the slow clients read values in place of
 * slices; with {@code tell} it prints what becomes of each client, for {@link SlowReadersTest}.
 */
final class FairServerFigures {
  private static final int CHUNKS = 48;
  private static final int CHUNK_BYTES = 4 << 20;

  /** An array whose chunks are made when they are requested, and some large values. */
  private static final class Generated extends AbstractStore {
    private static final Bytes DOCUMENT =
        Bytes.utf8(
            """
            {
              "zarr_format": 3,
              "node_type": "array",
              "shape": [%d, %d],
              "data_type": "uint8",
              "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [1, %d]}},
              "chunk_key_encoding": {"name": "default"},
              "fill_value": 0,
              "codecs": [{"name": "bytes"}]
            }
            """
                .formatted(CHUNKS, CHUNK_BYTES, CHUNK_BYTES));

    @Override
    public Set<StoreCapability> capabilities() {
      return Set.of(StoreCapability.READ, StoreCapability.PARTIAL_READ);
    }

    @Override
    public Mono<Bytes> get(StoreKey key) {
      String name = key.value();
      return name.equals("t2m/zarr.json")
          ? Mono.just(DOCUMENT)
          : name.startsWith("t2m/c/")
              ? Mono.fromSupplier(() -> filled(CHUNK_BYTES))
              : name.startsWith("small/") ? Mono.fromSupplier(() -> filled(1000)) : Mono.empty();
    }

    @Override
    public Mono<Bytes> get(StoreKey key, ByteRange range) {
      return get(key).map(value -> range.of(key, value));
    }

    private static Bytes filled(int size) {
      byte[] bytes = new byte[size];
      Arrays.fill(bytes, (byte) 7);
      return Bytes.wrap(bytes);
    }
  }

  private FairServerFigures() {}

  /** Runs them. */
  public static void main(String... arguments) throws InterruptedException {
    boolean values = arguments.length > 0 && arguments[0].equals("values");
    boolean tells = arguments.length > 0 && arguments[0].equals("tell");
    ServerLimits limits = ServerLimits.defaults();
    RunningServer server =
        Objects.requireNonNull(
            Waiting.await(
                ZarrServer.of(new Generated())
                    .port(0)
                    .limits(
                        tells
                            ? limits
                                .withMaxWait(Duration.ofSeconds(2))
                                .withStallTimeout(Duration.ofMinutes(10))
                            : limits)
                    .start()));
    SlowAndQuickClients clients =
        new SlowAndQuickClients(
            server.port(),
            values ? "/t2m/c/3/0" : "/api/t2m/slice?format=raw",
            values
                ? number -> "/small/" + number
                : number -> "/api/t2m/slice?format=raw&select=" + number + ",0:1000");
    if (tells) {
      clients.tell();
      Waiting.eventually(
          "nothing is held", () -> server.requestsUnderWay() + server.heldBytes() == 0);
      System.out.println("nothing is held");
      System.exit(0);
    }
    clients.run();
    System.out.printf(
        "after all have left: %d requests under way, %d bytes of values held%n",
        server.requestsUnderWay(), server.heldBytes());
    System.exit(0);
  }
}
