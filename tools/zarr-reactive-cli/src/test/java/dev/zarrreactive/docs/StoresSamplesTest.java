package dev.zarrreactive.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.cli.CommandRun;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.observation.StoreObserver;
import dev.zarrreactive.observation.StoreOutcome;
import dev.zarrreactive.observation.StoreRequest;
import dev.zarrreactive.store.LeftoverStore.Leftover;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.decorator.CacheCounts;
import dev.zarrreactive.store.decorator.CacheOptions;
import dev.zarrreactive.store.decorator.CachedStore;
import dev.zarrreactive.store.decorator.RequestLimit;
import dev.zarrreactive.store.decorator.RetryOptions;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.store.zip.NewZipStore;
import dev.zarrreactive.store.zip.ZipStore;
import dev.zarrreactive.testkit.InstrumentedStore;
import dev.zarrreactive.virtual.VirtualContainers;
import dev.zarrreactive.virtual.VirtualLocation;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.util.retry.Retry;

/** The samples of docs/stores.md. */
class StoresSamplesTest {
  private final Path directory = CommandRun.EARTH;
  private final Store store = FileSystemStore.open(directory);

  @Test
  void stores() {
    URI uri = directory.toUri();
    // docs: stores
    Store files = FileSystemStore.open(directory); // a java.nio.file.Path
    Store sameFiles = FileSystemStore.open(uri); // file:///data/earth.zarr
    Store memory = MemoryStore.create();
    // docs: end
    assertThat(files).hasToString(sameFiles.toString());
    assertThat(memory.list().collectList().block()).isEmpty();
  }

  @Test
  void pipelines(@TempDir Path temporary) {
    Path archive = temporary.resolve("earth.zip");
    Mono.usingWhen(
            Mono.fromSupplier(() -> ZipStore.create(archive)),
            zip ->
                store
                    .list()
                    .concatMap(key -> store.get(key).flatMap(value -> zip.set(key, value)))
                    .then(),
            NewZipStore::close)
        .block();
    // docs: pipelines
    // archive is a path or a URL, such as https://example.org/earth.zip
    Mono<ZarrArray> lat = Zarr.at(archive + "|zip:earth/lat").openArray();
    Mono<ZarrArray> ofV3 = Zarr.at(archive + "|zip:|zarr3:earth/lat").openArray();
    // docs: end
    assertThat(lat.block().shape()).isEqualTo(ofV3.block().shape());
  }

  @Test
  void decorators() {
    // docs: decorators
    Store readOnly = Stores.readOnly(store); // refuses whatever would change it
    Store part = Stores.prefixed(store, StorePrefix.of("earth/")); // "rgb" is "earth/rgb" in it
    Store limited = Stores.limited(store, 16); // 16 requests at a time, over all arrays together
    // docs: end
    StepVerifier.create(readOnly.erase(StoreKey.of("zarr.json")))
        .verifyError(StoreCapabilityException.class);
    assertThat(Zarr.hierarchy(part).openArray("rgb").block().path()).hasToString("/rgb");
    assertThat(
            Zarr.hierarchy(limited)
                .openArray("earth/lat")
                .flatMap(a -> a.read(Selection.all()))
                .block())
        .isNotNull();
  }

  @Test
  void stack() {
    // docs: stack
    Store stack =
        Stores.stack(store)
            .limit(RequestLimit.adaptive()) // next to the store, whatever stands above
            .retry(RetryOptions.defaults())
            .cache(CacheOptions.ofBytes(256L << 20))
            .build();
    // docs: end
    assertThat(
            Zarr.hierarchy(stack)
                .openArray("earth/lat")
                .flatMap(a -> a.read(Selection.all()))
                .block())
        .isNotNull();
  }

  @Test
  void adaptive() {
    Store onTheSameServer = MemoryStore.create();
    // docs: adaptive
    RequestLimit limit = RequestLimit.adaptive(); // finds what the server takes
    Store one = Stores.limited(store, limit);
    Store other = Stores.limited(onTheSameServer, limit); // both together keep to it
    int now = limit.current();
    // docs: end
    assertThat(now).isPositive();
    assertThat(
            Zarr.hierarchy(one)
                .openArray("earth/lat")
                .flatMap(a -> a.read(Selection.all()))
                .block())
        .isNotNull();
    assertThat(other.list().collectList().block()).isEmpty();
  }

  @Test
  void cached() {
    InstrumentedStore store = InstrumentedStore.of(this.store);
    // docs: cached
    CachedStore cached = Stores.cached(store, CacheOptions.ofBytes(256L << 20));
    Mono<NdArray> lat =
        Zarr.hierarchy(cached).openArray("earth/lat").flatMap(a -> a.read(Selection.all()));
    Mono<NdArray> four = Flux.merge(lat, lat, lat, lat).last(); // one request for each key
    CacheCounts counts = cached.counts(); // hits, shared requests, misses, evictions, bytes
    cached.forget(StorePrefix.of("earth/")); // another program has changed it
    // docs: end
    assertThat(counts.misses()).isZero();
    four.block();
    assertThat(store.counts().requests())
        .extracting(StoreRequest::target)
        .containsOnlyOnce("earth/lat/zarr.json", "earth/lat/c/0");
  }

  @Test
  void revalidated() {
    InstrumentedStore store = InstrumentedStore.of(this.store);
    // docs: revalidated
    CacheOptions options =
        CacheOptions.metadata(16L << 20) // zarr.json and its like alone; chunks go past
            .withRevalidation(Duration.ofSeconds(10)); // older: "has it changed?"
    CachedStore metadata = Stores.cached(store, options);
    // docs: end
    for (int i = 0; i < 2; i++) {
      Zarr.hierarchy(metadata).openArray("earth/lat").flatMap(a -> a.read(Selection.all())).block();
    }
    assertThat(store.counts().requests())
        .extracting(StoreRequest::target)
        .containsOnlyOnce("earth/lat/zarr.json")
        .contains("earth/lat/c/0", "earth/lat/c/0");
  }

  @Test
  void versions() {
    Store store = MemoryStore.create();
    StoreKey key = StoreKey.of("count");
    store.set(key, Bytes.wrap(new byte[1])).block();
    // docs: versions
    Mono<Void> counted =
        store
            .getVersioned(key, null, ReadCondition.ALWAYS) // or a ByteRange of the value
            .flatMap(
                old -> {
                  Bytes more = countedUp(old.bytes());
                  return store.set(key, more, Precondition.matches(old.version()));
                })
            .retryWhen(Retry.max(9).filter(PreconditionFailedException.class::isInstance));
    // docs: end
    Flux.merge(counted, counted, counted).blockLast();
    assertThat(store.get(key).block().get(0)).isEqualTo((byte) 3);
  }

  @Test
  void leftovers(@TempDir Path directory) throws IOException {
    FileSystemStore store = FileSystemStore.open(directory);
    Path old = Files.createFile(directory.resolve(".zarr-partial-0123456789abcdef"));
    Files.setLastModifiedTime(old, FileTime.from(Instant.EPOCH));
    // docs: leftovers
    Flux<Leftover> left = store.leftovers(); // what dead writers left below the directory
    Mono<Long> removed = store.clean(); // how many of them it removed
    // docs: end
    assertThat(left.map(Leftover::size).collectList().block()).containsExactly(0L);
    assertThat(removed.block()).isEqualTo(1);
    assertThat(left.collectList().block()).isEmpty();
  }

  private static Bytes countedUp(Bytes count) {
    return Bytes.wrap(new byte[] {(byte) (count.get(0) + 1)});
  }

  @Test
  void observed() {
    List<String> log = new CopyOnWriteArrayList<>();
    // docs: observed
    StoreObserver observer =
        new StoreObserver() {
          @Override
          public void onEnd(StoreRequest request, StoreOutcome outcome) {
            log.add(request.operation() + " " + request.target() + " " + outcome.kind());
          }
        };
    Store observed = Stores.observed(store, observer);
    // docs: end
    Zarr.hierarchy(observed)
        .openArray("earth/lat")
        .flatMap(array -> array.read(Selection.all()))
        .block();
    assertThat(log)
        .containsSubsequence("GET earth/lat/zarr.json COMPLETED", "GET earth/lat/c/0 COMPLETED");
  }

  @Test
  void the_reader_allows_what_references_may_lead_to() {
    Store storeOfYourOwn = MemoryStore.create();
    // docs: containers
    VirtualContainers allowed =
        VirtualContainers.builder()
            .allow("s3://archive/2026/", StoreOptions.none().with("anonymous", "true"))
            .allow("https://data.example/netcdf/", storeOfYourOwn)
            .allow("file:///data/netcdf/")
            .build();
    // docs: end
    assertThat(allowed.resolve(VirtualLocation.whole("https://data.example/netcdf/a.nc")).block())
        .extracting(found -> found.object().store())
        .isSameAs(storeOfYourOwn);
    assertThatThrownBy(
            () -> allowed.resolve(VirtualLocation.whole("s3://archive/2025/a.nc")).block())
        .isInstanceOf(AccessDeniedException.class);
    allowed.close().block();
  }
}
