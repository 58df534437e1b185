package dev.zarrreactive.faults;

import static dev.zarrreactive.faults.FaultTrial.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.store.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Stream;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;

/**
 * Reads that are cancelled at any moment: the store works on, its pool is empty in the end, and no
 * error goes into Reactor's log.
 */
public final class CancelledReads implements AutoCloseable {
  /** The key of the value on the server; the first segment may be a bucket. */
  public static final StoreKey PLACE = StoreKey.of("data/a");

  private static final int AT_A_TIME = 8;
  private static final int ROUNDS = 400;
  private static final int ROUNDS_BETWEEN_LOOKS = 20;

  /** The latest cancel. A read is shorter: a cancel comes before, in or after a read. */
  private static final int MOST_NANOS = 400_000;

  private static final List<Fault> FAULTS =
      List.of(
          Fault.NONE,
          Fault.delay(Duration.ofMillis(1)),
          Fault.delay(Duration.ofMillis(2)),
          Fault.stallAfter(0),
          Fault.stallAfter(10_000));

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Random random = new Random(5);
  private final Bytes value = Bytes.wrap(new byte[20_000]);
  private final StoreKey key;
  private final FaultyServer server;
  private final Connected connected;

  /**
   * Reads with the client of a new server.
   *
   * @param key the name of {@link #PLACE} in the store of the client
   */
  public CancelledReads(StoreKey key, Function<FaultyServer, Connected> client) {
    this.key = key;
    MemoryStore values = MemoryStore.create();
    values.set(PLACE, value).block();
    this.server = FaultyServer.of(values);
    this.connected = client.apply(server);
  }

  /** Reads and cancels; fails where an error was dropped, or a value is wrong. */
  public void areSurvived() {
    Queue<Throwable> dropped = new ConcurrentLinkedQueue<>();
    Hooks.onErrorDropped(dropped::add);
    try {
      for (int round = 0; round < ROUNDS; round++) {
        if (round % ROUNDS_BETWEEN_LOOKS == 0) {
          server.misbehave(FAULTS.get(random.nextInt(FAULTS.size())));
        }
        readAndCancel();
        if ((round + 1) % ROUNDS_BETWEEN_LOOKS == 0) {
          eventually("requests under way", PATIENCE, () -> server.underWay() == 0);
          eventually("busy connections", PATIENCE, () -> connected.busyConnections() == 0);
          server.misbehave(Fault.NONE);
          readWhole();
        }
      }
    } finally {
      Hooks.resetOnErrorDropped();
    }
    assertThat(dropped).as("errors that reached no subscriber").isEmpty();
  }

  private void readAndCancel() {
    List<Disposable> reads =
        Stream.generate(() -> connected.store().get(key).subscribe()).limit(AT_A_TIME).toList();
    for (Disposable read : reads) {
      LockSupport.parkNanos(random.nextInt(MOST_NANOS));
      read.dispose();
    }
  }

  private void readWhole() {
    List<Bytes> all =
        Flux.range(0, 2 * AT_A_TIME)
            .flatMap(i -> connected.store().get(key), 2 * AT_A_TIME)
            .collectList()
            .block(PATIENCE);
    assertThat(all).hasSize(2 * AT_A_TIME).containsOnly(value);
  }

  @Override
  public void close() {
    connected.close();
    server.close();
  }
}
