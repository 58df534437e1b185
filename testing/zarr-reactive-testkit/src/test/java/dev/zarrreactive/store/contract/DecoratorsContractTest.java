package dev.zarrreactive.store.contract;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.observation.StoreObserver;
import dev.zarrreactive.store.AbstractStore;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.decorator.CacheOptions;
import dev.zarrreactive.store.decorator.HedgeOptions;
import dev.zarrreactive.store.decorator.RequestLimit;
import dev.zarrreactive.store.decorator.RetryOptions;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testkit.InstrumentedStore;
import dev.zarrreactive.testkit.StoreContract;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Decorators keep the contract, alone and stacked; so do the fallbacks of the base of a store. */
class DecoratorsContractTest {
  private static final StoreObserver NOBODY = new StoreObserver() {};

  @Nested
  class Delegating extends StoreContract {
    @Override
    protected Store createStore() {
      return new DelegatingStore(MemoryStore.create()) {
        @Override
        public String toString() {
          return "delegating";
        }
      };
    }
  }

  @Nested
  class ReadOnly extends StoreContract {
    private final Store writable = MemoryStore.create();

    @Override
    protected Store createStore() {
      return Stores.readOnly(writable);
    }

    @Override
    protected void seed(Store store, Map<StoreKey, Bytes> values) {
      super.seed(writable, values);
    }
  }

  @Nested
  class Prefixed extends StoreContract {
    @Override
    protected Store createStore() {
      Store whole = MemoryStore.create();
      seed(
          whole,
          Map.of(
              StoreKey.of("deep/inside"), Bytes.utf8("the prefix's own name"),
              StoreKey.of("deep/inside0"), Bytes.utf8("a neighbour"),
              StoreKey.of("zarr.json"), Bytes.utf8("above")));
      return Stores.prefixed(whole, StorePrefix.of("deep/inside/"));
    }
  }

  @Nested
  class Limited extends StoreContract {
    @Override
    protected Store createStore() {
      return Stores.limited(MemoryStore.create(), 3);
    }
  }

  @Nested
  class LimitedToOneRequest extends StoreContract {
    @Override
    protected Store createStore() {
      return Stores.limited(MemoryStore.create(), 1);
    }
  }

  @Nested
  class LimitedToWhatTheStoreTakes extends StoreContract {
    @Override
    protected Store createStore() {
      return Stores.limited(MemoryStore.create(), RequestLimit.adaptive());
    }
  }

  @Nested
  class Cached extends StoreContract {
    @Override
    protected Store createStore() {
      return Stores.cached(
          MemoryStore.create(), CacheOptions.ofBytes(1 << 20).withMissingKeys(true));
    }
  }

  @Nested
  class CachedInNextToNoMemory extends StoreContract {
    @Override
    protected Store createStore() {
      return Stores.cached(MemoryStore.create(), CacheOptions.ofBytes(600));
    }
  }

  @Nested
  class Retrying extends StoreContract {
    @Override
    protected Store createStore() {
      return Stores.retrying(MemoryStore.create(), RetryOptions.defaults());
    }
  }

  @Nested
  class Hedged extends StoreContract {
    @Override
    protected Store createStore() {
      HedgeOptions always =
          HedgeOptions.defaults().withShare(1).withShortest(Duration.ZERO).withSamples(1);
      return Stores.hedged(MemoryStore.create(), always);
    }
  }

  @Nested
  class Observed extends StoreContract {
    @Override
    protected Store createStore() {
      return Stores.observed(MemoryStore.create(), NOBODY);
    }
  }

  @Nested
  class Instrumented extends StoreContract {
    @Override
    protected Store createStore() {
      return InstrumentedStore.of(MemoryStore.create());
    }
  }

  @Nested
  class Stacked extends StoreContract {
    @Override
    protected Store createStore() {
      Store observed = Stores.observed(MemoryStore.create(), NOBODY);
      Store limited = Stores.limited(Stores.prefixed(observed, StorePrefix.of("p/")), 2);
      return Stores.cached(limited, CacheOptions.ofBytes(1 << 20));
    }
  }

  @Nested
  class StackedReadOnly extends StoreContract {
    private final Store writable = MemoryStore.create();

    @Override
    protected Store createStore() {
      return Stores.limited(Stores.observed(Stores.readOnly(writable), NOBODY), 2);
    }

    @Override
    protected void seed(Store store, Map<StoreKey, Bytes> values) {
      super.seed(writable, values);
    }
  }

  /** Only what the base of a store cannot make from other operations. */
  @Nested
  class Fallbacks extends StoreContract {
    @Override
    protected Store createStore() {
      return new Least(
          Set.of(
              StoreCapability.READ,
              StoreCapability.WRITE,
              StoreCapability.LIST,
              StoreCapability.ERASE));
    }
  }

  @Nested
  class FallbacksOfAStoreThatOnlyReads extends StoreContract {
    private final Least least = new Least(Set.of(StoreCapability.READ));

    @Override
    protected Store createStore() {
      return least;
    }

    @Override
    protected void seed(Store store, Map<StoreKey, Bytes> values) {
      super.seed(least.values, values);
    }
  }

  private static final class Least extends AbstractStore {
    private final Store values = MemoryStore.create();
    private final Set<StoreCapability> capabilities;

    Least(Set<StoreCapability> capabilities) {
      this.capabilities = capabilities;
    }

    @Override
    public Set<StoreCapability> capabilities() {
      return capabilities;
    }

    @Override
    public Mono<Bytes> get(StoreKey key) {
      return values.get(key);
    }

    @Override
    public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
      if (!precondition.equals(Precondition.NONE) && capabilities.contains(StoreCapability.WRITE)) {
        return Mono.error(() -> refusal(StoreCapability.CONDITIONAL_WRITE, "create a value", key));
      }
      return capabilities.contains(StoreCapability.WRITE)
          ? values.set(key, value)
          : super.set(key, value, precondition);
    }

    @Override
    public Mono<Void> erase(StoreKey key) {
      return capabilities.contains(StoreCapability.ERASE) ? values.erase(key) : super.erase(key);
    }

    @Override
    public Flux<StoreKey> listPrefix(StorePrefix prefix) {
      return capabilities.contains(StoreCapability.LIST)
          ? values.listPrefix(prefix)
          : super.listPrefix(prefix);
    }

    @Override
    public String toString() {
      return "Least";
    }
  }
}
