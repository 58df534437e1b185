package dev.zarrreactive.internal.write;

import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.store.memory.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Arrays that grow and shrink against a model that goes element by element. */
class ResizingPropertyTest {
  @Property(tries = 250)
  void after_any_steps_the_array_is_what_the_model_is(@ForAll long seed) {
    run(MemoryStore.create(), seed, 12);
  }

  @Property(tries = 60)
  void without_versions_and_conditions_too(@ForAll long seed) {
    run(new Plain(MemoryStore.create()), seed, 12);
  }

  @Property(tries = 15)
  void in_a_directory_too(@ForAll long seed) throws IOException {
    Path directory = Files.createTempDirectory("growing");
    try {
      run(FileSystemStore.open(directory), seed, 8);
    } finally {
      try (Stream<Path> all = Files.walk(directory)) {
        List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
        for (Path path : deepestFirst) {
          Files.delete(path);
        }
      }
    }
  }

  private static void run(Store store, long seed, int steps) {
    GrowingModel model = new GrowingModel(store, new Random(seed));
    for (int i = 0; i < steps; i++) {
      model.step();
    }
  }

  /** A store that neither knows versions nor checks conditions. */
  private static final class Plain extends DelegatingStore {
    Plain(Store delegate) {
      super(delegate);
    }

    @Override
    public Set<StoreCapability> capabilities() {
      return EnumSet.complementOf(
          EnumSet.of(
              StoreCapability.VERSIONS,
              StoreCapability.CONDITIONAL_WRITE,
              StoreCapability.CONDITIONAL_ERASE));
    }
  }
}
