package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.EARTH;
import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.s3.AnonymousS3Proxy;
import dev.zarrreactive.s3.S3ProxyServer;
import dev.zarrreactive.s3.S3Store;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.file.FileSystemStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command on hierarchies in a bucket of S3. */
class S3CommandTest {
  private static final S3ProxyServer SERVER = S3ProxyServer.shared();
  private static final String BUCKET = SERVER.newBucket();
  private static AnonymousS3Proxy anonymous;

  @TempDir Path directory;

  private final Map<String, String> properties = new TreeMap<>();

  @BeforeAll
  static void fill() {
    anonymous = AnonymousS3Proxy.of(SERVER);
    Store files = FileSystemStore.open(EARTH);
    S3Store objects = SERVER.at(BUCKET).prefix("data/earth.zarr").open();
    files
        .list()
        .flatMap(key -> files.get(key).flatMap(value -> objects.set(key, value)))
        .then(objects.close())
        .block();
  }

  @AfterAll
  static void stop() {
    anonymous.close();
  }

  @AfterEach
  void forget() {
    properties.keySet().forEach(System::clearProperty);
  }

  /** As variables of the environment would, which a process cannot give itself. */
  private void set(String name, String value) {
    properties.put(name, value);
    System.setProperty(name, value);
  }

  private void setKeys(String secret) {
    set("aws.accessKeyId", S3ProxyServer.ACCESS_KEY);
    set("aws.secretAccessKey", secret);
  }

  private static CommandRun good(String... arguments) {
    CommandRun run = zarr(arguments);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run;
  }

  private static CommandRun signed(String... arguments) {
    return zarr(
        Stream.concat(Stream.of(arguments), Stream.of("--endpoint=" + SERVER.uri()))
            .toArray(String[]::new));
  }

  @Test
  void unfinished_uploads_are_cleaned() {
    setKeys(S3ProxyServer.SECRET_KEY);
    String bucket = SERVER.newBucket();
    SERVER.beginUpload(bucket, "data/a/c/0", 100);
    SERVER.beginUpload(bucket, "other/c/0", 1);
    String place = "s3://" + bucket + "/data";
    assertThat(signed("clean", place).out())
        .isEqualTo("Removed 0 uploads of dead writers, 0 bytes.\n");
    CommandRun dry = signed("clean", place, "--dry-run", "--older-than", "0.001ms");
    assertThat(dry.out())
        .as(dry.err())
        .isEqualTo("a/c/0  100 bytes\nWould remove 1 upload of dead writers, 100 bytes.\n");
    assertThat(signed("clean", place, "--older-than", "0.001ms").out())
        .isEqualTo("Removed 1 upload of dead writers, 100 bytes.\n");
    assertThat(signed("clean", place, "--older-than", "0.001ms").out()).startsWith("Removed 0");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "info %s",
        "info %s/earth/lat",
        "header %s",
        "ls %s/earth",
        "ls %s --recursive",
        "attrs %s/earth/lat",
        "stats %s/earth/relief",
        "tree %s",
        "read %s/earth/rgb --select 134:136,380:382",
        "stream %s/earth/relief --in-order"
      })
  void what_only_reads_says_of_a_bucket_what_it_says_of_the_directory(String line) {
    String at = "s3://" + BUCKET + "/data/earth.zarr";
    String options = " --anonymous --endpoint " + anonymous.uri();
    CommandRun near = good(line.formatted(EARTH).split(" "));
    CommandRun far = good((line.formatted(at) + options).split(" "));
    assertThat(far.out().replace(at, EARTH.toString())).isEqualTo(near.out());
  }

  @Test
  void a_bucket_is_listed_also_where_no_node_is_and_nothing_is_a_failure() {
    String options = " --anonymous --endpoint " + anonymous.uri();
    assertThat(good(("ls s3://" + BUCKET + options).split(" ")).out())
        .isEqualTo("             data/\n");
    assertThat(good(("ls s3://" + BUCKET + "/data/" + options).split(" ")).out())
        .isEqualTo("             earth.zarr/\n");
    CommandRun nothing = zarr(("ls s3://" + BUCKET + "/sea" + options).split(" "));
    assertThat(nothing.exitCode()).isOne();
    assertThat(nothing.err()).endsWith("/sea: nothing is here\n");
  }

  @Test
  void attributes_change_in_a_bucket_and_consolidated_metadata_above_go() {
    setKeys(S3ProxyServer.SECRET_KEY);
    String other = "s3://" + SERVER.newBucket() + "/attrs/earth.zarr";
    assertThat(signed("copy", EARTH.toString(), other, "--quiet", "--consolidate").err()).isEmpty();
    CommandRun run = signed("attrs", other + "/earth/lat", "units=m");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.err()).startsWith("removed the consolidated metadata of " + other + ", which");
    assertThat(signed("attrs", other + "/earth/lat", "units").out()).isEqualTo("m\n");
  }

  @Test
  void credentials_come_from_a_profile() throws IOException {
    Path credentials = directory.resolve("credentials");
    Files.writeString(
        credentials,
        """
        [of-tests]
        aws_access_key_id = %s
        aws_secret_access_key = %s
        """
            .formatted(S3ProxyServer.ACCESS_KEY, S3ProxyServer.SECRET_KEY));
    set("aws.sharedCredentialsFile", credentials.toString());
    set("aws.configFile", directory.resolve("none").toString());
    String lat = "s3://" + BUCKET + "/data/earth.zarr/earth/lat";
    CommandRun run = signed("read", lat, "--select=0", "--profile=of-tests");
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).isEqualTo("float64 []\n89.75\n");
    CommandRun unknown = signed("read", lat, "--select=0", "--profile=of-others");
    assertThat(unknown.exitCode()).isOne();
    assertThat(unknown.err()).startsWith("zarr: error: " + lat + ": ").contains("of-others");
  }

  @Test
  void a_hierarchy_is_copied_into_a_bucket_and_its_metadata_are_consolidated() {
    setKeys(S3ProxyServer.SECRET_KEY);
    String bucket = SERVER.newBucket();
    String copy = "s3://" + bucket + "/a/copy.zarr";
    CommandRun copied = signed("copy", EARTH.toString(), copy, "--json", "--no-consolidate");
    assertThat(copied.exitCode()).as(copied.err()).isZero();
    assertThat(copied.out()).startsWith("{\"nodes\":6,\"chunks\":58,");
    assertThat(signed("consolidate", copy).exitCode()).isZero();
    assertThat(signed("info", copy).out()).contains("consolidated");
    assertThat(signed("read", "--format=json", copy + "/earth/relief").out())
        .isEqualTo(good("read", "--format=json", EARTH + "/earth/relief").out());
  }

  @Test
  void a_copy_into_a_hierarchy_of_a_bucket_becomes_a_node_of_it() {
    setKeys(S3ProxyServer.SECRET_KEY);
    String copy = "s3://" + SERVER.newBucket() + "/a/copy.zarr";
    assertThat(signed("copy", EARTH.toString(), copy, "--consolidate").exitCode()).isZero();
    CommandRun inside = signed("copy", copy + "/earth/lat", copy + "/sub/y");
    assertThat(inside.exitCode()).as(inside.err()).isZero();
    assertThat(inside.err())
        .contains(" copied to sub/y in the hierarchy " + copy)
        .contains("\nrenewed the consolidated metadata of " + copy + ",");
    assertThat(signed("tree", copy).out()).contains("sub\n", "y  float64 [360]");
    assertThat(signed("info", copy + "/sub").out()).startsWith("group ");
    assertThat(signed("copy", copy, copy + "/sub/z").err()).contains("DST lies inside SRC");
  }

  @Test
  void a_new_array_in_a_bucket_makes_the_group_that_its_path_names() throws IOException {
    setKeys(S3ProxyServer.SECRET_KEY);
    String bucket = "s3://" + SERVER.newBucket();
    String lat = EARTH + "/earth/lat";
    CommandRun created =
        signed("create", bucket + "/d/new.zarr/g/a", "--shape=3", "--dtype=int8", "--format=2");
    assertThat(created.out())
        .startsWith("Created the group " + bucket + "/d/new.zarr and an array of int8 [3]");
    assertThat(signed("tree", bucket + "/d/new.zarr").out()).contains("g", "a  int8 [3]");
    assertThat(signed("copy", lat, bucket + "/plain/lat").err())
        .contains(" copied to lat in the new hierarchy " + bucket + "/plain,");
    assertThat(signed("tree", bucket + "/plain").out()).contains("lat  float64 [360]");
    Path raw = Files.write(Files.createTempFile("zarr", ".raw"), new byte[] {1, 2, 3});
    CommandRun imported =
        signed("import", raw.toString(), bucket + "/i.zarr/a", "--dtype=int8", "--shape=3");
    assertThat(imported.out()).as(imported.err()).startsWith("Created the group " + bucket);
    Files.delete(raw);
    assertThat(signed("copy", lat, bucket + "/root.zarr").exitCode()).isZero();
    assertThat(signed("tree", bucket + "/root.zarr").out())
        .isEqualTo(bucket + "/root.zarr  float64 [360]\n");
    assertThat(signed("copy", lat, bucket + "/d/lat").exitCode()).isZero();
    assertThat(signed("info", bucket + "/d").exitCode()).as("holds other keys").isOne();
  }

  @Test
  void a_wrong_key_is_refused_and_not_shown() {
    setKeys("sesame-and-so-on");
    String at = "s3://" + BUCKET + "/data/earth.zarr";
    for (String command : new String[] {"info", "tree", "read"}) {
      CommandRun run = signed(command, at, "--verbose");
      assertThat(run.exitCode()).isOne();
      assertThat(run.err())
          .startsWith("zarr: error: " + at + ": access denied: ")
          .contains("403 SignatureDoesNotMatch", "the environment or a --profile")
          .doesNotContain("sesame");
    }
  }

  @Test
  void a_bucket_that_is_not_there_is_no_empty_one() {
    CommandRun run =
        zarr("info", "s3://not-there/a", "--anonymous", "--endpoint=" + anonymous.uri());
    assertThat(run.exitCode()).isOne();
    assertThat(run.err()).startsWith("zarr: error: s3://not-there/a: ").contains("NoSuchBucket");
  }
}
