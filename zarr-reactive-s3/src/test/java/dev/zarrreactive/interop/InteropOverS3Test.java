package dev.zarrreactive.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.s3.S3ProxyServer;
import dev.zarrreactive.s3.S3Store;
import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreKey;
import dev.zarrreactive.store.StorePrefix;
import dev.zarrreactive.store.Stores;
import dev.zarrreactive.store.zip.ZipStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What other implementations wrote reads over S3 as it does from disk. */
@ExtendWith(NoLeaks.class)
class InteropOverS3Test {
  private static final int AT_A_TIME = 16;

  private static S3Store store;

  @BeforeAll
  static void open() {
    S3ProxyServer server = S3ProxyServer.shared();
    store = server.at(server.newBucket()).build();
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
      Store below = Stores.prefixed(store, StorePrefix.of(fixture.name() + "/"));
      List<Mono<Void>> writes = new ArrayList<>();
      for (String key : fixture.keys()) {
        writes.add(below.set(StoreKey.of(key), Bytes.wrap(fixture.value(key))));
      }
      Flux.merge(Flux.fromIterable(writes), AT_A_TIME).blockLast();
      assertThat(CaseReading.of(fixture, below)).isEqualTo(Outcome.PASSED);
    } else {
      StoreKey archive = StoreKey.of(fixture.name() + "/" + fixture.text("store"));
      store.set(archive, Bytes.wrap(fixture.file(fixture.text("store")))).block();
      Store zip = Objects.requireNonNull(ZipStore.open(store, archive).block());
      assertThat(CaseReading.of(fixture, zip)).isEqualTo(Outcome.PASSED);
    }
  }
}
