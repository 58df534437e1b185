package dev.zarrreactive.stream;

import static dev.zarrreactive.stream.GeneratedShardsStore.CHUNK_BYTES;
import static dev.zarrreactive.stream.GeneratedShardsStore.SHARDS;
import static dev.zarrreactive.stream.GeneratedShardsStore.SHARD_ELEMENTS;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.testing.JvmFigures;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;

/**
 * 64 readers stream 64 regions of an array of 8 GiB at once through one client; each third one
 * takes its time for each chunk. Run in a JVM of its own with a small heap; prints one figure a
 * line.
 */
final class SixtyFourReaders {
  static final long BUDGET = 48L << 20;
  static final int READERS = 64;
  static final int CHUNKS_OF_A_READER = 80;
  private static final Duration WORK = Duration.ofMillis(15);

  private SixtyFourReaders() {}

  public static void main(String[] arguments) throws InterruptedException {
    AtomicLong dropped = new AtomicLong();
    Hooks.onErrorDropped(error -> dropped.incrementAndGet());
    GeneratedShardsStore store = new GeneratedShardsStore();
    ZarrHierarchy client =
        Zarr.hierarchy(store, ZarrOptions.defaults().withMaxInFlightBytes(BUDGET));
    store.watch(client::bytesInFlight);
    ZarrArray array = client.openArray("").block();
    JvmFigures.print("heap_mib", Runtime.getRuntime().maxMemory() >> 20);
    JvmFigures.print("array_gib", array.shape().elementCount().longValue() >> 30);
    long start = System.nanoTime();
    Long right =
        Flux.range(0, READERS)
            .flatMap(reader -> checksum(reader, array).map(expected(reader)::equals), READERS)
            .filter(isRight -> isRight)
            .count()
            .block();
    JvmFigures.print("readers_with_the_right_checksum", right);
    JvmFigures.print("millis", (System.nanoTime() - start) / 1_000_000);
    JvmFigures.print("most_held", store.mostHeld());
    JvmFigures.print("most_under_way", store.mostUnderWay());
    JvmFigures.print("index_requests", store.indexRequests());
    JvmFigures.print("data_requests", store.dataRequests());
    JvmFigures.print("held_at_the_end", client.bytesInFlight());
    JvmFigures.print("under_way_at_the_end", store.bytesUnderWay());
    JvmFigures.print("errors_dropped", dropped.get());
  }

  /** Each reads of a shard of its own, some chunks from its middle. */
  private static Mono<Long> checksum(int reader, ZarrArray array) {
    long first = first(reader) * CHUNK_BYTES;
    Selection region =
        Selection.parse(first + ":" + (first + (long) CHUNKS_OF_A_READER * CHUNK_BYTES));
    Flux<Chunk> chunks = reader % 2 == 0 ? array.chunks(region) : array.chunksInOrder(region);
    Flux<Chunk> consumed =
        reader % 3 == 0 ? chunks.concatMap(chunk -> Mono.delay(WORK).thenReturn(chunk), 1) : chunks;
    return consumed.reduce(
        0L,
        (sum, chunk) -> sum + FourGiBStream.checksum((int) (start(chunk) / CHUNK_BYTES), chunk));
  }

  private static long start(Chunk chunk) {
    ResolvedSelection.Orthogonal place = (ResolvedSelection.Orthogonal) chunk.selection();
    return ((Axis.Range) place.axes().get(0)).start();
  }

  private static long first(int reader) {
    int shard = reader * 37 % SHARDS;
    return shard * (SHARD_ELEMENTS / CHUNK_BYTES) + 3L * reader;
  }

  private static Long expected(int reader) {
    byte[] elements = new byte[CHUNK_BYTES];
    long sum = 0;
    for (int i = 0; i < CHUNKS_OF_A_READER; i++) {
      int number = (int) first(reader) + i;
      GeneratedShardsStore.put(number, elements, 0);
      sum += FourGiBStream.checksum(number, elements, 0, CHUNK_BYTES);
    }
    return sum;
  }
}
