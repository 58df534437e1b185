package dev.zarrreactive.read;

import static dev.zarrreactive.testing.TestArrays.counting;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.observation.StoreObserver;
import dev.zarrreactive.observation.StoreRequest;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.NothingIsDropped;
import dev.zarrreactive.testing.ProbeCodec;
import dev.zarrreactive.testing.TestArrays;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Which thread does what. */
@ExtendWith(NothingIsDropped.class)
class ThreadsTest {
  private static final int CORES = Runtime.getRuntime().availableProcessors();

  private final ProbeCodec probe = new ProbeCodec();
  private final ArrayMetadataBuilder metadata =
      TestArrays.metadata(500).compressors(ProbeCodec.configuration());

  @Test
  void chunks_are_coded_on_codec_threads_whichever_threads_subscribe_and_answer() {
    InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());
    ZarrArray array =
        TestArrays.counting(metadata, store, ZarrOptions.defaults().withCodecs(probe.registry()));
    array.read(Selection.all()).block();
    store.delay(Duration.ofMillis(1)); // answers come from Reactor's timers
    array.read(Selection.all()).subscribeOn(Schedulers.parallel()).block();
    array.write(Selection.parse("1:-1"), counting(Shape.of(1998))).block();
    array.chunks(Selection.all()).blockLast();
    array.readChunk(3).block();
    assertThat(probe.calls()).isGreaterThan(2_500);
    assertThat(probe.threads()).allMatch(thread -> thread.startsWith("zarr-codec-"));
    assertThat(probe.threads()).hasSizeLessThanOrEqualTo(CORES);
  }

  @Test
  void what_is_read_arrives_on_a_codec_thread() {
    InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());
    ZarrArray array = TestArrays.row(50, store, ZarrOptions.defaults());
    store.delay(Duration.ofNanos(500_000));
    Set<String> threads = new ConcurrentSkipListSet<>();
    Runnable note = () -> threads.add(Thread.currentThread().getName());
    array.read(Selection.all()).doOnSuccess(read -> note.run()).block();
    array.chunks(Selection.all()).doOnNext(chunk -> note.run()).doOnComplete(note).blockLast();
    array.chunksInOrder(Selection.all()).doOnNext(chunk -> note.run()).blockLast();
    array.readChunk(1).doOnSuccess(read -> note.run()).block();
    array.readEncodedChunk(1).doOnSuccess(read -> note.run()).block();
    array.write(Selection.all(), counting(Shape.of(200))).doOnSuccess(v -> note.run()).block();
    assertThat(threads).allMatch(thread -> thread.startsWith("zarr-codec-"));
  }

  @Test
  void the_user_s_scheduler_is_used_and_left_alone() {
    Scheduler mine = Schedulers.newParallel("mine", 2, true);
    ZarrArray array =
        TestArrays.counting(
            metadata,
            MemoryStore.create(),
            ZarrOptions.defaults().withCodecs(probe.registry()).withCodecScheduler(mine));
    array.read(Selection.all()).block();
    assertThat(probe.threads()).isNotEmpty().allMatch(thread -> thread.startsWith("mine-"));
    assertThat(mine.isDisposed()).isFalse();
    mine.dispose();
  }

  @Test
  void reading_many_chunks_takes_few_threads() {
    InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());
    TestArrays.row(2_000, store, ZarrOptions.defaults());
    store.delay(Duration.ofMillis(2));
    Set<String> threads = new ConcurrentSkipListSet<>();
    StoreObserver observer =
        new StoreObserver() {
          @Override
          public void onStart(StoreRequest request) {
            threads.add(Thread.currentThread().getName());
          }
        };
    ZarrArray array = TestArrays.open(Stores.observed(store, observer), ZarrOptions.defaults());
    array
        .chunks(Selection.all())
        .doOnNext(chunk -> threads.add(Thread.currentThread().getName()))
        .blockLast();
    assertThat(threads).hasSizeLessThanOrEqualTo(2 * CORES + 1); // codecs, answers, this one
  }

  @Test
  void everything_may_be_subscribed_to_where_nothing_may_block(@TempDir Path directory) {
    for (Store store : new Store[] {MemoryStore.create(), FileSystemStore.open(directory)}) {
      Mono<NdArray> everything =
          Zarr.hierarchy(store)
              .createGroup("g")
              .flatMap(
                  group ->
                      group.createArray("a", TestArrays.metadata(20).compressors(gzip()).build()))
              .flatMap(
                  array ->
                      array
                          .write(Selection.all(), counting(array.shape()))
                          .then(
                              array.write(
                                  Selection.parse("1"),
                                  NdArray.ofInts(array.dataType(), Shape.SCALAR, -2)))
                          .then(array.chunks(Selection.all()).then())
                          .then(array.updateAttributes(old -> old.with("unit", "m"))))
              .flatMap(array -> Zarr.hierarchy(array.store()).openGroup("/"))
              .flatMapMany(root -> root.tree())
              .ofType(ZarrArray.class)
              .flatMap(array -> array.read(Selection.parse(":3")))
              .single()
              .subscribeOn(Schedulers.parallel());
      assertThat(everything.block(Duration.ofSeconds(60)).toIntArray()).containsExactly(1, -2, 3);
    }
  }

  private static NamedConfiguration gzip() {
    return NamedConfiguration.of("gzip", JsonObject.EMPTY.with("level", 1));
  }
}
