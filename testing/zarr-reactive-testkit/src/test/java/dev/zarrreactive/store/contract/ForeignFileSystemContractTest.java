package dev.zarrreactive.store.contract;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.testkit.StoreContract;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;

/** The contract on file systems in memory with the names and links of Windows and of macOS. */
class ForeignFileSystemContractTest {
  private abstract static class OnJimfs extends StoreContract {
    private final FileSystem files;

    OnJimfs(Configuration configuration) {
      files = Jimfs.newFileSystem(configuration);
    }

    @Override
    protected Store createStore() {
      return FileSystemStore.open(files.getPath("my data.zarr"));
    }

    @Override
    protected boolean keysMayBePrefixes() {
      return false;
    }

    @AfterEach
    void close() throws IOException {
      files.close();
    }
  }

  @Nested
  class OfWindows extends OnJimfs {
    OfWindows() {
      super(Configuration.windows());
    }

    /** Windows has no file of such a name. */
    @Override
    protected boolean canHold(StoreKey key) {
      return Stream.of(key.value().split("/"))
          .noneMatch(
              name ->
                  name.chars().anyMatch(c -> c < ' ' || "\\:*?\"<>|".indexOf(c) >= 0)
                      || name.endsWith(".")
                      || name.endsWith(" "));
    }
  }

  @Nested
  class OfMacOs extends OnJimfs {
    OfMacOs() {
      super(Configuration.osX());
    }
  }
}
