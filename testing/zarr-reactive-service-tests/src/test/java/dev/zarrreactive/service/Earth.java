package dev.zarrreactive.service;

import dev.zarrreactive.store.file.FileSystemStore;
import java.nio.file.Path;

/** The hierarchy of the demonstration. */
final class Earth {
  private Earth() {}

  static FileSystemStore store() {
    return FileSystemStore.open(
        Path.of("../../tools/zarr-reactive-cli/src/main/resources/demo/earth.zarr"));
  }
}
