package dev.zarrreactive.internal.write;

import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Cases;
import dev.zarrreactive.testing.GrowthSequence;
import dev.zarrreactive.testing.Sampled;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random sequences of operations against a naive model. {@code -Dzarr.growth.sequences=FROM-TO}
 * runs others, and {@code -Dzarr.growth.files=FROM-TO} on files; a failure prints the seed and all
 * that was done.
 */
@Sampled
class GrowthSequenceTest {
  @Test
  @Timeout(36_000)
  void in_memory_after_each_step_the_array_is_what_the_model_is() {
    String[] ends =
        System.getProperty("zarr.growth.sequences", "0-" + Cases.some(100, 750)).split("-");
    for (long seed = Long.parseLong(ends[0]); seed < Long.parseLong(ends[1]); seed++) {
      GrowthSequence.run(MemoryStore.create(), seed, 6);
      if (seed % 5_000 == 4_999) {
        System.out.println("growth sequences up to " + seed);
      }
    }
  }

  @Test
  @Timeout(36_000)
  void on_files_too(@TempDir Path directory) {
    String[] ends =
        System.getProperty("zarr.growth.files", "1000-" + Cases.some(1030, 1210)).split("-");
    for (long seed = Long.parseLong(ends[0]); seed < Long.parseLong(ends[1]); seed++) {
      FileSystemStore store = FileSystemStore.open(directory.resolve("s" + seed));
      GrowthSequence.run(store, seed, 5);
      store.erasePrefix(StorePrefix.ROOT).block();
      if (seed % 5_000 == 4_999) {
        System.out.println("growth sequences on files up to " + seed);
      }
    }
  }
}
