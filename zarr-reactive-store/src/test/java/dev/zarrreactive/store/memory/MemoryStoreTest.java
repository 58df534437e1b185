package dev.zarrreactive.store.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.StoreCapability;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MemoryStoreTest {
  private final MemoryStore store = MemoryStore.create();

  @Test
  void it_can_do_everything() {
    assertThat(store.capabilities()).isEqualTo(Set.of(StoreCapability.values()));
  }

  @Test
  void values_are_not_copied() {
    Bytes value = Bytes.utf8("0123456789");
    store.set(StoreKey.of("a"), value).block();
    assertThat(store.get(StoreKey.of("a")).block()).isSameAs(value);
    Bytes part = store.get(StoreKey.of("a"), new ByteRange.Slice(2, 3)).block();
    assertThat(part.unsafeArray()).isSameAs(value.unsafeArray());
  }

  @Test
  void keys_are_listed_in_order() {
    for (String key : new String[] {"b", "a/c", "a/b/d", "a!", "a0"}) {
      store.set(StoreKey.of(key), Bytes.EMPTY).block();
    }
    assertThat(store.list().map(StoreKey::value).collectList().block())
        .containsExactly("a!", "a/b/d", "a/c", "a0", "b");
    assertThat(store.listDir(StorePrefix.ROOT).map(ListEntry::name).collectList().block())
        .containsExactly("a!", "a", "a0", "b");
  }

  @Test
  void its_name_says_how_much_is_in_it() {
    store.set(StoreKey.of("a/b"), Bytes.EMPTY).block();
    assertThat(store).hasToString("MemoryStore[1 values]");
  }
}
