package dev.zarrreactive.kerchunk;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.store.AbstractStore;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.VersionedBytes;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Waiting;
import dev.zarrreactive.testkit.StoreContract;
import dev.zarrreactive.virtual.VirtualContainers;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Stores of references keep the contract of a store that is read. */
class KerchunkStoreContractTest {
  private static final StoreKey FILE = StoreKey.of("refs.json");

  /** References do not change: each request opens them again, as they are then. */
  abstract static class Reopened extends StoreContract {
    final MemoryStore objects = MemoryStore.create();
    private final MemoryStore place = MemoryStore.create();
    private final Map<String, JsonValue> references = new LinkedHashMap<>();

    abstract JsonValue reference(String object, Bytes value);

    @Override
    protected Store createStore() {
      seed(place, Map.of());
      return new Opening(
          Kerchunk.open(
              place, FILE, VirtualContainers.builder().allow("memory://data/", objects).build()));
    }

    @Override
    protected void seed(Store store, Map<StoreKey, Bytes> values) {
      values.forEach(
          (key, value) -> {
            String object = HexFormat.of().formatHex(Bytes.utf8(key.value()).toByteArray());
            references.put(key.value(), reference(object, value));
          });
      Waiting.await(place.set(FILE, Bytes.utf8(new JsonObject(references).toString())));
    }
  }

  @Nested
  class Inline extends Reopened {
    @Override
    JsonValue reference(String object, Bytes value) {
      return new JsonString("base64:" + Base64.getEncoder().encodeToString(value.toByteArray()));
    }
  }

  @Nested
  class Parts extends Reopened {
    @Override
    JsonValue reference(String object, Bytes value) {
      Bytes around = Bytes.utf8("around");
      Waiting.await(objects.set(StoreKey.of(object), Bytes.join(List.of(around, value, around))));
      return JsonArray.of(
          new JsonString("memory://data/" + object),
          JsonNumber.of(around.size()),
          JsonNumber.of(value.size()));
    }
  }

  @Nested
  class Files extends Reopened {
    @Override
    JsonValue reference(String object, Bytes value) {
      Waiting.await(objects.set(StoreKey.of(object), value));
      return JsonArray.of(new JsonString("memory://data/" + object));
    }
  }

  private static final class Opening extends AbstractStore {
    private final Mono<Store> references;

    Opening(Mono<Store> references) {
      this.references = references;
    }

    @Override
    public Set<StoreCapability> capabilities() {
      return Set.of(
          StoreCapability.READ,
          StoreCapability.LIST,
          StoreCapability.PARTIAL_READ,
          StoreCapability.VERSIONS);
    }

    @Override
    public Mono<Bytes> get(StoreKey key) {
      return references.flatMap(opened -> opened.get(key));
    }

    @Override
    public Mono<Bytes> get(StoreKey key, ByteRange range) {
      return references.flatMap(opened -> opened.get(key, range));
    }

    @Override
    public Mono<VersionedBytes> getVersioned(
        StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
      return references.flatMap(opened -> opened.getVersioned(key, range, condition));
    }

    @Override
    public Flux<StoreKey> listPrefix(StorePrefix prefix) {
      return references.flatMapMany(opened -> opened.listPrefix(prefix));
    }

    @Override
    public Flux<ListEntry.Key> listValues(StorePrefix prefix) {
      return references.flatMapMany(opened -> opened.listValues(prefix));
    }

    @Override
    public Flux<ListEntry> listDir(StorePrefix prefix) {
      return references.flatMapMany(opened -> opened.listDir(prefix));
    }

    @Override
    public String toString() {
      return "references opened for each request";
    }
  }
}
