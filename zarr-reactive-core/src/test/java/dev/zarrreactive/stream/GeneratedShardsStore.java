package dev.zarrreactive.stream;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.store.AbstractStore;
import dev.zarrreactive.store.StoreCapability;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.zip.CRC32C;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * A store with one array of 8 GiB in shards of 128 MiB whose bytes are made up range by range: 512
 * inner chunks of 256 KiB, each with its CRC-32C behind it, and the index. No whole shard is ever
 * made. Answers take two milliseconds. Whenever a request begins or is answered, the store looks at
 * what its client holds.
 */
final class GeneratedShardsStore extends AbstractStore {
  static final int SHARDS = 64;
  static final int CHUNKS = 512;
  static final int CHUNK_BYTES = 1 << 18;
  static final long SHARD_ELEMENTS = (long) CHUNKS * CHUNK_BYTES;
  private static final int ENCODED_BYTES = CHUNK_BYTES + Integer.BYTES;
  private static final int INDEX_BYTES = CHUNKS * 2 * Long.BYTES + Integer.BYTES;
  private static final Duration LATENCY = Duration.ofMillis(2);
  private static final String DOCUMENT =
      """
      {
        "zarr_format": 3,
        "node_type": "array",
        "shape": [%d],
        "data_type": "uint8",
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [%d]}},
        "chunk_key_encoding": {"name": "default"},
        "fill_value": 0,
        "codecs": [{
          "name": "sharding_indexed",
          "configuration": {
            "chunk_shape": [%d],
            "codecs": [{"name": "bytes"}, {"name": "crc32c"}],
            "index_codecs": [
              {"name": "bytes", "configuration": {"endian": "little"}}, {"name": "crc32c"}],
            "index_location": "end"
          }
        }]
      }
      """
          .formatted(SHARDS * SHARD_ELEMENTS, SHARD_ELEMENTS, CHUNK_BYTES);

  private final Scheduler network = Schedulers.newSingle("network", true);
  private final Bytes index = index();
  private final AtomicInteger indexRequests = new AtomicInteger();
  private final AtomicInteger dataRequests = new AtomicInteger();
  private final AtomicLong bytesUnderWay = new AtomicLong();
  private final AtomicLong mostUnderWay = new AtomicLong();
  private final AtomicLong mostHeld = new AtomicLong();
  private volatile LongSupplier held = () -> 0;

  /** Looks at this from now on. */
  void watch(LongSupplier heldByTheClient) {
    held = heldByTheClient;
  }

  int indexRequests() {
    return indexRequests.get();
  }

  int dataRequests() {
    return dataRequests.get();
  }

  /** The most bytes that were asked for and not yet answered at a time. */
  long mostUnderWay() {
    return mostUnderWay.get();
  }

  /** The most bytes that the client held when a request began or was answered. */
  long mostHeld() {
    return mostHeld.get();
  }

  long bytesUnderWay() {
    return bytesUnderWay.get();
  }

  @Override
  public Set<StoreCapability> capabilities() {
    return Set.of(StoreCapability.READ, StoreCapability.PARTIAL_READ);
  }

  @Override
  public Mono<Bytes> get(StoreKey key) {
    return switch (key.value()) {
      case "zarr.json" -> Mono.just(Bytes.utf8(DOCUMENT));
      default ->
          key.value().startsWith("c/")
              ? Mono.error(new AssertionError("nobody may ask for a whole shard: " + key))
              : Mono.empty();
    };
  }

  @Override
  public Mono<Bytes> get(StoreKey key, ByteRange range) {
    if (range instanceof ByteRange.Whole) {
      return get(key);
    }
    int shard = Integer.parseInt(key.value().substring(2));
    if (range instanceof ByteRange.Suffix suffix && suffix.length() == INDEX_BYTES) {
      return answered(indexRequests, INDEX_BYTES, () -> index);
    }
    if (range instanceof ByteRange.Slice slice
        && slice.offset() % ENCODED_BYTES == 0
        && slice.length() % ENCODED_BYTES == 0) {
      int first = (int) (slice.offset() / ENCODED_BYTES);
      int count = (int) (slice.length() / ENCODED_BYTES);
      return answered(dataRequests, slice.length(), () -> chunks(shard, first, count));
    }
    return Mono.error(new AssertionError("neither the index nor inner chunks: " + range));
  }

  private Mono<Bytes> answered(AtomicInteger count, long bytes, Supplier<Bytes> answer) {
    return Mono.defer(
        () -> {
          count.incrementAndGet();
          mostUnderWay.accumulateAndGet(bytesUnderWay.addAndGet(bytes), Math::max);
          look();
          return Mono.delay(LATENCY, network)
              .map(later -> answer.get())
              .doOnNext(made -> look())
              .doFinally(end -> bytesUnderWay.addAndGet(-bytes));
        });
  }

  private void look() {
    mostHeld.accumulateAndGet(held.getAsLong(), Math::max);
  }

  private static Bytes chunks(int shard, int first, int count) {
    byte[] encoded = new byte[count * ENCODED_BYTES];
    for (int i = 0; i < count; i++) {
      put(number(shard, first + i), encoded, i * ENCODED_BYTES);
      check(encoded, i * ENCODED_BYTES, CHUNK_BYTES);
    }
    return Bytes.wrap(encoded);
  }

  /** The number of an inner chunk in the array. */
  static int number(int shard, int chunk) {
    return shard * CHUNKS + chunk;
  }

  /** The elements of an inner chunk: a simple generator, seeded with its number. */
  static void put(int number, byte[] target, int at) {
    ByteBuffer longs = ByteBuffer.wrap(target).order(ByteOrder.LITTLE_ENDIAN);
    long state = number + 1;
    for (int i = at; i < at + CHUNK_BYTES; i += Long.BYTES) {
      state = state * 6364136223846793005L + 1442695040888963407L;
      longs.putLong(i, state);
    }
  }

  private static Bytes index() {
    byte[] encoded = new byte[INDEX_BYTES];
    ByteBuffer words = ByteBuffer.wrap(encoded).order(ByteOrder.LITTLE_ENDIAN);
    for (int chunk = 0; chunk < CHUNKS; chunk++) {
      words.putLong((long) chunk * ENCODED_BYTES).putLong(ENCODED_BYTES);
    }
    check(encoded, 0, INDEX_BYTES - Integer.BYTES);
    return Bytes.wrap(encoded);
  }

  /** Puts the checksum of some bytes behind them. */
  private static void check(byte[] bytes, int at, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, at, length);
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(at + length, (int) crc.getValue());
  }
}
