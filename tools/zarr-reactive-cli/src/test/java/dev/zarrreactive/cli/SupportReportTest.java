package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.EARTH;
import static dev.zarrreactive.cli.CommandRun.with;
import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.store.memory.MemoryStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code zarr info --support}. */
class SupportReportTest {
  /** In no word that the command prints by itself. */
  private static final String SECRET = "hunter2";

  @TempDir Path directory;

  private final MemoryStore values = MemoryStore.create();
  private final FaultyServer server = FaultyServer.of(values);

  @AfterEach
  void close() {
    server.close();
  }

  private static String report(CommandRun run) {
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.err()).isEmpty();
    return run.out();
  }

  private void put(String key, String value) {
    values.set(StoreKey.of(key), Bytes.utf8(value)).block();
  }

  @Test
  void a_report_without_a_path_has_the_versions_and_the_machine() {
    String report = report(zarr("info", "--support"));
    assertThat(report.lines().map(line -> line.replaceFirst("  .*", "")))
        .containsExactly(
            "zarr-reactive",
            "java",
            "system",
            "libraries",
            "machine code",
            "terminal",
            "options",
            "variables");
    assertThat(report)
        .contains(
            "java           " + System.getProperty("java.version") + ", ",
            System.getProperty("os.name") + " " + System.getProperty("os.version"),
            "options        --support\n",
            "zstd native, lz4 ",
            "variables      none that count\n")
        .doesNotContain("${", "unknown");
  }

  @Test
  void the_versions_are_those_of_the_jars() throws IOException {
    Properties written = new Properties();
    try (InputStream in =
        Files.newInputStream(
            Path.of("target/classes/dev/zarrreactive/cli/support/version.properties"))) {
      written.load(in);
    }
    String jars = System.getProperty("java.class.path");
    Map<String, String> named = Map.of("netty", "netty-common", "aws-sdk", "s3");
    List<String> withoutJar = List.of("zarr-reactive", "reactor", "netty-native");
    for (String name : written.stringPropertyNames()) {
      assertThat(written.getProperty(name)).as(name).isNotBlank().doesNotContain("$");
      if (!withoutJar.contains(name)) {
        assertThat(jars)
            .contains(
                "/" + named.getOrDefault(name, name) + "-" + written.getProperty(name) + ".jar");
      }
    }
    assertThat(jars).contains("netty-transport-native-epoll-" + written.get("netty-native"));
  }

  @Test
  void a_report_of_a_node_has_its_documents_as_they_are_stored() throws IOException {
    String report = report(zarr("info", "--support", EARTH + "/earth/lat"));
    assertThat(report)
        .contains(
            "location       " + EARTH + "/earth/lat\n",
            "store          [READ, WRITE, LIST, ",
            "node           array of Zarr v3, float64 [360]\n",
            "\nzarr.json, 741 bytes\n",
            Files.readString(EARTH.resolve("earth/lat/zarr.json")).strip())
        .doesNotContain(".zarray", "c/0");
  }

  @Test
  void a_node_that_cannot_be_opened_is_reported_with_the_reason_and_its_documents()
      throws IOException {
    Files.writeString(directory.resolve(".zarray"), "{\"zarr_format\": 2, \u001b[31m");
    Files.writeString(directory.resolve(".zattrs"), "{}");
    String report = report(zarr("info", "--support", directory.toString()));
    assertThat(report)
        .contains(
            "node           error: ",
            "\n.zarray, 24 bytes\n{\"zarr_format\": 2, \\u001b[31m\n",
            "\n.zattrs, 2 bytes\n{}\n");
    Path missing = directory.resolve("missing");
    assertThat(report(zarr("info", "--support", missing.toString())))
        .contains("location       " + missing + "\n", "node           error: ");
  }

  @Test
  void a_large_document_is_cut_and_a_huge_one_left_out() throws IOException {
    String large = "{\"zarr_format\": 3, \"x\": \"" + "a".repeat(20_000) + "\"}";
    Files.writeString(directory.resolve("zarr.json"), large);
    Files.writeString(directory.resolve(".zattrs"), " ".repeat((1 << 20) + 1));
    String report = report(zarr("info", "--support", directory.toString()));
    assertThat(report)
        .contains(
            "\nzarr.json, 20,027 bytes, cut after 16,384 characters\n{\"zarr",
            ".zattrs: the value has 1048577 bytes, and at most 1048576 were expected")
        .hasSizeLessThan(20_000);
  }

  @Test
  void no_secret_of_a_url_an_option_or_a_variable_is_in_a_report() {
    put(
        "a.zarr/zarr.json",
        """
        {"zarr_format": 3, "node_type": "group", "attributes": {
          "source": "https://ann:%1$s@example.org/x?sig=%1$s", "api_key": "%1$s",
          "login": {"password": ["%1$s"]}, "title": "the title"}}
        """
            .formatted(SECRET));
    String url =
        server.uri().toString().replace("://", "://ann:" + SECRET + "@")
            + "/a.zarr?sv=1&sig="
            + SECRET;
    Map<String, String> environment =
        Map.of(
            "TOKEN", SECRET,
            "MINE", SECRET + "-mine",
            "AWS_SECRET_ACCESS_KEY", SECRET,
            "AWS_PROFILE", SECRET,
            "HTTPS_PROXY", "http://ann:" + SECRET + "@proxy",
            "LANG", SECRET,
            "ZARR_JAVA_OPTS", "-Xmx1g -Dpassword=" + SECRET + " -XX:+UseSerialGC @" + SECRET);
    String report =
        report(
            with(
                environment,
                "info",
                "--support",
                url,
                "--header",
                "X-Key: " + SECRET,
                "--header-env",
                "X-Mine:MINE",
                "--no-retry",
                "--timeout",
                "30s",
                "--store-option",
                "resumes=5"));
    assertThat(report)
        .contains(
            "options        --support, ",
            "--header (not shown)",
            "--header-env (not shown)",
            "--store-option (not shown)",
            "--no-retry",
            "--timeout 30s",
            "variables      AWS_PROFILE, AWS_SECRET_ACCESS_KEY, HTTPS_PROXY, LANG, ZARR_JAVA_OPTS\n",
            "ZARR_JAVA_OPTS -Xmx1g (another) -XX:+UseSerialGC (another)\n",
            "location       " + server.uri() + "/a.zarr\n",
            "node           group of Zarr v3\n",
            "\"source\": \"https://***@example.org/x?***\", \"api_key\": \"***\"",
            "\"title\": \"the title\"")
        .doesNotContain(SECRET);
  }

  @Test
  void no_secret_is_in_the_report_of_a_location_that_fails() {
    for (String url :
        List.of(
            "http://ann:" + SECRET + "@localhost:1/a?sig=" + SECRET,
            "https://ann:" + SECRET + "/x@host/a",
            "az://account/c?sig=" + SECRET,
            "http://ann:" + SECRET + "@localhost:1/a.zip?sig=" + SECRET + "|zip:b",
            "http://localhost:1/a#" + SECRET)) {
      String report =
          report(
              with(
                  Map.of("TOKEN", SECRET), "info", "--support", url, "--no-retry", "--timeout=2s"));
      assertThat(report).contains("node           error: ").doesNotContain(SECRET);
    }
  }

  @Test
  void a_path_is_needed_where_no_report_is_asked_for() {
    CommandRun run = zarr("info");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .startsWith(
            "zarr: error: Missing required parameter: 'PATH'; only info --support needs none\n");
  }
}
