package dev.zarrreactive.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zarrreactive.interop.Outcome.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Reads the snapshots that zarrs, an implementation in Rust, compares itself with. They do not come
 * with the tests: a system property or an environment variable names the archive.
 */
class ZarrsSnapshotsTest {
  private static final String ARCHIVE = "ZARR_SNAPSHOTS";
  private static final int MOST_REFUSED = 0;

  /** What may be refused: codecs without a library, by name. */
  private static final Pattern REFUSAL =
      Pattern.compile("the codec \".*gdeflate\" is not supported: .*");

  @Test
  void every_snapshot_is_read_right_or_refused_by_the_name_of_its_codec() {
    Map<String, String> refused = new TreeMap<>();
    List<String> failed = new ArrayList<>();
    ResultTable results = new ResultTable("passed", "refused", "failed");
    for (Fixture fixture : snapshots()) {
      Outcome outcome = CaseReading.of(fixture, fixture.inMemory());
      boolean clear = REFUSAL.matcher(outcome.message()).matches();
      if (outcome.is(Kind.REFUSED) && clear) {
        refused.put(fixture.name(), outcome.message());
      } else if (!outcome.is(Kind.PASSED)) {
        failed.add(fixture + ": " + outcome);
      }
      results.count(fixture.group(), outcome.is(Kind.PASSED) ? 0 : clear ? 1 : 2);
    }
    System.out.println("Snapshots of zarrs, read here");
    System.out.println(results);
    if (!failed.isEmpty()) {
      fail(String.join("\n", failed));
    }
    assertThat(refused).hasSizeLessThanOrEqualTo(MOST_REFUSED);
  }

  private static List<Fixture> snapshots() {
    String named = System.getProperty(ARCHIVE, System.getenv(ARCHIVE));
    assumeTrue(
        named != null && !named.isEmpty(),
        "the snapshots of zarrs are not here; " + ARCHIVE + " names their archive");
    Path archive = Path.of(named);
    assertThat(archive).as(ARCHIVE).matches(Files::isRegularFile, "is a file");
    List<Fixture> snapshots = FixtureArchive.open(archive).good();
    assertThat(snapshots).hasSizeGreaterThan(300);
    return snapshots;
  }
}
