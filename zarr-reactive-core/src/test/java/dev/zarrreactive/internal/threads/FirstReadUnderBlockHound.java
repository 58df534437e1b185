package dev.zarrreactive.internal.threads;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.store.file.FileSystemStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import reactor.blockhound.BlockHound;

/**
 * A service of a user's: installs BlockHound, and reads arrays, the first of its JVM, and writes
 * each.
 */
public final class FirstReadUnderBlockHound {
  private FirstReadUnderBlockHound() {}

  /** Takes the directory of a store and the paths of arrays in it. */
  public static void main(String[] arguments) {
    BlockHound.install();
    for (int i = 1; i < arguments.length; i++) {
      int[] read =
          Zarr.hierarchy(FileSystemStore.open(Path.of(arguments[0])))
              .openArray(arguments[i])
              .flatMap(
                  array ->
                      array
                          .read(Selection.all())
                          .delayUntil(values -> array.write(Selection.all(), values)))
              .block(Duration.ofSeconds(60))
              .toIntArray();
      System.out.println(arguments[i] + " " + Arrays.stream(read).sum());
    }
  }
}
