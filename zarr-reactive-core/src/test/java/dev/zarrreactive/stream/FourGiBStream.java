package dev.zarrreactive.stream;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.testing.JvmFigures;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;

/**
 * Streams an array of 4 GiB to a consumer that takes its time for each chunk, then streams it again
 * and cancels. Run in a JVM of its own with a small heap; prints one figure a line.
 */
final class FourGiBStream {
  static final int CHUNKS = 4096;
  static final int CHUNK_BYTES = 1 << 20;
  private static final Duration WORK = Duration.ofNanos(500_000);
  private static final int CANCEL_AFTER = 200;

  private FourGiBStream() {}

  public static void main(String[] arguments) throws InterruptedException {
    AtomicLong dropped = new AtomicLong();
    Hooks.onErrorDropped(error -> dropped.incrementAndGet());
    GeneratedChunksStore store = new GeneratedChunksStore(CHUNKS, CHUNK_BYTES);
    ZarrArray array = Zarr.hierarchy(store).openArray("/").block();
    JvmFigures.print("heap_mib", Runtime.getRuntime().maxMemory() >> 20);
    stream(array, store);
    JvmFigures.print("most_ahead_of_demand", store.mostAhead());
    cancel(array, store);
    JvmFigures.print("errors_dropped", dropped.get());
  }

  private static void stream(ZarrArray array, GeneratedChunksStore store) {
    long start = System.nanoTime();
    AtomicLong bytes = new AtomicLong();
    Long checksum =
        consumed(array, store)
            .doOnNext(chunk -> bytes.addAndGet(chunk.data().bytes().size()))
            .reduce(0L, (sum, chunk) -> sum + checksum((int) chunk.index()[0], chunk))
            .block();
    JvmFigures.print("bytes", bytes.get());
    JvmFigures.print("checksum", checksum);
    JvmFigures.print("requests", store.issued());
    JvmFigures.print("in_flight_at_the_end", store.inFlight());
    JvmFigures.print("millis", (System.nanoTime() - start) / 1_000_000);
  }

  /** The chunks, each after the consumer has had its time for it; it asks for one at a time. */
  private static Flux<Chunk> consumed(ZarrArray array, GeneratedChunksStore store) {
    AtomicLong demanded = new AtomicLong();
    return array
        .chunks(Selection.all())
        .doOnRequest(n -> store.demanded(demanded.addAndGet(n)))
        .concatMap(chunk -> Mono.delay(WORK).thenReturn(chunk), 1);
  }

  private static void cancel(ZarrArray array, GeneratedChunksStore store)
      throws InterruptedException {
    consumed(array, store).take(CANCEL_AFTER).blockLast();
    long issued = store.issued();
    JvmFigures.print("requests_until_cancel", issued - CHUNKS);
    for (int quiet = 0; quiet < 10; quiet = codecThreadsAtWork() == 0 ? quiet + 1 : 0) {
      Thread.sleep(1); // without end where they work on, which the test's timeout notices
    }
    JvmFigures.print("in_flight_after_cancel", store.inFlight());
    JvmFigures.print("requests_after_cancel", store.issued() - issued);
  }

  private static long codecThreadsAtWork() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("zarr-codec"))
        .filter(thread -> thread.getState() == Thread.State.RUNNABLE)
        .count();
  }

  /** Depends on the chunk's content and on its place, not on the order of the chunks. */
  static long checksum(int index, Chunk chunk) {
    Bytes bytes = chunk.data().bytes();
    return checksum(index, bytes.unsafeArray(), bytes.unsafeOffset(), bytes.size());
  }

  static long checksum(int index, byte[] array, int offset, int size) {
    CRC32 crc = new CRC32();
    crc.update(array, offset, size);
    return (index + 1) * crc.getValue();
  }
}
