package dev.zarrreactive.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.s3.S3ProxyServer;
import dev.zarrreactive.s3.S3Store;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreKey;
import dev.zarrreactive.store.StorePrefix;
import dev.zarrreactive.store.decorator.CacheOptions;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.zip.ZipStore;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What other implementations wrote reads over S3 as it does from disk. */
@ExtendWith(NoLeaks.class)
class InteropOverS3Test {
  private static final CacheOptions ASKED_ONCE =
      CacheOptions.ofBytes(64L << 20).withMissingKeys(true);

  private static final S3ProxyServer SERVER = S3ProxyServer.shared();
  private static final String BUCKET = SERVER.newBucket();
  private static S3Store store;

  @BeforeAll
  static void open() {
    store = SERVER.at(BUCKET).build();
  }

  @AfterAll
  static void close() {
    store.close().block();
  }

  static List<Fixture> cases() {
    return Fixtures.good();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void every_case_is_read_as_from_disk(Fixture fixture) {
    if (fixture.isDirectory()) {
      for (String key : fixture.keys()) {
        SERVER.put(BUCKET, fixture.name() + "/" + key, fixture.value(key));
      }
      Store below = Stores.prefixed(store, StorePrefix.of(fixture.name() + "/"));
      assertThat(CaseReading.of(fixture, Stores.cached(below, ASKED_ONCE)))
          .isEqualTo(Outcome.PASSED);
    } else {
      String archive = fixture.name() + "/" + fixture.text("store");
      SERVER.put(BUCKET, archive, fixture.file(fixture.text("store")));
      Store zip = Objects.requireNonNull(ZipStore.open(store, StoreKey.of(archive)).block());
      assertThat(CaseReading.of(fixture, Stores.cached(zip, ASKED_ONCE))).isEqualTo(Outcome.PASSED);
    }
  }
}
