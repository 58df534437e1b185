package dev.zarrreactive.icechunk;

import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.store.StoreOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

/** Versions of repositories are opened by pipelines of URLs. */
class IcechunkPipelinesTest {
  @TempDir static Path directory;

  private static String repository;
  private static IcechunkRepository opened;

  @BeforeAll
  static void unpack() throws IOException {
    RepositoriesByPythonTest.unpackInto(directory);
    repository = directory.resolve("basic-v2").toUri().toString();
    opened = await(Icechunk.open(new PythonAnswers(directory).place("basic-v2")));
  }

  private static long scalar(String segment, StoreOptions options) {
    return await(read(segment, options)).getLong();
  }

  private static Mono<NdArray> read(String segment, StoreOptions options) {
    return Zarr.at(repository + segment)
        .withStoreOptions(options)
        .hierarchy()
        .flatMap(hierarchy -> hierarchy.openArray("scalar"))
        .flatMap(ZarrArray::read);
  }

  private static Throwable refusal(String segment, StoreOptions options) {
    return errorOf(read(segment, options));
  }

  private static long scalar(String segment) {
    return scalar(segment, StoreOptions.none());
  }

  @Test
  void a_segment_names_a_branch_a_tag_a_snapshot_or_main() {
    String tip = await(opened.snapshot(IcechunkVersion.branch("dev"))).id();
    assertThat(scalar("|icechunk:")).isEqualTo(42);
    assertThat(scalar("|icechunk://branch.main/")).isEqualTo(42);
    assertThat(scalar("|icechunk://branch.dev")).isEqualTo(43);
    assertThat(scalar("|icechunk://tag.v%201")).isEqualTo(42);
    assertThat(scalar("|icechunk://" + tip)).isEqualTo(43);
    assertThat(await(Zarr.at(repository + "|icechunk://branch.main/g/plane").openArray()).shape())
        .hasToString("[12, 7]");
  }

  @Test
  void an_instant_names_the_state_of_a_branch() {
    List<IcechunkSnapshot> history = await(opened.history(IcechunkVersion.branch("dev")));
    Instant before = history.get(1).time();
    assertThat(scalar("|icechunk://branch.dev?as-of=" + before)).isEqualTo(42);
    StoreOptions options =
        StoreOptions.none().with("branch", "dev").with("as-of", before.toString());
    assertThat(scalar("|icechunk:", options)).isEqualTo(42);
    assertThat(scalar("|icechunk:", StoreOptions.none().with("branch", "dev"))).isEqualTo(43);
    assertThat(scalar("|icechunk:", StoreOptions.none().with("tag", "v 1"))).isEqualTo(42);
  }

  @Test
  void what_names_no_version_is_refused_with_the_form_that_does() {
    for (String wrong :
        List.of("@branch.main", "branch:main", "//main", "//branch.", "/path", "//tag.v1?x=1")) {
      assertThat(refusal("|icechunk:" + wrong, StoreOptions.none()))
          .as(wrong)
          .hasMessageMatching("(?s).*(icechunk://branch.NAME/PATH|\\?as-of=INSTANT).*");
    }
    StoreOptions tag = StoreOptions.none().with("tag", "v 1");
    assertThat(refusal("|icechunk://branch.dev", tag))
        .hasMessageContaining("leave out one of them");
    assertThat(refusal("|icechunk:", tag.with("branch", "dev")))
        .hasMessageContaining("a version is a branch");
    assertThat(refusal("|icechunk://tag.v%201?as-of=x", StoreOptions.none()))
        .hasMessageContaining("only a branch");
    assertThat(refusal("|icechunk://branch.dev?as-of=x", StoreOptions.none()))
        .hasMessageContaining("is no instant");
  }
}
