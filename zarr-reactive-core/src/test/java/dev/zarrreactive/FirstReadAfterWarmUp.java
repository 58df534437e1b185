package dev.zarrreactive;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.testing.Waiting;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Objects;
import reactor.core.publisher.Mono;

/** A service of its own: prints how many classes the first read of its JVM loads. */
public final class FirstReadAfterWarmUp {
  private FirstReadAfterWarmUp() {}

  /** Takes a directory, the path of an array in it, and {@code true} to warm up first. */
  public static void main(String[] arguments) {
    FileSystemStore store = FileSystemStore.open(Path.of(arguments[0]));
    Mono.just(0).block();
    Waiting.await(store.list().count()); // the classes of the store are not counted
    if (Boolean.parseBoolean(arguments[2])) {
      Zarr.warmUp().block();
    }
    long before = ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount();
    NdArray read =
        Objects.requireNonNull(
            Zarr.hierarchy(store).openArray(arguments[1]).flatMap(ZarrArray::read).block());
    long after = ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount();
    System.out.println(read.shape() + " " + (after - before));
  }
}
