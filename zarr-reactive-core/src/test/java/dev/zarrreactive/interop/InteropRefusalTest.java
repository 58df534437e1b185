package dev.zarrreactive.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.UnknownExtensionException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.interop.Refusal.When;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.file.FileSystemStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Reads what is malformed. It is refused at the operation that the case names, soon, without much
 * memory, and with an error that says what is wrong and where.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InteropRefusalTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long MOST_BYTES = 8 << 20;

  /** Cases that are about something that nobody knows, or that nobody can hold in memory. */
  private static final Set<String> KINDS_UNKNOWN_OR_UNSUPPORTED =
      Set.of(
          "cke-unknown",
          "codec-shinner", // one of them has an unknown inner codec
          "codec-unknown",
          "codec-unknownaa",
          "dtype-object",
          "dtype-unknown",
          "dtype-v2",
          "grid-unknown",
          "st-unknown",
          "v2-comp",
          "chunk-overflow",
          "shape-overflow");

  @TempDir static Path directory;

  private final ResultTable results =
      new ResultTable("at open", "at read", "not yet", "optional", "failed");
  private final Map<String, String> messages = new TreeMap<>();

  static List<Fixture> cases() {
    return Fixtures.bad();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void every_case_is_refused_where_it_says_and_says_why(Fixture fixture) {
    boolean passed = false;
    Refusal refusal = null;
    try {
      refusal = refusal(fixture, fixture.inMemory());
      check(fixture, refusal);
      if (fixture.hasNeighbour() && fixture.isUnpackable()) {
        Store files = FileSystemStore.open(fixture.unpack(directory));
        check(fixture, refusal(fixture, files));
      }
      passed = true;
    } finally {
      record(fixture, refusal, passed);
    }
  }

  private static Refusal refusal(Fixture fixture, Store store) {
    Refusal refusal = refusalInTime(fixture, store);
    for (int i = 0; i < 3 && refusal.allocated() >= MOST_BYTES; i++) {
      refusal = refusalInTime(fixture, store); // the first ones may have loaded classes
    }
    assertThat(refusal.allocated())
        .as("%s: bytes allocated for %s", fixture, refusal.error())
        .isLessThan(MOST_BYTES);
    return refusal;
  }

  private static Refusal refusalInTime(Fixture fixture, Store store) {
    return assertTimeoutPreemptively(
        PATIENCE, () -> Refusal.of(fixture, store), () -> fixture + " takes too long");
  }

  private static void check(Fixture fixture, Refusal refusal) {
    Optional<NotYet.Line> notYet = NotYet.line("bad/" + fixture.name());
    Throwable error = refusal.error();
    if (error == null) {
      assertThat(notYet).as("%s is read, so that this line must go", fixture).isEmpty();
      assertThat(fixture.isTrue("optional") || refusal.when() == When.BAD_NODE_IS_HIDDEN)
          .as("%s must be refused: %s", fixture, fixture.text("what"))
          .isTrue();
      return;
    }
    checkKind(fixture, error, notYet);
    checkMessage(fixture, error);
    if (notYet.isEmpty() && fixture.text("op").equals("open")) {
      assertThat(refusal.when()).as("%s: when", fixture).isEqualTo(When.AT_OPEN);
    }
    if (notYet.isEmpty() && Set.of("chunk", "shard").contains(fixture.group())) {
      assertThat(refusal.when())
          .as("%s: only what it stores is bad: %s", fixture, error)
          .isEqualTo(When.AT_READ);
    }
  }

  private static void checkKind(Fixture fixture, Throwable error, Optional<NotYet.Line> notYet) {
    if (fixture.text("kind").startsWith("path-dotdot")
        && error instanceof IllegalArgumentException) {
      return;
    }
    if (!(error instanceof ZarrException located) || !Outcome.isLocated(located)) {
      throw new AssertionError(fixture + ": not a located error: " + error, error);
    }
    boolean unsupported =
        error instanceof UnknownExtensionException || error instanceof UnsupportedFeatureException;
    if (notYet.isPresent()) {
      assertThat(unsupported).as("%s: \"unsupported\" was expected: %s", fixture, error).isTrue();
    } else if (unsupported && !KINDS_UNKNOWN_OR_UNSUPPORTED.contains(fixture.text("kind"))) {
      fail(fixture + " should not be refused as unsupported: " + error);
    }
  }

  /** What a person needs: which node or key, and in a document the place. */
  private static void checkMessage(Fixture fixture, Throwable error) {
    if (error instanceof IllegalArgumentException) {
      assertThat(error).hasMessageContaining(fixture.text("path"));
      return;
    }
    assertThat(error.getMessage()).as("%s", fixture).containsPattern("\\((node|key) ");
    if (error instanceof MetadataException || error instanceof UnknownExtensionException) {
      assertThat(error.getMessage())
          .as("%s", fixture)
          .containsPattern(", at (/|the top of the document)");
    }
    assertThat(error.getMessage())
        .as("%s: nothing that only a programmer understands", fixture)
        .doesNotContain("Exception", "java.", "[L", "@", "Stream", "Feature");
  }

  private void record(Fixture fixture, Refusal refusal, boolean passed) {
    boolean notYet = NotYet.line("bad/" + fixture.name()).isPresent();
    int column = 4;
    if (passed) {
      column = notYet ? 2 : refusal.error() == null ? 3 : refusal.when() == When.AT_OPEN ? 0 : 1;
    }
    results.count(fixture.group() + (fixture.isVersion3() ? "" : " (not v3)"), column);
    if (refusal != null) {
      Throwable error = refusal.error();
      messages.put(
          fixture.name(),
          String.format(
              "%s [%s]\n    %s, %,d bytes allocated: %s%n%n",
              fixture,
              fixture.text("what"),
              refusal.when(),
              refusal.allocated(),
              error == null ? "accepted" : error));
    }
  }

  @AfterAll
  void print() {
    Path file = ResultTable.write("bad-cases.txt", String.join("", messages.values()));
    System.out.println("What is malformed, refused here (with every message: " + file + ")");
    System.out.println(results);
  }
}
