package dev.zarrreactive.service;

import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** The sample of docs/virtual-threads.md; skipped on a Java without virtual threads. */
class VirtualThreadsSamplesTest {
  private static final int THREADS = 200;

  /** Returns an executor of Java 21, whose method Java 17 lacks. */
  private static ExecutorService virtualThreads() throws ReflectiveOperationException {
    assumeTrue(Runtime.version().feature() >= 21, "virtual threads need Java 21 or later");
    return (ExecutorService)
        Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
  }

  @Test
  void many_virtual_threads_wait_for_reads() throws Exception {
    InstrumentedStore store = InstrumentedStore.of(Earth.store());
    ExecutorService executor = virtualThreads();
    HeldRequests held = store.hold(request -> request.target().startsWith("earth/relief/c/"));
    ZarrHierarchy hierarchy = Zarr.hierarchy(store);
    List<Integer> rows = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      rows.add(i);
    }
    // docs: virtual-threads
    ZarrArray relief = hierarchy.openArray("earth/relief").block();
    List<Future<NdArray>> results = new ArrayList<>();
    for (int row : rows) {
      results.add(
          executor.submit(() -> relief.read(row + ", :").block())); // a virtual thread waits
    }
    // docs: end
    eventually("the store is asked", () -> held.waiting() > 0);
    assertThat(results).noneMatch(Future::isDone);
    held.release();
    NdArray all = relief.read(":" + THREADS + ", :").block();
    for (int row : rows) {
      assertThat(results.get(row).get().toFloatArray())
          .isEqualTo(all.slice(Selection.parse(row + ", :")).toFloatArray());
    }
    executor.shutdown();
  }

  @Test
  void an_interrupted_thread_cancels_its_read() throws Exception {
    InstrumentedStore store = InstrumentedStore.of(Earth.store());
    ExecutorService executor = virtualThreads();
    ZarrArray relief = Zarr.hierarchy(store).openArray("earth/relief").block();
    HeldRequests held = store.hold(request -> true);
    Future<NdArray> read = executor.submit(() -> relief.read().block());
    eventually("the store is asked", () -> held.waiting() > 0);
    read.cancel(true);
    eventually("the requests are cancelled", () -> store.counts().inFlight() == 0);
    executor.shutdown();
  }
}
