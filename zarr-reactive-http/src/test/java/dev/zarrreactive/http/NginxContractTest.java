package dev.zarrreactive.http;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.testkit.StoreContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The contract on files behind nginx; a store of files writes them. */
@ExtendWith(NoLeaks.class)
class NginxContractTest {
  @TempDir Path directory;

  @Nested
  class OverHttp11 extends Behind {
    OverHttp11() {
      super(false, "");
    }
  }

  @Nested
  class OverHttp2 extends Behind {
    OverHttp2() {
      super(true, "");
    }
  }

  @Nested
  class WithoutRanges extends Behind {
    WithoutRanges() {
      super(false, "max_ranges 0;");
    }
  }

  @Nested
  class WithListingsOfDirectories extends Behind {
    WithListingsOfDirectories() {
      super(false, "autoindex on;");
    }
  }

  abstract class Behind extends StoreContract {
    private final boolean http2;
    private final String configuration;
    private Nginx nginx;
    private Store files;

    Behind(boolean http2, String configuration) {
      this.http2 = http2;
      this.configuration = configuration;
    }

    @Override
    protected Store createStore() {
      try {
        Path root = Files.createDirectories(directory.resolve("root"));
        nginx = Nginx.start(directory, root, configuration);
        files = FileSystemStore.open(root);
        return HttpStore.at(nginx.uri(http2)).http2(http2).open();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    protected void seed(Store store, Map<StoreKey, Bytes> values) {
      super.seed(files, values);
    }

    @Override
    protected void discard(Store store) {
      super.discard(store);
      nginx.close();
    }

    @Override
    protected boolean keysMayBePrefixes() {
      return false;
    }

    @Override
    protected boolean canHold(StoreKey key) {
      Charset names = Charset.forName(System.getProperty("sun.jnu.encoding"));
      return names.newEncoder().canEncode(key.value());
    }
  }
}
