package dev.zarrreactive.azure;

import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.store.LeftoverStore.Leftover;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Blocks that no writer made a value. */
@ExtendWith(NoLeaks.class)
class AzureLeftoversTest {
  private static final int PART = 64 << 10;

  private final Azurite azure = Azurite.shared();
  private final String container = azure.newContainer();

  @Test
  void are_listed_below_the_prefix_and_removed_if_they_are_old() {
    AzureStore all = azure.at(container).partSize(PART).open();
    azure.beginUpload(container, "data/a/c/0", 3, PART);
    azure.beginUpload(container, "other/c/0", 1, 10);
    await(all.set(StoreKey.of("data/a/c/1"), Bytes.utf8("x")));
    await(all.set(StoreKey.of("data/empty"), Bytes.EMPTY));
    AzureStore store = azure.at(container).prefix("data").open();
    assertThat(await(store.leftovers(Duration.ofHours(1)).collectList())).isEmpty();
    assertThat(await(store.clean(Duration.ofHours(1)))).isZero();
    List<Leftover> found = await(store.leftovers(Duration.ZERO).collectList());
    assertThat(found).containsExactly(new Leftover("a/c/0", 3 * PART));
    assertThat(await(store.clean(Duration.ZERO))).isEqualTo(1);
    assertThat(await(store.leftovers(Duration.ZERO).collectList())).isEmpty();
    assertThat(await(store.get(StoreKey.of("a/c/0")))).isNull();
    assertThat(await(store.get(StoreKey.of("a/c/1")))).isEqualTo(Bytes.utf8("x"));
    assertThat(await(store.get(StoreKey.of("empty")))).isEqualTo(Bytes.EMPTY);
    assertThat(await(all.leftovers(Duration.ZERO).collectList())).hasSize(1);
    await(store.close());
    await(all.close());
  }
}
