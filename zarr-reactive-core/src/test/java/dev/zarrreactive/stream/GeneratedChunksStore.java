package dev.zarrreactive.stream;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.store.AbstractStore;
import dev.zarrreactive.store.StoreCapability;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * A store with one array whose chunks are made up when they are asked for, each with its CRC-32C
 * behind it, and are never kept. Answers take two milliseconds.
 */
final class GeneratedChunksStore extends AbstractStore {
  private static final Duration LATENCY = Duration.ofMillis(2);

  private final int chunkBytes;
  private final Bytes document;
  private final Scheduler network = Schedulers.newSingle("network", true);
  private final AtomicLong issued = new AtomicLong();
  private final AtomicLong inFlight = new AtomicLong();
  private volatile long demanded;
  private final AtomicLong mostAhead = new AtomicLong();

  GeneratedChunksStore(int chunks, int chunkBytes) {
    this.chunkBytes = chunkBytes;
    this.document =
        Bytes.utf8(
            """
            {
              "zarr_format": 3,
              "node_type": "array",
              "shape": [%d],
              "data_type": "uint8",
              "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [%d]}},
              "chunk_key_encoding": {"name": "default"},
              "fill_value": 0,
              "codecs": [{"name": "bytes"}, {"name": "crc32c"}]
            }
            """
                .formatted((long) chunks * chunkBytes, chunkBytes));
  }

  @Override
  public Set<StoreCapability> capabilities() {
    return Set.of(StoreCapability.READ);
  }

  @Override
  public Mono<Bytes> get(StoreKey key) {
    if (!key.value().startsWith("c/")) {
      return key.value().equals("zarr.json") ? Mono.just(document) : Mono.empty();
    }
    int chunk = Integer.parseInt(key.value().substring(2));
    return Mono.defer(
        () -> {
          mostAhead.accumulateAndGet(issued.incrementAndGet() - demanded, Math::max);
          inFlight.incrementAndGet();
          return Mono.delay(LATENCY, network)
              .map(later -> Bytes.wrap(encoded(chunk)))
              .doFinally(end -> inFlight.decrementAndGet());
        });
  }

  /** Notes that so many chunks are demanded by now. */
  void demanded(long chunks) {
    demanded = chunks;
  }

  long issued() {
    return issued.get();
  }

  long inFlight() {
    return inFlight.get();
  }

  /** How far the requests were ahead of the demand, at the most. */
  long mostAhead() {
    return mostAhead.get();
  }

  /** The elements of a chunk: a simple generator, seeded with the chunk's number. */
  static byte[] elements(int chunk, int size, int spare) {
    byte[] elements = new byte[size + spare];
    ByteBuffer longs = ByteBuffer.wrap(elements).order(ByteOrder.LITTLE_ENDIAN);
    long state = chunk + 1;
    for (int i = 0; i < size; i += Long.BYTES) {
      state = state * 6364136223846793005L + 1442695040888963407L;
      longs.putLong(i, state);
    }
    return elements;
  }

  private byte[] encoded(int chunk) {
    byte[] encoded = elements(chunk, chunkBytes, Integer.BYTES);
    CRC32C crc = new CRC32C();
    crc.update(encoded, 0, chunkBytes);
    ByteBuffer.wrap(encoded)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(chunkBytes, (int) crc.getValue());
    return encoded;
  }
}
