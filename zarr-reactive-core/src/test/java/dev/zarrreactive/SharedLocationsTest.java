package dev.zarrreactive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.observation.InFlightBytes;
import dev.zarrreactive.observation.StoreRequest;
import dev.zarrreactive.observation.ZarrObserver;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.store.zip.NewZipStore;
import dev.zarrreactive.store.zip.ZipStore;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** What nodes have in common that are opened by their location. */
class SharedLocationsTest {
  private static final int CHUNK = 1000;
  private static final int CHUNKS = 32;

  @TempDir Path directory;

  private final AtomicLong opened = new AtomicLong();

  private static <T> T await(Mono<T> mono) {
    return mono.subscribeOn(Schedulers.parallel()).block(Duration.ofSeconds(30));
  }

  /** Keeps the bounds of the hierarchies that it is told of, and the most bytes that were held. */
  private static final class Watch implements ZarrObserver {
    final List<InFlightBytes> bounds = new ArrayList<>();
    final AtomicLong most = new AtomicLong();

    @Override
    public synchronized void onOpen(InFlightBytes bytes) {
      bounds.add(bytes);
    }

    @Override
    public void onStart(StoreRequest request) {
      most.accumulateAndGet(held(), Math::max);
    }

    synchronized long held() {
      return bounds.stream().distinct().mapToLong(InFlightBytes::held).sum();
    }
  }

  private String array(String name) {
    String place = directory.resolve(name).toString();
    ArrayMetadata metadata =
        ArrayMetadata.v3(Shape.of((long) CHUNK * CHUNKS), DataTypes.UINT8)
            .chunkShape(CHUNK)
            .uncompressed()
            .build();
    await(Zarr.at(place).createArray(metadata).flatMap(array -> array.write(Selection.all(), 7L)));
    return place;
  }

  private static Mono<ZarrArray> open(String place, ZarrOptions options) {
    return Zarr.at(place).withOptions(options).openArray();
  }

  @Test
  void nodes_at_one_location_share_a_store() {
    String place = array("a");
    ZarrArray first = await(Zarr.at(place).openArray());
    assertThat(await(Zarr.at(place).openArray()).store()).isSameAs(first.store());
    assertThat(await(Zarr.at(directory.resolve("a").toUri().toString()).open()).store())
        .isSameAs(first.store());
    assertThat(await(Zarr.at(place).hierarchy()).store()).isSameAs(first.store());
    assertThat(await(Zarr.at(array("b")).openArray()).store()).isNotSameAs(first.store());
    assertThat(await(Zarr.at(place).store())).as("a store of its own").isNotSameAs(first.store());
  }

  @Test
  void many_arrays_by_their_locations_hold_no_more_bytes_than_one_may() {
    Watch watch = new Watch();
    long bound = 8 * CHUNK;
    ZarrOptions options = ZarrOptions.defaults().withMaxInFlightBytes(bound).withObserver(watch);
    List<ZarrArray> arrays = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      arrays.add(await(open(array("a" + i), options)));
    }
    assertThat(watch.bounds).hasSize(20).containsOnly(watch.bounds.get(0));
    assertThat(watch.bounds.get(0).most()).isEqualTo(bound);
    List<Long> sums =
        await(
            Flux.fromIterable(arrays)
                .flatMap(
                    array ->
                        array
                            .chunks(Selection.all())
                            .map(chunk -> sum(chunk.data()))
                            .reduce(Long::sum),
                    20)
                .collectList());
    assertThat(sums).hasSize(20).containsOnly(7L * CHUNK * CHUNKS);
    assertThat(watch.most).hasValueBetween((long) CHUNK, bound);
    assertThat(watch.held()).isZero();
  }

  private static long sum(NdArray data) {
    long sum = 0;
    for (short value : data.toShortArray()) {
      sum += value;
    }
    return sum;
  }

  @Test
  void streams_that_have_stopped_keep_room_for_the_arrays_of_other_locations() {
    Watch watch = new Watch();
    ZarrOptions options =
        ZarrOptions.defaults().withMaxInFlightBytes(64L * CHUNK).withObserver(watch);
    Disposable.Composite stopped = Disposables.composite();
    for (int i = 0; i < 5; i++) {
      BaseSubscriber<Object> subscriber =
          new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(org.reactivestreams.Subscription subscription) {
              subscription.request(1);
            }
          };
      stopped.add(subscriber);
      await(open(array("s" + i), options)).chunks(Selection.all()).subscribe(subscriber);
    }
    NdArray all = await(await(open(array("r"), options)).read(Selection.all()));
    assertThat(sum(all)).isEqualTo(7L * CHUNK * CHUNKS);
    stopped.dispose();
    assertThat(watch.bounds).hasSize(6).containsOnly(watch.bounds.get(0));
  }

  @Test
  void other_bounds_and_hierarchies_of_stores_share_nothing() {
    Watch watch = new Watch();
    ZarrOptions options = ZarrOptions.defaults().withMaxInFlightBytes(5_000).withObserver(watch);
    String place = array("a");
    ZarrArray array = await(open(place, options));
    ZarrArray other = await(open(place, options.withMaxInFlightBytes(6_000)));
    ZarrArray sameAgain = other.withOptions(options.withDecodedChunkCache(1000));
    ZarrHierarchy own = Zarr.hierarchy(array.store(), options);
    ZarrArray ofAStore =
        await(Zarr.hierarchy(MemoryStore.create()).openArray("a").onErrorComplete());
    assertThat(watch.bounds).hasSize(4);
    assertThat(watch.bounds.get(1)).isNotSameAs(watch.bounds.get(0));
    assertThat(watch.bounds.get(2)).as("withOptions").isSameAs(watch.bounds.get(0));
    assertThat(watch.bounds.get(3)).isNotSameAs(watch.bounds.get(0));
    assertThat(ofAStore).isNull();
    Reference.reachabilityFence(List.of(array, other, sameAgain, own));
  }

  @Test
  void an_archive_is_opened_anew_each_time() {
    Path file = directory.resolve("a.zip");
    NewZipStore zip = ZipStore.create(file);
    await(Zarr.hierarchy(zip).createGroup("").then(zip.close()));
    Store first = await(Zarr.at(file.toString()).openGroup()).store();
    assertThat(await(Zarr.at(file.toString()).openGroup()).store()).isNotSameAs(first);
  }

  @Test
  void a_location_is_forgotten_when_nothing_of_it_is_in_use() throws InterruptedException {
    SharedLocations locations = new SharedLocations();
    String used = directory.resolve("used").toString();
    Store store = await(locations.store(used, StoreOptions.none()));
    await(locations.store(directory.resolve("unused").toString(), StoreOptions.none()));
    while (locations.size() > 1) { // until the collector has been there
      System.gc();
      Thread.sleep(1);
    }
    assertThat(await(locations.store(used, StoreOptions.none()))).isSameAs(store);
  }

  @Test
  void opens_at_the_same_time_get_one_store() {
    SharedLocations locations = new SharedLocations();
    String place = directory.resolve("a").toString();
    List<Store> stores =
        await(
            Flux.range(0, 64)
                .flatMap(
                    i ->
                        locations
                            .store(place, StoreOptions.none())
                            .subscribeOn(Schedulers.parallel()),
                    64)
                .collectList());
    assertThat(stores).hasSize(64).allMatch(each -> each == stores.get(0));
  }

  @Test
  void an_observer_may_wait_for_another_open() {
    String place = array("a");
    ZarrObserver waits =
        new ZarrObserver() {
          @Override
          public void onOpen(InFlightBytes bytes) {
            Thread other =
                new Thread(() -> open(place, ZarrOptions.defaults()).block(Duration.ofSeconds(30)));
            other.start();
            try {
              other.join(Duration.ofSeconds(20).toMillis());
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
            assertThat(other.isAlive()).as("the other open waits for this one").isFalse();
            opened.incrementAndGet();
          }
        };
    open(place, ZarrOptions.defaults().withObserver(waits)).block(Duration.ofSeconds(60));
    assertThat(opened).hasValue(1);
  }
}
