package dev.zarrreactive.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.cli.CommandRun;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.micrometer.ZarrMeters;
import dev.zarrreactive.micrometer.ZarrObservations;
import dev.zarrreactive.observation.OperationOutcome;
import dev.zarrreactive.observation.ZarrObserver;
import dev.zarrreactive.observation.ZarrOperation;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.CacheOptions;
import dev.zarrreactive.store.decorator.RetryOptions;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testkit.InstrumentedStore;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The samples of docs/observability.md, and its table of meters. */
class ObservabilitySamplesTest {
  private static final Pattern ROW =
      Pattern.compile("\\| `(zarr\\.[a-z.]+)` \\| (\\w+) \\| (.*?)\\| .*");
  private static final Pattern TAG = Pattern.compile("`(\\w+)`");

  private final SimpleMeterRegistry meterRegistry = new SimpleMeterRegistry();
  private final ObservationRegistry observationRegistry = ObservationRegistry.create();
  private final Store earth = FileSystemStore.open(CommandRun.EARTH);

  @Test
  void meters() {
    Store store = earth;
    List<String> observed = new ArrayList<>();
    observationRegistry
        .observationConfig()
        .observationHandler(
            context -> {
              observed.add(context.getName());
              return true;
            });
    // docs: meters
    ZarrObserver observer =
        ZarrObserver.all(
            ZarrMeters.of(meterRegistry), // one for each registry; any number of hierarchies
            ZarrObservations.of(observationRegistry));
    ZarrOptions options = ZarrOptions.defaults().withObserver(observer);
    ZarrHierarchy hierarchy = Zarr.hierarchy(store, options);
    // docs: end
    hierarchy.openArray("earth/lat").flatMap(lat -> lat.read(Selection.all())).block();
    assertThat(meterRegistry.get("zarr.operations").tag("operation", "read").timer().count())
        .isEqualTo(1);
    assertThat(observed).contains("zarr.operation", "zarr.store.request");
  }

  @Test
  void below_and_the_table_of_all_meters() {
    InstrumentedStore remote = InstrumentedStore.of(MemoryStore.create());
    remote.set(StoreKey.of("k"), Bytes.utf8("1")).block();
    // docs: meters-below
    ZarrMeters meters = ZarrMeters.of(meterRegistry);
    Store server = Stores.observed(remote, meters.ofStore("server"));
    Store store =
        Stores.cached(
            Stores.retrying(server, RetryOptions.defaults()), CacheOptions.ofBytes(64 << 20));
    ZarrHierarchy hierarchy = Zarr.hierarchy(store, ZarrOptions.defaults().withObserver(meters));
    // docs: end
    remote.failNext(
        1, request -> true, () -> new TransientStoreException("busy", Location.UNKNOWN));
    hierarchy.exists("nothing").block();
    assertThat(meterRegistry.get("zarr.store.retries").counter().count()).isEqualTo(1);
    assertThat(meterRegistry.get("zarr.store.requests").tag("store", "server").timers())
        .isNotEmpty();
    Zarr.hierarchy(earth, ZarrOptions.defaults().withObserver(meters))
        .openArray("earth/lat")
        .flatMap(lat -> lat.read(Selection.all()))
        .block();
    assertThat(registered()).isEqualTo(documented());
  }

  /** Each meter with its kind and tags. */
  private Map<String, String> registered() {
    Map<String, String> all = new LinkedHashMap<>();
    for (Meter meter : meterRegistry.getMeters()) {
      TreeSet<String> tags = new TreeSet<>();
      meter.getId().getTags().forEach(tag -> tags.add(tag.getKey()));
      String kind = meter.getId().getType().name().toLowerCase(Locale.ROOT);
      String before = all.put(meter.getId().getName(), kind + " " + tags);
      assertThat(before).as(meter.getId().getName()).isIn(null, kind + " " + tags);
    }
    return all;
  }

  private static Map<String, String> documented() {
    Map<String, String> all = new LinkedHashMap<>();
    for (String line : Pages.lines(Pages.ROOT.resolve("docs/observability.md"))) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        TreeSet<String> tags = new TreeSet<>();
        Matcher tag = TAG.matcher(row.group(3));
        while (tag.find()) {
          tags.add(tag.group(1));
        }
        all.put(row.group(1), row.group(2) + " " + tags);
      }
    }
    return all;
  }

  @Test
  void an_observer_of_the_application() {
    List<String> log = Collections.synchronizedList(new ArrayList<>());
    Duration bound = Duration.ZERO;
    // docs: own-observer
    ZarrObserver slow =
        new ZarrObserver() {
          @Override
          public void onEnd(ZarrOperation operation, OperationOutcome outcome) {
            if (outcome.duration().compareTo(bound) > 0) {
              log.add(operation.kind() + " of " + operation.path());
            }
          }
        };
    // docs: end
    Zarr.hierarchy(earth, ZarrOptions.defaults().withObserver(slow)).exists("earth").block();
    assertThat(log).containsExactly("EXISTS of /earth");
  }
}
