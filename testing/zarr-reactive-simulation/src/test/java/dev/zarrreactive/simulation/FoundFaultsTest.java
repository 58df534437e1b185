package dev.zarrreactive.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.testing.Cases;
import dev.zarrreactive.testing.Sampled;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulator finds a fault that is put into the library, within 2,000 seeds. */
class FoundFaultsTest {
  private static final long SEEDS = 2_000;

  static List<Mutation> mutations() {
    return Cases.everyOther(
        6,
        Stream.of(StoreMutations.all(), PipelineMutations.all(), CommitMutations.all())
            .flatMap(all -> all)
            .toList());
  }

  @Sampled
  @ParameterizedTest
  @MethodSource("mutations")
  void a_fault_is_found(Mutation mutation, TestReporter reporter)
      throws ReflectiveOperationException {
    MutatedLibrary library = MutatedLibrary.with(mutation);
    String found = library.firstFailure(mutation.seed(), mutation.seed() + 1);
    if (found == null) {
      long first = mutation.seed() - mutation.seed() % ScenarioGenerator.FAMILY;
      found = library.firstFailure(first, first + SEEDS);
    }
    assertThat(found).as(mutation + " is found").isNotNull();
    reporter.publishEntry(mutation.name(), found.lines().findFirst().orElseThrow());
  }
}
