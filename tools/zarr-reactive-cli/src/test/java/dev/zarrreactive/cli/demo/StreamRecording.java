package dev.zarrreactive.cli.demo;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.observation.StoreObserver;
import dev.zarrreactive.observation.StoreOutcome;
import dev.zarrreactive.observation.StoreRequest;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.Stores;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/**
 * A read of the demonstration's map, chunk by chunk, in virtual time: when each chunk was
 * requested, arrived and was emitted. The subscriber takes a chunk, works on it, and asks for the
 * next; once it pauses.
 */
final class StreamRecording {
  /** The most chunks in flight and waiting. */
  static final int CONCURRENCY = 8;

  /** The chunk after which the subscriber pauses. */
  static final int PAUSED_AFTER = 20;

  static final int PAUSE_MILLIS = 3000;
  static final int WORK_MILLIS = 160;
  static final int LATENCY_MILLIS = 600;

  private static final String ARRAY = "earth/rgb";

  /**
   * The way of one chunk.
   *
   * @param row its place in the grid of chunks
   * @param column its place in the grid of chunks
   * @param requested when its request was sent, in milliseconds after the subscription
   * @param arrived when its bytes were there
   * @param emitted when the subscriber got it
   */
  record Journey(int row, int column, long requested, long arrived, long emitted) {}

  final List<Journey> journeys;
  final NdArray map;

  private StreamRecording(List<Journey> journeys, NdArray map) {
    this.journeys = journeys;
    this.map = map;
  }

  static StreamRecording make() {
    Store near = Objects.requireNonNull(DemoHierarchy.inMemory().block());
    NdArray map =
        Zarr.hierarchy(near).openArray(ARRAY).flatMap(a -> a.read(Selection.all())).block();
    VirtualTimeScheduler time = VirtualTimeScheduler.create();
    try {
      return new StreamRecording(journeys(near, time), Objects.requireNonNull(map));
    } finally {
      time.dispose();
    }
  }

  private static List<Journey> journeys(Store near, VirtualTimeScheduler time) {
    Times times = new Times(time);
    Store far = new DelayedStore(near, Duration.ofMillis(LATENCY_MILLIS), time);
    ZarrOptions options =
        ZarrOptions.defaults().withMaxConcurrency(CONCURRENCY).withCodecScheduler(time);
    ZarrArray[] opened = new ZarrArray[1];
    Zarr.hierarchy(Stores.observed(far, times), options)
        .openArray(ARRAY)
        .subscribe(array -> opened[0] = array);
    time.advanceTimeBy(Duration.ofSeconds(10));
    times.begun = time.now(TimeUnit.MILLISECONDS);
    List<Journey> journeys = new ArrayList<>();
    opened[0]
        .chunks(Selection.all())
        .doOnNext(chunk -> journeys.add(times.journey(chunk)))
        .concatMap(chunk -> work(journeys.size(), time).thenReturn(chunk), 0)
        .subscribe();
    time.advanceTimeBy(Duration.ofMinutes(10));
    return journeys;
  }

  private static Mono<Long> work(int chunks, VirtualTimeScheduler time) {
    return Mono.delay(Duration.ofMillis(chunks == PAUSED_AFTER ? PAUSE_MILLIS : WORK_MILLIS), time);
  }

  /** Notes when requests begin and end. */
  private static final class Times implements StoreObserver {
    private final VirtualTimeScheduler time;
    private final Map<String, Long> started = new HashMap<>();
    private final Map<String, Long> ended = new HashMap<>();
    private long begun;

    Times(VirtualTimeScheduler time) {
      this.time = time;
    }

    @Override
    public void onStart(StoreRequest request) {
      started.put(request.target(), now());
    }

    @Override
    public void onEnd(StoreRequest request, StoreOutcome outcome) {
      ended.put(request.target(), now());
    }

    private long now() {
      return time.now(TimeUnit.MILLISECONDS) - begun;
    }

    Journey journey(Chunk chunk) {
      int row = Math.toIntExact(chunk.index()[0]);
      int column = Math.toIntExact(chunk.index()[1]);
      String key = ARRAY + "/c/" + row + "/" + column + "/0";
      return new Journey(row, column, started.get(key), ended.get(key), now());
    }
  }
}
