package dev.zarrreactive.store.decorator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.store.KeyRange;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import java.util.List;
import org.junit.jupiter.api.Test;

class PrefixedStoreTest {
  private final MemoryStore whole = MemoryStore.create();
  private final Store part = Stores.prefixed(whole, StorePrefix.of("a/b/"));

  @Test
  void keys_get_the_prefix_on_the_way_in_and_lose_it_on_the_way_out() {
    part.set(StoreKey.of("c/0"), Bytes.utf8("x")).block();
    assertThat(whole.list().collectList().block()).containsExactly(StoreKey.of("a/b/c/0"));
    assertThat(part.list().collectList().block()).containsExactly(StoreKey.of("c/0"));
    KeyRange asked = new KeyRange(StoreKey.of("c/0"), new ByteRange.From(0));
    assertThat(part.getPartialValues(List.of(asked)).blockLast().request()).isEqualTo(asked);
  }

  @Test
  void erasing_all_of_it_leaves_the_rest_of_the_store() {
    for (String key : List.of("a/b/c", "a/b0", "a/c", "z")) {
      whole.set(StoreKey.of(key), Bytes.EMPTY).block();
    }
    part.erasePrefix(StorePrefix.ROOT).block();
    assertThat(whole.list().map(StoreKey::value).collectList().block())
        .containsExactly("a/b0", "a/c", "z");
  }

  @Test
  void errors_name_the_whole_key() {
    part.set(StoreKey.of("c"), Bytes.EMPTY).block();
    assertThatThrownBy(() -> part.get(StoreKey.of("c"), new ByteRange.From(1)).block())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("key a/b/c");
  }

  @Test
  void the_root_prefix_changes_nothing_and_prefixes_add_up() {
    Store twice =
        Stores.prefixed(
            Stores.prefixed(Stores.prefixed(whole, StorePrefix.ROOT), StorePrefix.of("x/")),
            StorePrefix.of("y/"));
    twice.set(StoreKey.of("z"), Bytes.EMPTY).block();
    assertThat(whole.list().blockLast()).isEqualTo(StoreKey.of("x/y/z"));
    assertThat(twice)
        .hasToString(
            "PrefixedStore[y/, PrefixedStore[x/, PrefixedStore[, MemoryStore[1 values]]]]");
  }
}
