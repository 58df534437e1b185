package dev.zarrreactive.icechunk;

import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrLocation;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.error.AccessDeniedException;
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
  void a_pinned_location_leads_to_the_snapshot_of_now() {
    String dev = await(opened.snapshot(IcechunkVersion.branch("dev"))).id();
    String tag = await(opened.snapshot(IcechunkVersion.tag("v 1"))).id();
    assertThat(pinned("|icechunk://branch.dev/g/a%20b", StoreOptions.none()))
        .hasToString(repository + "|icechunk://" + dev + "/g/a%20b");
    assertThat(pinned("|icechunk://tag.v%201|zarr3:g", StoreOptions.none()))
        .hasToString(repository + "|icechunk://" + tag + "|zarr3:g");
    assertThat(pinned("|icechunk://" + dev + "/g", StoreOptions.none()))
        .hasToString(repository + "|icechunk://" + dev + "/g");
    StoreOptions options =
        StoreOptions.none().with("branch", "dev").with("virtual:s3://a/", "region=x");
    for (String segment : List.of("", "|icechunk:", "|icechunk")) {
      ZarrLocation found = pinned(segment, options);
      assertThat(found).hasToString(repository + "|icechunk://" + dev);
      assertThat(found.storeOptions())
          .isEqualTo(StoreOptions.none().with("virtual:s3://a/", "region=x"));
      assertThat(await(found.hierarchy().flatMap(in -> in.openArray("scalar"))).shape().rank())
          .isZero();
    }
    assertThat(pinned("|icechunk:g", options))
        .hasToString(repository + "|icechunk://" + dev + "/g");
    Instant early = await(opened.history(IcechunkVersion.branch("dev"))).get(1).time();
    ZarrLocation then = pinned("|icechunk://branch.dev?as-of=" + early, StoreOptions.none());
    assertThat(then.toString()).doesNotContain("?").doesNotContain(dev);
  }

  @Test
  void a_pinned_location_has_the_errors_of_opening_it() {
    assertThat(errorOf(Zarr.at(repository + "|icechunk://branch.none").pin()))
        .hasMessageContaining("\"none\"");
    assertThat(errorOf(Zarr.at(repository + "|icechunk:@branch.main").pin()))
        .hasMessageContaining("older draft");
    assertThat(errorOf(Zarr.at(repository + "none|icechunk:").pin())).isNotNull();
  }

  private static ZarrLocation pinned(String segment, StoreOptions options) {
    return await(Zarr.at(repository + segment).withStoreOptions(options).pin());
  }

  @Test
  void an_option_allows_virtual_chunks() {
    String place = directory.resolve("virtual-v2").toUri().toString();
    StoreOptions allowed =
        StoreOptions.none().with("virtual:" + directory.resolve("data").toUri(), "");
    Mono<NdArray> refused =
        Zarr.at(place + "|icechunk:").hierarchy().flatMap(IcechunkPipelinesTest::few);
    assertThat(errorOf(refused)).isInstanceOf(AccessDeniedException.class);
    Mono<NdArray> elsewhere =
        Zarr.at(place + "|icechunk:")
            .withStoreOptions(allowed)
            .hierarchy()
            .flatMap(IcechunkPipelinesTest::few);
    assertThat(errorOf(elsewhere))
        .as("the repository names another directory than the one that is allowed")
        .isInstanceOf(AccessDeniedException.class);
  }

  private static Mono<NdArray> few(ZarrHierarchy hierarchy) {
    return hierarchy.openArray("few").flatMap(ZarrArray::read);
  }

  @Test
  void what_names_no_version_or_several_is_refused() {
    for (String wrong :
        List.of("@branch.main", "branch:main", "//main", "//branch.", "//tag.v1?x=1")) {
      assertThat(refusal("|icechunk:" + wrong, StoreOptions.none()))
          .as(wrong)
          .hasMessageMatching(
              "(?s).*(icechunk://branch.NAME/PATH|as-of=INSTANT|not the id of a snapshot|no branch"
                  + " \"\").*");
    }
    StoreOptions tag = StoreOptions.none().with("tag", "v 1");
    assertThat(refusal("|icechunk://branch.dev", tag)).hasMessageContaining("named twice");
    assertThat(refusal("|icechunk:", tag.with("branch", "dev")))
        .hasMessageContaining("named twice");
    assertThat(refusal("|icechunk://tag.v%201?as-of=x", StoreOptions.none()))
        .hasMessageContaining("as-of is for a branch");
    assertThat(refusal("|icechunk://branch.dev?as-of=x", StoreOptions.none()))
        .hasMessageContaining("as-of is an instant");
  }
}
