package dev.zarrreactive.store.contract;

import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.observation.StoreObserver;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.CacheOptions;
import dev.zarrreactive.store.decorator.HedgeOptions;
import dev.zarrreactive.store.decorator.RequestLimit;
import dev.zarrreactive.store.decorator.RetryOptions;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.testkit.DecoratorContract;
import org.junit.jupiter.api.Nested;

/** A store that fails at once loses nothing in any decorator. */
class DecoratorFailuresTest {
  private static final StoreObserver NOBODY = new StoreObserver() {};

  @Nested
  class Delegating extends DecoratorContract {
    @Override
    protected Store decorate(Store delegate) {
      return new DelegatingStore(delegate) {
        @Override
        public String toString() {
          return "delegating";
        }
      };
    }
  }

  @Nested
  class Prefixed extends DecoratorContract {
    @Override
    protected Store decorate(Store delegate) {
      return Stores.prefixed(delegate, StorePrefix.of("deep/inside/"));
    }
  }

  @Nested
  class Limited extends DecoratorContract {
    @Override
    protected Store decorate(Store delegate) {
      return Stores.limited(delegate, 3);
    }
  }

  @Nested
  class AdaptivelyLimited extends DecoratorContract {
    @Override
    protected Store decorate(Store delegate) {
      return Stores.limited(delegate, RequestLimit.adaptive(16));
    }
  }

  @Nested
  class Observed extends DecoratorContract {
    @Override
    protected Store decorate(Store delegate) {
      return Stores.observed(delegate, NOBODY);
    }
  }

  @Nested
  class Retrying extends DecoratorContract {
    @Override
    protected Store decorate(Store delegate) {
      return Stores.retrying(delegate, RetryOptions.defaults());
    }
  }

  @Nested
  class Cached extends DecoratorContract {
    @Override
    protected Store decorate(Store delegate) {
      return Stores.cached(delegate, CacheOptions.ofBytes(1 << 20));
    }
  }

  @Nested
  class Stacked extends DecoratorContract {
    @Override
    protected Store decorate(Store delegate) {
      return Stores.stack(delegate)
          .limit(RequestLimit.fixed(3))
          .observe(NOBODY)
          .retry(RetryOptions.defaults())
          .hedge(HedgeOptions.defaults())
          .cache(CacheOptions.ofBytes(1 << 20))
          .build();
    }
  }
}
