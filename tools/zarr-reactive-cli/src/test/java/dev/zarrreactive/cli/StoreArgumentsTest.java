package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.EARTH;
import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.cli.options.Secrets;
import dev.zarrreactive.cli.options.StoreArguments;
import dev.zarrreactive.cli.options.StoreSettings;
import dev.zarrreactive.store.StoreOptions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What becomes of the options for stores. */
class StoreArgumentsTest {
  private static final Map<String, String> ENVIRONMENT =
      Map.of("APIKEY", " sesame-1 \n", "TOKEN", "sesame-2", "TWOLINES", "sesame\n3");

  @BeforeEach
  void forget() {
    TestStoreProvider.forget();
  }

  private static String[] words(String first, String rest, String... last) {
    return Stream.of(Stream.of(first), Stream.of(rest.split(" ")), Stream.of(last))
        .flatMap(words -> words)
        .filter(word -> !word.isEmpty())
        .map(word -> word.replace('_', ' '))
        .toArray(String[]::new);
  }

  /** What a store at {@code location} is told where the command line has {@code options}. */
  private static Map<String, String> told(String location, String options) {
    StoreArguments arguments = new StoreArguments();
    CommandLine line = new CommandLine(CommandLine.Model.CommandSpec.create());
    line.addMixin("stores", arguments);
    line.parseArgs(words("", options));
    StoreSettings settings = new StoreSettings(line.getCommandSpec(), ENVIRONMENT, new Secrets());
    arguments.addTo(settings);
    StoreOptions told = settings.checkedFor(location).of(location);
    return TestStoreProvider.values(told);
  }

  @Test
  void options_have_the_names_that_stores_over_http_know() {
    assertThat(
            told(
                "HTTPS://host/a.zarr",
                "--header X-A:_b --header=X-C:d:e --bearer-token-env TOKEN --http2"
                    + " --proxy http://p:1 --connections 8 --timeout 1500ms --no-retry"
                    + " --forbidden-is-missing --pages-are-missing --store-option resumes=5"))
        .isEqualTo(
            Map.ofEntries(
                Map.entry("header.X-A", "b"),
                Map.entry("header.X-C", "d:e"),
                Map.entry("bearer-token", "sesame-2"),
                Map.entry("http2", "true"),
                Map.entry("proxy", "http://p:1"),
                Map.entry("connections", "8"),
                Map.entry("stall-timeout", "PT1.5S"),
                Map.entry("retry", "false"),
                Map.entry("forbidden-is-missing", "true"),
                Map.entry("pages-are-missing", "true"),
                Map.entry("resumes", "5")));
    assertThat(told("http://host/a", "")).isEmpty();
  }

  @Test
  void options_have_the_names_that_stores_on_s3_know() {
    assertThat(
            told(
                "s3://bucket/a.zarr",
                "--endpoint http://e:9 --region r --profile p --anonymous --path-style"
                    + " --requester-pays --connections 8 --timeout 2m --no-retry"
                    + " --forbidden-is-missing --store-option checksums=when-required"))
        .isEqualTo(
            Map.ofEntries(
                Map.entry("endpoint", "http://e:9"),
                Map.entry("region", "r"),
                Map.entry("profile", "p"),
                Map.entry("anonymous", "true"),
                Map.entry("path-style", "true"),
                Map.entry("requester-pays", "true"),
                Map.entry("connections", "8"),
                Map.entry("stall-timeout", "PT2M"),
                Map.entry("retry", "false"),
                Map.entry("forbidden-is-missing", "true"),
                Map.entry("checksums", "when-required")));
  }

  @Test
  void a_source_of_credentials_has_its_settings_behind_it() {
    assertThat(told("https://h/a", "--credentials file;path=/run/token;as=query"))
        .isEqualTo(
            Map.of(
                "credentials",
                "file",
                "credentials.path",
                "/run/token",
                "credentials.as",
                "query"));
    assertThat(told("s3://b/a", "--credentials aws-instance"))
        .isEqualTo(Map.of("credentials", "aws-instance"));
    assertThat(told("https://h/a", "--store-option credentials=earthdata"))
        .isEqualTo(Map.of("credentials", "earthdata"));
    assertThat(told("a.zarr", "--virtual s3://b/;credentials=earthdata;credentials.region=any"))
        .isEqualTo(Map.of("virtual:s3://b/", "credentials=earthdata;credentials.region=any"));
  }

  @Test
  void a_value_of_the_environment_has_no_spaces_around_it() {
    assertThat(told("https://h/a", "--header-env X-Api-Key:APIKEY"))
        .isEqualTo(Map.of("header.X-Api-Key", "sesame-1"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a.zarr | --endpoint http://e | --endpoint is for s3:, gs: and az: URLs, not for a.zarr",
        "https://u:sesame@h/a?sesame | --region r | --region is for s3: URLs, not for https://h/a",
        "s3://b/a | --http2 | --http2 is for http:, https: and gs: URLs, not for s3://b/a",
        "file:///a | --no-retry | --no-retry is for URLs, not for file:///a",
        "a.zarr | --store-option a=b | --store-option is for URLs, not for a.zarr",
        "https://h/a | --connections 0 | --connections must be 1 or more",
        "https://h/a | --connections x | 'x' is not an int",
        "https://h/a | --timeout 0 | expected a time such as 30s or 500ms; found 0",
        "https://h/a | --header sesame | expected NAME:VALUE",
        "https://h/a | --header A:b --header a:sesame | the header a is given already",
        "https://h/a | --header Authorization:sesame --bearer-token-env TOKEN | given already",
        "https://h/a | --header-env X:sesame | names an environment variable that is not set",
        "https://h/a | --header-env X:TWOLINES | characters that no header can have",
        "https://h/a | --bearer-token-env sesame | names an environment variable that is not set",
        "https://h/a | --store-option bearer-token=sesame | takes no credentials",
        "a.zarr | --credentials netrc | --credentials is for URLs, not for a.zarr",
        "https://h/a | --credentials file;sesame | with settings behind semicolons",
        "https://h/a | --store-option header.Cookie=sesame | --header and --header-env do",
        "https://h/a | --store-option sesame | expected NAME=VALUE",
        "https://h/a | --headr=A:sesame | Unknown option: --headr",
        "https://h/a | --header Authorization: Bearer sesame | expected NAME:VALUE",
        "https://h/a | --header Authorization:Bearer sesame | Unexpected argument; quote",
      })
  void what_cannot_be_is_wrong_usage_and_no_secret_is_shown(
      String location, String options, String message) {
    for (String command : List.of("info", "tree", "read", "stream", "consolidate")) {
      CommandRun run = CommandRun.with(ENVIRONMENT, words(command, options, location));
      assertThat(run.exitCode()).as(command).isEqualTo(2);
      assertThat(run.err()).contains(message).doesNotContain("sesame");
    }
    CommandRun copy = CommandRun.with(ENVIRONMENT, words("copy", options, location, "b.zarr"));
    assertThat(copy.exitCode()).isEqualTo(2);
    assertThat(copy.err()).doesNotContain("sesame");
    CommandRun all = CommandRun.with(ENVIRONMENT, words("--array_path=" + location, options));
    assertThat(all.exitCode()).isEqualTo(2);
    assertThat(all.err()).doesNotContain("sesame");
  }

  @Test
  void the_demonstration_has_no_store_at_a_url() {
    CommandRun run = zarr("demo", "--http2");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--http2 is for http:, https: and gs: URLs; there is none here");
  }

  @Test
  void options_before_the_command_are_options_too() {
    assertThat(zarr("--region", "r", "info", "test://before").exitCode()).isOne();
    assertThat(TestStoreProvider.OPTIONS).containsExactly(Map.of("region", "r"));
  }

  @Test
  void a_copy_gives_each_store_its_own_options() {
    CommandRun run =
        zarr(
            "copy",
            EARTH + "/earth/lat",
            "test://sides/lat?v=1",
            "--endpoint=e",
            "--destination-option",
            "endpoint=f",
            "--connections=3");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(TestStoreProvider.OPENED)
        .hasToString("[test://sides/lat?v=1, test://sides?v=1]"); // a hierarchy may be above
    assertThat(TestStoreProvider.OPTIONS)
        .allMatch(Map.of("connections", "3", "endpoint", "f")::equals);
    assertThat(TestStoreProvider.CLOSED)
        .containsExactlyInAnyOrderElementsOf(TestStoreProvider.OPENED);

    CommandRun apart =
        zarr("copy", "test://sides/lat", "test://other", "--source-option", "endpoint=g");
    assertThat(apart.exitCode()).as(apart.err()).isZero();
    assertThat(TestStoreProvider.OPTIONS).endsWith(Map.of("endpoint", "g"), Map.of());
    assertThat(TestStoreProvider.CLOSED).hasSize(4);
    assertThat(zarr("read", "test://other", "--format=json").out())
        .isEqualTo(zarr("read", EARTH + "/earth/lat", "--format=json").out());

    CommandRun misfit = zarr("copy", "a.zarr", "test://x", "--source-option", "endpoint=g");
    assertThat(misfit.exitCode()).isEqualTo(2);
    assertThat(misfit.err()).contains("--source-option is for URLs, not for a.zarr");
  }

  @Test
  void a_copy_into_itself_is_refused_at_urls_too() {
    CommandRun run = zarr("copy", "test://host/a?sesame=1", "test://host/a/b/");
    assertThat(run.exitCode()).isOne();
    assertThat(run.err())
        .isEqualTo(
            "zarr: error: test://host/a to test://host/a/b/: DST lies inside SRC; a node cannot"
                + " be copied into itself\n");
    assertThat(TestStoreProvider.OPENED).isEmpty();
    assertThat(zarr("copy", "test://host/a", "test://host/ab").err()).doesNotContain("inside");
  }

  @Test
  void a_hierarchy_in_a_store_that_can_be_written_is_consolidated() {
    assertThat(zarr("copy", EARTH.toString(), "test://whole").exitCode()).isZero();
    CommandRun run = zarr("consolidate", "test://whole");
    assertThat(run.out()).isEqualTo("Consolidated the metadata of 5 nodes.\n");
    assertThat(zarr("tree", "test://whole").out()).contains("relief");
  }
}
