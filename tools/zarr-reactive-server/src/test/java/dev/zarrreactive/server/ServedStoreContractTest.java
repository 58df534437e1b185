package dev.zarrreactive.server;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.http.HttpStore;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Slow;
import dev.zarrreactive.testing.Waiting;
import dev.zarrreactive.testkit.StoreContract;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/** A store over HTTP before the server keeps the contract of a store. */
@ExtendWith(NoLeaks.class)
class ServedStoreContractTest {
  @Nested
  class OverHttp11 extends Served {}

  @Nested
  class OverHttp2 extends Served {
    @Override
    boolean http2() {
      return true;
    }
  }

  /** Each value of more than 700 bytes is one of several reads. */
  @Nested
  @Slow
  class InSmallRanges extends Served {
    @Override
    ServerLimits limits() {
      return super.limits().withReadBytes(700);
    }
  }

  abstract static class Served extends StoreContract {
    private MemoryStore values;
    private RunningServer server;

    boolean http2() {
      return false;
    }

    ServerLimits limits() {
      return ServerLimits.defaults();
    }

    @Override
    protected Store createStore() {
      values = MemoryStore.create();
      server =
          Objects.requireNonNull(
              Waiting.await(ZarrServer.of(values).port(0).limits(limits()).start()));
      return HttpStore.at(server.uri()).http2(http2()).open();
    }

    @Override
    protected void seed(Store store, Map<StoreKey, Bytes> more) {
      super.seed(values, more);
    }

    @Override
    protected void discard(Store store) {
      super.discard(store);
      Waiting.await(server.close());
    }
  }
}
