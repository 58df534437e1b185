package dev.zarrreactive.store.contract;

import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.zip.ZipStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.reactivestreams.Publisher;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.Test;

@Test
public class NewZipStoreListDirTckTest extends ListingVerification {
  private Path directory;

  @BeforeClass
  void createDirectory() throws IOException {
    directory = Files.createTempDirectory("listing-verification");
  }

  @AfterClass
  void deleteDirectory() throws IOException {
    Files.deleteIfExists(directory.resolve("new.zip"));
    Files.delete(directory);
  }

  @Override
  Store createStore() {
    return ZipStore.create(directory.resolve("new.zip"));
  }

  @Override
  Publisher<?> listing(Store store) {
    return store.listDir(DIRECTORY);
  }
}
