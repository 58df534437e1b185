package dev.zarrreactive.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.zarrreactive.interop.Outcome.Kind;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.store.zip.ZipStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Reads what other implementations wrote. A case passes, or it is refused clearly and its class
 * stands in {@code not-yet.txt}; there is no third way.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InteropTest {
  /** Unpacking to disk takes long: every so many-th case is read from there too. */
  private static final int FILE_SYSTEM_SAMPLE = 5;

  @TempDir static Path directory;

  private final ResultTable results = new ResultTable("passed", "refused", "not yet", "failed");
  private final Map<String, String> refusals = new TreeMap<>();
  private int cases;

  static List<Fixture> cases() {
    return Fixtures.good();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void every_case_is_read_right_or_refused_clearly(Fixture fixture) {
    Optional<NotYet.Line> notYet =
        NotYet.line(fixture.group()).or(() -> NotYet.line("good/" + fixture.name()));
    Outcome outcome = read(fixture);
    results.count(fixture.group(), column(outcome, notYet.isPresent()));
    switch (outcome.kind()) {
      case PASSED ->
          notYet.ifPresent(
              line -> fail(fixture + " is now supported: narrow or remove the line " + line));
      case REFUSED -> {
        refusals.put(fixture.name(), outcome.message());
        assertThat(notYet)
            .as(
                "%s: refused, and %s is not listed: %s",
                fixture, fixture.group(), outcome.message())
            .isPresent();
      }
      case FAILED -> fail(fixture + ": " + outcome.message());
    }
  }

  private Outcome read(Fixture fixture) {
    boolean sampled = cases++ % FILE_SYSTEM_SAMPLE == 0 && fixture.isUnpackable();
    if (!fixture.isDirectory()) {
      Path archive = fixture.unpack(directory);
      return CaseReading.of(fixture, ZipStore.open(archive).block());
    }
    Outcome inMemory = CaseReading.of(fixture, fixture.inMemory());
    if (!inMemory.is(Kind.FAILED) && sampled) {
      Path store = fixture.unpack(directory);
      Outcome inFiles = CaseReading.of(fixture, FileSystemStore.open(store));
      if (!inFiles.is(inMemory.kind())) {
        return new Outcome(Kind.FAILED, "from files: " + inFiles + ", in memory: " + inMemory);
      }
      return inFiles;
    }
    return inMemory;
  }

  private static int column(Outcome outcome, boolean notYet) {
    return switch (outcome.kind()) {
      case PASSED -> 0;
      case REFUSED -> notYet ? 2 : 1;
      case FAILED -> 3;
    };
  }

  @Test
  void every_line_of_the_list_of_unsupported_cases_has_a_case() {
    List<String> names = new ArrayList<>();
    Fixtures.good()
        .forEach(fixture -> names.addAll(List.of(fixture.group(), "good/" + fixture.name())));
    Fixtures.bad().forEach(fixture -> names.add("bad/" + fixture.name()));
    assertThat(NotYet.LINES).allSatisfy(line -> assertThat(names).anyMatch(line::matches));
  }

  @AfterAll
  void print() {
    StringBuilder messages = new StringBuilder();
    refusals.forEach(
        (name, message) -> messages.append(name).append('\t').append(message).append('\n'));
    ResultTable.write("refused-good-cases.txt", messages.toString());
    Path file = ResultTable.write("good-cases.txt", results.toString());
    System.out.println("What others wrote, read here (by class: " + file + ")");
    System.out.println(results.by(name -> name.split("/", 2)[0]));
  }
}
