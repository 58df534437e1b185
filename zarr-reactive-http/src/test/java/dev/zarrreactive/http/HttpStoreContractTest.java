package dev.zarrreactive.http;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testkit.StoreContract;
import java.net.URI;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/** A store over HTTP keeps the contract, whatever the server can and cannot do. */
@ExtendWith(NoLeaks.class)
class HttpStoreContractTest {
  private static final String SECRET = "s3cret";

  @Nested
  class OverHttp11 extends Served {}

  @Nested
  class OverHttp2 extends Served {
    @Override
    HttpStoreBuilder settings(URI uri) {
      return super.settings(uri).http2(true);
    }
  }

  @Nested
  class WithoutRanges extends Served {
    @Override
    Fault fault() {
      return Fault.ignoreRange();
    }
  }

  @Nested
  class WithoutRangesAndLengths extends Served {
    @Override
    Fault fault() {
      return Fault.ignoreRange().and(Fault.noLength());
    }
  }

  @Nested
  class WithoutRangesAndLengthsOverHttp2 extends Served {
    @Override
    Fault fault() {
      return Fault.ignoreRange().and(Fault.noLength());
    }

    @Override
    HttpStoreBuilder settings(URI uri) {
      return super.settings(uri).http2(true);
    }
  }

  @Nested
  class WithoutRangesFromTheEnd extends Served {
    @Override
    Fault fault() {
      return Fault.status(400, null)
          .where(asked -> String.valueOf(asked.header("range")).startsWith("bytes=-"));
    }
  }

  @Nested
  class WithoutHeadAndRangesFromTheEnd extends Served {
    @Override
    Fault fault() {
      return Fault.status(501, null)
          .where(
              asked ->
                  asked.method().equals("HEAD")
                      || String.valueOf(asked.header("range")).startsWith("bytes=-"));
    }
  }

  @Nested
  class WithAQueryAndAPassword extends Served {
    @Override
    HttpStoreBuilder settings(URI uri) {
      String text = uri.toString().replace("http://", "http://user:" + SECRET + "@");
      return super.settings(URI.create(text + "/?sig=" + SECRET));
    }
  }

  abstract static class Served extends StoreContract {
    private MemoryStore values;
    private FaultyServer server;

    Fault fault() {
      return Fault.NONE;
    }

    HttpStoreBuilder settings(URI uri) {
      return HttpStore.at(uri);
    }

    @Override
    protected Store createStore() {
      values = MemoryStore.create();
      server = FaultyServer.of(values);
      server.misbehave(fault());
      return settings(server.uri()).open();
    }

    @Override
    protected void seed(Store store, Map<StoreKey, Bytes> more) {
      super.seed(values, more);
    }

    @Override
    protected void discard(Store store) {
      super.discard(store);
      server.close();
    }

    @Override
    protected Set<String> secrets() {
      return Set.of(SECRET);
    }
  }
}
