package dev.zarrreactive.icechunk;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.RangeOutOfBoundsException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.ValueTooLargeException;
import dev.zarrreactive.icechunk.WrittenRepository.Ref;
import dev.zarrreactive.store.AbstractStore;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.VersionedBytes;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testkit.StoreContract;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A snapshot keeps the contract of a store that is read. Its keys are those of nodes: the value at
 * {@code a/b} of the contract is the document or the only chunk of the node {@code /a/b}.
 */
class SnapshotStoreContractTest {
  @Nested
  class Documents extends OfNodes {
    @Override
    String suffix() {
      return "/zarr.json";
    }

    @Override
    void add(WrittenRepository written, String path, Bytes value, int state) {
      written.group(path, value.toByteArray());
    }
  }

  @Nested
  class NativeChunks extends OfNodes {
    @Override
    String suffix() {
      return "/c";
    }

    @Override
    void add(WrittenRepository written, String path, Bytes value, int state) {
      if (value.size() == 0) {
        written.array(path, "{}", new int[0], List.of(Ref.inline(new byte[0])));
        return;
      }
      written.object(state, value.toByteArray());
      written.array(path, "{}", new int[0], List.of(Ref.chunk(state, 0, value.size())));
    }
  }

  @Nested
  class InlineChunks extends OfNodes {
    @Override
    String suffix() {
      return "/c";
    }

    @Override
    void add(WrittenRepository written, String path, Bytes value, int state) {
      written.array(path, "{}", new int[0], List.of(Ref.inline(value.toByteArray())));
    }
  }

  /** A repository does not change: each request opens the one that has the values of then. */
  abstract static class OfNodes extends StoreContract {
    private final Map<StoreKey, Bytes> values = new TreeMap<>();
    private final Map<StoreKey, Integer> states = new TreeMap<>();
    private Store place = MemoryStore.create();
    private int written = 1000;

    abstract String suffix();

    abstract void add(WrittenRepository written, String path, Bytes value, int state);

    @Override
    protected Store createStore() {
      seed(MemoryStore.create(), Map.of());
      return new Opening();
    }

    @Override
    protected void seed(Store store, Map<StoreKey, Bytes> more) {
      values.putAll(more);
      more.keySet().forEach(key -> states.put(key, ++written));
      WrittenRepository repository = new WrittenRepository(++written);
      values.forEach((key, value) -> add(repository, "/" + key, value, states.get(key)));
      place = repository.store();
    }

    private final class Opening extends AbstractStore {
      private Mono<Store> open() {
        return Mono.defer(() -> Icechunk.open(place))
            .flatMap(found -> found.store(IcechunkVersion.MAIN));
      }

      private StoreKey inner(StoreKey key) {
        return StoreKey.of(key + suffix());
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
        return open().flatMap(store -> store.get(inner(key)));
      }

      @Override
      public Mono<Bytes> get(StoreKey key, ByteRange range) {
        return open()
            .flatMap(store -> store.get(inner(key), range))
            .onErrorMap(StoreException.class, e -> outer(e, key));
      }

      @Override
      public Mono<VersionedBytes> getVersioned(
          StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
        return open()
            .flatMap(store -> store.getVersioned(inner(key), range, condition))
            .onErrorMap(StoreException.class, e -> outer(e, key));
      }

      /**
       * Returns the error of a value with the key of the contract; it must have that of the store.
       */
      private Throwable outer(StoreException error, StoreKey key) {
        if (!inner(key).value().equals(error.location().storeKey())) {
          return error;
        }
        Location place = Location.ofKey(key.value());
        if (error instanceof RangeOutOfBoundsException shorter) {
          return new RangeOutOfBoundsException("a range", shorter.size(), place);
        }
        if (error instanceof ValueTooLargeException larger) {
          return new ValueTooLargeException(larger.size(), larger.maxBytes(), place);
        }
        return error instanceof PreconditionFailedException
            ? new PreconditionFailedException(error.statement(), place, error)
            : error;
      }

      @Override
      public Flux<ListEntry.Key> listValues(StorePrefix prefix) {
        return open()
            .flatMapMany(store -> store.listValues(prefix))
            .filter(
                entry ->
                    entry.key().value().endsWith(suffix())
                        && outer(entry.key()).startsWith(prefix.value()))
            .map(entry -> new ListEntry.Key(StoreKey.of(outer(entry.key())), entry.size()));
      }

      private String outer(StoreKey key) {
        return key.value().substring(0, key.value().length() - suffix().length());
      }

      @Override
      public Flux<StoreKey> listPrefix(StorePrefix prefix) {
        return listValues(prefix).map(ListEntry.Key::key);
      }

      @Override
      public String toString() {
        return "a repository opened for each request";
      }
    }
  }
}
