package dev.zarrreactive.s3;

import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.faults.server.ServerResponse;
import dev.zarrreactive.store.LeftoverStore.Leftover;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;

/** Uploads in parts that no writer ends. */
@ExtendWith(NoLeaks.class)
class S3LeftoversTest {
  private final S3ProxyServer server = S3ProxyServer.shared();
  private final String bucket = server.newBucket();

  private void begin(String object, int size) {
    server.beginUpload(bucket, object, size);
  }

  @Test
  void unfinished_uploads_below_the_prefix_are_listed_and_removed_if_they_are_old() {
    begin("data/a/c/0", 100);
    begin("data/a/c/1", 5);
    begin("other/c/0", 1);
    S3Store store = server.at(bucket).prefix("data").open();
    await(store.set(StoreKey.of("a/c/0"), Bytes.utf8("x")));
    assertThat(await(store.leftovers(Duration.ofHours(1)).collectList())).isEmpty();
    assertThat(await(store.clean(Duration.ofHours(1)))).isZero();
    assertThat(await(store.leftovers(Duration.ZERO).collectList()))
        .containsExactlyInAnyOrder(new Leftover("a/c/0", 100), new Leftover("a/c/1", 5));
    assertThat(await(store.clean(Duration.ZERO))).isEqualTo(2);
    assertThat(await(store.leftovers(Duration.ZERO).collectList())).isEmpty();
    assertThat(await(store.get(StoreKey.of("a/c/0")))).isEqualTo(Bytes.utf8("x"));
    await(store.close());
    S3Store all = server.at(bucket).open();
    assertThat(await(all.leftovers(Duration.ZERO).collectList())).hasSize(1);
    await(all.close());
  }

  @Test
  void a_refusal_names_the_bucket() {
    try (FaultyServer stub =
        FaultyServer.of(asked -> Mono.just(ServerResponse.of(501, Bytes.EMPTY)))) {
      S3Store store = S3Store.at("bucket").endpoint(stub.uri()).anonymous().open();
      for (Mono<?> asked :
          List.of(store.clean(Duration.ZERO), store.leftovers(Duration.ZERO).then())) {
        assertThat(errorOf(asked))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("s3://bucket/");
      }
      await(store.close());
    }
  }
}
