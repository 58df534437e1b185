package dev.zarrreactive.store.contract;

import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.file.FileSystemStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;

abstract class FileSystemListingVerification extends ListingVerification {
  private Path directory;
  private int stores;

  @BeforeClass
  void createDirectory() throws IOException {
    directory = Files.createTempDirectory("listing-verification");
  }

  @AfterClass
  void deleteDirectory() throws IOException {
    FileSystemStore.open(directory).erasePrefix(StorePrefix.ROOT).block(Duration.ofSeconds(30));
    Files.delete(directory);
  }

  @Override
  final Store createStore() {
    return FileSystemStore.open(directory.resolve("store-" + stores++));
  }
}
