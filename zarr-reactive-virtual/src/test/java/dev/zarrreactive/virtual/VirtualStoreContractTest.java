package dev.zarrreactive.virtual;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testkit.StoreContract;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Nested;
import reactor.core.publisher.Mono;

/** Stores of references keep the contract of a store, wherever their values are. */
class VirtualStoreContractTest {
  private static final Bytes AROUND = Bytes.utf8("bytes of other values");

  /** Each value is a part in the middle of an object. */
  abstract static class OfParts extends StoreContract {
    final MemoryStore objects = MemoryStore.create();

    @Override
    protected Store createStore() {
      return new ReferencedStore(
          VirtualContainers.builder().allow("memory://data/", objects).build());
    }

    @Override
    protected void seed(Store store, Map<StoreKey, Bytes> values) {
      values.forEach((key, value) -> seed((ReferencedStore) store, key, value));
    }

    private void seed(ReferencedStore store, StoreKey key, Bytes value) {
      String object = HexFormat.of().formatHex(Bytes.utf8(key.value()).toByteArray()) + ".nc";
      set(object, Bytes.join(List.of(AROUND, value, AROUND)));
      store.put(key.value(), reference(object, value.size()));
    }

    private void set(String object, Bytes content) {
      Mono<Void> set = objects.set(StoreKey.of(object), content);
      set.block();
    }

    abstract Reference reference(String object, int size);
  }

  @Nested
  class Virtual extends OfParts {
    @Override
    Reference reference(String object, int size) {
      return new Reference.Virtual(
          VirtualLocation.of("memory://data/" + object, AROUND.size(), size));
    }
  }

  @Nested
  class VirtualWithAnETag extends OfParts {
    @Override
    Reference reference(String object, int size) {
      String tag =
          Objects.requireNonNull(
                  Objects.requireNonNull(
                          objects
                              .getVersioned(StoreKey.of(object), null, ReadCondition.ALWAYS)
                              .block())
                      .version())
              .tag();
      return new Reference.Virtual(
          VirtualLocation.of("memory://data/" + object, AROUND.size(), size)
              .with(new ObjectChecksum.ETag(tag)));
    }
  }

  @Nested
  class Native extends OfParts {
    private int states;

    @Override
    Reference reference(String object, int size) {
      String name = object + ++states;
      Bytes content = objects.get(StoreKey.of(object)).block();
      objects.set(StoreKey.of(name), Objects.requireNonNull(content)).block();
      return new Reference.Native(
          objects, StoreKey.of(name), new ByteRange.Slice(AROUND.size(), size), null);
    }
  }

  @Nested
  class Inline extends StoreContract {
    @Override
    protected Store createStore() {
      return new ReferencedStore(VirtualContainers.none());
    }

    @Override
    protected void seed(Store store, Map<StoreKey, Bytes> values) {
      values.forEach(
          (key, value) -> ((ReferencedStore) store).put(key.value(), new Reference.Inline(value)));
    }
  }

  /** Each value is a whole object. */
  @Nested
  class Whole extends StoreContract {
    private final MemoryStore objects = MemoryStore.create();

    @Override
    protected Store createStore() {
      return new ReferencedStore(
          VirtualContainers.builder().allow("memory://data/", objects).build());
    }

    @Override
    protected void seed(Store store, Map<StoreKey, Bytes> values) {
      values.forEach(
          (key, value) -> {
            String object = HexFormat.of().formatHex(Bytes.utf8(key.value()).toByteArray());
            objects.set(StoreKey.of(object), value).block();
            ((ReferencedStore) store)
                .put(key.value(), VirtualLocation.whole("memory://data/" + object));
          });
    }
  }
}
