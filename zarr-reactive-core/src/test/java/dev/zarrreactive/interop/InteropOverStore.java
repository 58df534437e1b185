package dev.zarrreactive.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.CacheOptions;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.zip.ZipStore;
import dev.zarrreactive.testing.Cases;
import dev.zarrreactive.testing.Sampled;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A store over a network reads what other implementations wrote, as from disk. */
abstract class InteropOverStore {
  private static final CacheOptions ASKED_ONCE =
      CacheOptions.ofBytes(64L << 20).withMissingKeys(true);

  static List<Fixture> cases() {
    return Cases.everyOther(20, Fixtures.good());
  }

  /** Puts a value at the server. */
  abstract void put(String key, byte[] value);

  /** Returns the store that reads a case. */
  abstract Store store(Fixture fixture);

  @Sampled
  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void every_case_is_read_as_from_disk(Fixture fixture) {
    Store store = store(fixture);
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
}
