package dev.zarrreactive.benchmarks.network;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.benchmarks.latency.FarArrays;
import dev.zarrreactive.benchmarks.latency.Stopwatch;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.memory.MemoryStore;
import java.time.Duration;
import java.util.Objects;
import java.util.function.UnaryOperator;

/** A row of chunks of float32 on a server of this process, with sockets between. */
final class ServedArray implements AutoCloseable {
  /** How long an answer takes that is not late. */
  static final int MILLIS = 50;

  static final Fault FAR = Fault.delay(Duration.ofMillis(MILLIS));

  /** Longer than any run. */
  static final Duration NEVER = Duration.ofMinutes(5);

  final FaultyServer server;
  final int chunks;
  final int chunkBytes;
  private final Transport transport;

  ServedArray(Transport transport, int chunks, int chunkBytes) {
    this.transport = transport;
    this.chunks = chunks;
    this.chunkBytes = chunkBytes;
    Store values = MemoryStore.create();
    StorePrefix room = StorePrefix.of(Transport.ROOM + "/");
    FarArrays.row(Stores.prefixed(values, room), chunks, chunkBytes / Float.BYTES);
    this.server = FaultyServer.of(values);
  }

  long bytes() {
    return (long) chunks * chunkBytes;
  }

  /** Milliseconds that a client takes to read all, which knows nothing but the metadata. */
  double read(Fault fault, Duration stall, UnaryOperator<Store> decorated) {
    Store store = transport.opening().open(server.uri(), stall, Transport.CONNECTIONS);
    try {
      return read(fault, decorated.apply(store));
    } finally {
      store.close().block();
    }
  }

  /** Milliseconds that it takes to read all; the server counts from here. */
  double read(Fault fault, Store store) {
    server.misbehave(Fault.NONE);
    ZarrArray array =
        Objects.requireNonNull(Zarr.hierarchy(store).openArray(FarArrays.PATH).block());
    server.misbehave(fault);
    server.forget();
    return Stopwatch.once(array.read(Selection.all()));
  }

  /** Opens a store for the floor, with connections of its own. The caller closes it. */
  Store opened() {
    return transport.opening().open(server.uri(), NEVER, transport.connections());
  }

  @Override
  public void close() {
    server.close();
  }
}
