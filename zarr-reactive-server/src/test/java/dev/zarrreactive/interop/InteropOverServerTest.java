package dev.zarrreactive.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.http.HttpStore;
import dev.zarrreactive.server.RunningServer;
import dev.zarrreactive.server.ZarrServer;
import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreKey;
import dev.zarrreactive.store.StorePrefix;
import dev.zarrreactive.store.decorator.CacheOptions;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.store.zip.ZipStore;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The HTTP store reads from the server what other implementations wrote, as from disk. */
@ExtendWith(NoLeaks.class)
class InteropOverServerTest {
  private static final CacheOptions ASKED_ONCE =
      CacheOptions.ofBytes(64L << 20).withMissingKeys(true);

  private static final MemoryStore VALUES = MemoryStore.create();
  private static RunningServer server;
  private static HttpStore http11;
  private static HttpStore http2;

  @BeforeAll
  static void serve() {
    server = Objects.requireNonNull(ZarrServer.of(VALUES).port(0).start().block());
    http11 = HttpStore.open(server.uri());
    http2 = HttpStore.at(server.uri()).http2(true).build();
  }

  @AfterAll
  static void stop() {
    http11.close().block();
    http2.close().block();
    server.close().block();
  }

  static List<Fixture> cases() {
    return Fixtures.good();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void every_case_is_read_as_from_disk(Fixture fixture) {
    HttpStore store = fixture.name().hashCode() % 2 == 0 ? http11 : http2;
    if (fixture.isDirectory()) {
      for (String key : fixture.keys()) {
        put(fixture.name() + "/" + key, fixture.value(key));
      }
      Store below = Stores.prefixed(store, StorePrefix.of(fixture.name() + "/"));
      assertThat(CaseReading.of(fixture, Stores.cached(below, ASKED_ONCE)))
          .isEqualTo(Outcome.PASSED);
    } else {
      String archive = fixture.name() + "/" + fixture.text("store");
      put(archive, fixture.file(fixture.text("store")));
      Store zip = Objects.requireNonNull(ZipStore.open(store, StoreKey.of(archive)).block());
      assertThat(CaseReading.of(fixture, Stores.cached(zip, ASKED_ONCE))).isEqualTo(Outcome.PASSED);
    }
  }

  private static void put(String key, byte[] value) {
    VALUES.set(StoreKey.of(key), Bytes.wrap(value)).block();
  }
}
