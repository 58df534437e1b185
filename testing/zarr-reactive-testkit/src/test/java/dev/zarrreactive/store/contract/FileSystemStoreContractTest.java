package dev.zarrreactive.store.contract;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.testkit.StoreContract;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class FileSystemStoreContractTest extends StoreContract {
  @TempDir Path directory;

  @Override
  protected Store createStore() {
    return FileSystemStore.open(directory.resolve("my data.zarr"));
  }

  @Override
  protected boolean keysMayBePrefixes() {
    return false;
  }

  /** A JVM in the locale C cannot name files in all languages. */
  @Override
  protected boolean canHold(StoreKey key) {
    try {
      return Path.of(key.value()).toString().equals(key.value());
    } catch (InvalidPathException e) {
      return false;
    }
  }
}
