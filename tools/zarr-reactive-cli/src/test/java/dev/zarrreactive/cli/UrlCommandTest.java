package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.EARTH;
import static dev.zarrreactive.cli.CommandRun.zarr;
import static dev.zarrreactive.testing.Waiting.PATIENCE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.cli.options.Secrets;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.faults.server.ReceivedRequest;
import dev.zarrreactive.faults.server.ServerResponse;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.store.memory.MemoryStore;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The command on hierarchies behind a server. */
class UrlCommandTest {
  /** Has copies of the hierarchy of the demonstration, by the option that they were made with. */
  @TempDir static Path shared;

  @TempDir Path directory;

  private final Store values = MemoryStore.create();
  private final FaultyServer server = FaultyServer.of(values);
  private final String url = server.uri().toString();

  @AfterEach
  void close() {
    server.close();
  }

  private static CommandRun good(String... arguments) {
    CommandRun run = zarr(arguments);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run;
  }

  private static String bad(String... arguments) {
    CommandRun run = zarr(arguments);
    assertThat(run.exitCode()).as(run.out()).isOne();
    return run.err();
  }

  private void eventually(BooleanSupplier condition) throws InterruptedException {
    for (int i = 0; !condition.getAsBoolean(); i++) {
      assertThat(i).as("times that it was not so").isLessThan(6000);
      Thread.sleep(10);
    }
  }

  /** Puts the hierarchy of the demonstration behind the server. */
  private String earth() {
    return earth("--no-consolidate");
  }

  private String earth(String option) {
    Path made = shared.resolve("earth" + option);
    if (!Files.exists(made)) {
      good("copy", EARTH.toString(), made.toString(), "--quiet", option);
    }
    try {
      TestArrays.copy(made, directory.resolve("earth.zarr"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    serve(directory.resolve("earth.zarr"), "data/earth.zarr/");
    return url + "/data/earth.zarr";
  }

  private void serve(Path from, String to) {
    Store files = FileSystemStore.open(from);
    files
        .list()
        .flatMap(key -> files.get(key).flatMap(v -> values.set(StoreKey.of(to + key), v)))
        .blockLast();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "info %s",
        "info %s/earth/lat --json",
        "header %s",
        "attrs %s/earth/lat units",
        "stats %s/earth/relief",
        "info %s --json",
        "tree %s",
        "tree %s --depth 1",
        "read %s/earth/rgb --select 134:136,380:382",
        "stream %s/earth/relief --in-order",
        "--array_path=%s/earth/lon"
      })
  void what_only_reads_says_of_a_url_what_it_says_of_the_directory(String line) throws Exception {
    String at = earth("--consolidate");
    String path = directory + "/earth.zarr";
    CommandRun near = good(line.formatted(path).split(" "));
    CommandRun far = good(line.formatted(at).split(" "));
    assertThat(far.out().replace(at, path)).isEqualTo(near.out());
    eventually(() -> server.connections() == 0); // the store was closed
  }

  @Test
  void the_stored_size_is_unknown_where_nothing_can_be_listed() {
    String array = earth("--consolidate") + "/earth/lat";
    String near = good("info", directory + "/earth.zarr/earth/lat").out();
    assertThat(good("info", array).out().replace(array, directory + "/earth.zarr/earth/lat"))
        .contains("stored       unknown: the store cannot list\n")
        .isEqualTo(
            near.replaceFirst("stored .*\n", "stored       unknown: the store cannot list\n"));
  }

  @Test
  void a_url_that_can_only_be_read_keeps_its_attributes() {
    CommandRun run = zarr("attrs", earth("--consolidate") + "/earth/lat", "units=m");
    assertThat(run.exitCode()).isOne();
    assertThat(run.err()).endsWith(": this store can only be read, not written to\n");
  }

  @Test
  void a_hierarchy_is_copied_from_a_url() {
    String at = earth("--consolidate");
    CommandRun run = good("copy", at, directory + "/copy.zip", "--json");
    assertThat(run.out()).startsWith("{\"nodes\":6,\"chunks\":58,");
    assertThat(good("read", "--format=json", directory + "/copy.zip/earth/relief").out())
        .isEqualTo(good("read", "--format=json", EARTH + "/earth/relief").out());
  }

  @Test
  void an_archive_is_opened_where_it_lies_and_a_path_into_it_too() {
    good("copy", EARTH.toString(), directory + "/x.zip", "--quiet");
    Bytes archive = FileSystemStore.open(directory).get(StoreKey.of("x.zip")).block();
    values.set(StoreKey.of("d/a b.zip"), archive).block();
    for (String at : List.of(url + "/d/a%20b.zip", url + "/d/a b.zip/")) {
      assertThat(good("tree", at + "?sig=sesame").out())
          .contains("relief")
          .doesNotContain("sesame");
    }
    assertThat(good("read", url + "/d/a b.zip/earth/lat?sig=a/b", "--select=0").out())
        .isEqualTo("float64 []\n89.75\n");
    assertThat(server.requests())
        .filteredOn(asked -> !asked.uri().endsWith("?sig=sesame"))
        .isNotEmpty()
        .allSatisfy(asked -> assertThat(asked.uri()).isEqualTo("/d/a%20b.zip?sig=a/b"));
  }

  @Test
  void a_node_of_the_2022_draft_is_named_behind_its_hierarchy() {
    String uri = "https://purl.org/zarr/spec/protocol/core/3.0";
    put(
        "old/zarr.json",
        "{'zarr_format': '%s', 'metadata_encoding': '%s', 'extensions': []}".formatted(uri, uri));
    put(
        "old/meta/root/g/a.array.json",
        "{'shape': [3], 'data_type': 'u1', 'chunk_memory_layout': 'C', 'fill_value': 7,"
            + " 'chunk_grid': {'type': 'regular', 'chunk_shape': [2], 'separator': '/'},"
            + " 'extensions': [], 'attributes': {}}");
    put("old/data/root/g/a/c0", "AB");
    assertThat(good("read", url + "/old/g/a", "--draft=2022").out())
        .isEqualTo("uint8 [3]\n[65 66  7]\n");
    assertThat(bad("read", url + "/new/g", "--draft=2022")).contains("not a Zarr directory");
  }

  private void put(String key, String text) {
    values.set(StoreKey.of(key), Bytes.utf8(text.replace('\'', '"'))).block();
  }

  @Test
  void headers_tokens_queries_and_passwords_arrive() {
    String at = earth().replace("://", "://user:p%40ss@") + "/earth/lat?sig=a%2Fb";
    server.forget();
    CommandRun run =
        CommandRun.with(
            Map.of("KEY", "k 2"),
            "info",
            at,
            "--header",
            "X-One: 1:2",
            "--header-env",
            "X-Two:KEY",
            "--http2");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(server.requests())
        .isNotEmpty()
        .allSatisfy(
            asked -> {
              assertThat(asked.uri()).endsWith("?sig=a%2Fb");
              assertThat(asked.header("x-one")).isEqualTo("1:2");
              assertThat(asked.header("x-two")).isEqualTo("k 2");
              assertThat(asked.header("authorization")).isEqualTo("Basic dXNlcjpwQHNz");
            });
    assertThat(run.out()).contains("array        " + url + "/data/earth.zarr/earth/lat\n");

    CommandRun.with(
        Map.of("TOKEN", "abc\n"),
        "info",
        url + "/data/earth.zarr/earth/lat",
        "--bearer-token-env=TOKEN");
    assertThat(server.requests())
        .filteredOn(asked -> !asked.uri().contains("?sig=")) // of the first command, maybe late
        .isNotEmpty()
        .allSatisfy(asked -> assertThat(asked.header("authorization")).isEqualTo("Bearer abc"));
  }

  @ParameterizedTest
  @CsvSource({
    "gs://bucket/a.zarr, storage.googleapis.com:443",
    "https://account.blob.core.windows.net/public/a.zarr?sv=1&sig=x,"
        + " account.blob.core.windows.net:443"
  })
  void public_data_of_google_and_azure_are_asked_for_over_tls(String location, String host)
      throws Exception {
    CompletableFuture<String> asked;
    String error;
    try (ServerSocket proxy = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      asked = CompletableFuture.supplyAsync(() -> firstLine(proxy));
      String address = "http://127.0.0.1:" + proxy.getLocalPort();
      error = bad("info", location, "--no-retry", "--timeout=60s", "--proxy=" + address);
    } // ends the wait of a proxy that was never asked
    assertThat(asked).as(error).succeedsWithin(PATIENCE);
    assertThat(asked.join()).isEqualTo("CONNECT " + host + " HTTP/1.1");
  }

  @Test
  void a_library_that_is_optional_is_named_where_a_source_of_credentials_needs_it() {
    assertThat(
            bad(
                "info",
                "az://container/a",
                "--store-option=account=account",
                "--credentials=azure-managed-identity"))
        .contains("no credential from the managed identity of this machine")
        .contains("add")
        .contains("com.azure:azure-identity");
  }

  private static String firstLine(ServerSocket proxy) {
    try (proxy;
        Socket client = proxy.accept()) { // a second attempt is refused
      client.setSoTimeout((int) PATIENCE.toMillis());
      return new BufferedReader(new InputStreamReader(client.getInputStream(), UTF_8)).readLine();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path netrc(String permissions, String text) throws IOException {
    Path file = Files.writeString(directory.resolve("netrc"), text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    return file;
  }

  private CommandRun withLogins(Path netrc, String... arguments) {
    return CommandRun.with(Map.of("NETRC", netrc.toString()), arguments);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "machine 127.0.0.1 login user password p@ss | user:p@ss",
        "machine other login a password b~machine 127.0.0.1~ login user~ password p@ss | user:p@ss",
        "machine other login a password b default login d password e#f | d:e#f",
        "# machine 127.0.0.1 login a password b~machine 127.0.0.1 password 2 account x login 1 |"
            + " 1:2",
        "macdef m~machine 127.0.0.1 login a password b~~default login d password e | d:e",
        "machine 127.0.0.1 login user password \"p \\\"q\\\"\" | user:p \"q\"",
        "machine other login a password b |",
        "machine 127.0.0.1 login alone |"
      })
  void a_login_of_the_host_comes_from_netrc(String text, @Nullable String login) throws Exception {
    String lat = earth() + "/earth/lat";
    server.forget();
    CommandRun run =
        withLogins(netrc("rw-------", text.replace('~', '\n')), "info", lat, "--netrc");
    assertThat(run.exitCode()).as(run.err()).isZero();
    String header =
        login == null ? null : "Basic " + Base64.getEncoder().encodeToString(login.getBytes(UTF_8));
    assertThat(server.requests())
        .isNotEmpty()
        .allSatisfy(asked -> assertThat(asked.header("authorization")).isEqualTo(header));
  }

  @Test
  void a_url_with_a_password_of_its_own_takes_no_login_from_netrc() throws Exception {
    String lat = earth().replace("://", "://user:p%40ss@") + "/earth/lat";
    server.forget();
    Path netrc = netrc("rw-------", "default login a password b");
    assertThat(withLogins(netrc, "info", lat, "--netrc").exitCode()).isZero();
    assertThat(server.requests())
        .isNotEmpty()
        .allSatisfy(
            asked -> assertThat(asked.header("authorization")).isEqualTo("Basic dXNlcjpwQHNz"));
  }

  @Test
  void a_netrc_that_helps_nothing_is_wrong_usage() throws Exception {
    Path open = netrc("rw-r--r--", "default login a password sesame");
    CommandRun run = withLogins(open, "info", url, "--netrc");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("other users may read it: chmod 600 helps");
    Path none = directory.resolve("none");
    assertThat(withLogins(none, "info", url, "--netrc").err())
        .startsWith("zarr: error: --netrc: there is no " + none + "\n");
    Path good = netrc("rw-------", "default login a password sesame");
    assertThat(withLogins(good, "info", "/data/a", "--netrc").err())
        .startsWith("zarr: error: --netrc is for http: and https: URLs, not for /data/a\n");
    assertThat(withLogins(good, "info", url, "--netrc", "--header=Authorization:x").err())
        .startsWith("zarr: error: --netrc: the header Authorization is given already\n");
  }

  @Test
  void what_is_below_a_group_is_not_known_without_a_listing() {
    String at = earth();
    CommandRun info = good("info", at);
    assertThat(info.out())
        .contains(
            "children     unknown: the store cannot list, and consolidated metadata are missing");
    String expected =
        "zarr: error: %s: the nodes below the group are unknown: this store cannot list, and the"
            + " group lacks consolidated metadata (zarr consolidate writes them where the files"
            + " are); name a group above that has them, or an array\n";
    assertThat(bad("tree", at)).isEqualTo(expected.formatted(at));
    String copy = directory + "/copy.zarr";
    assertThat(bad("copy", at, copy)).isEqualTo(expected.formatted(at + " to " + copy));
    assertThat(good("tree", at + "/earth/lat").out()).contains("float64 [360]");
  }

  @ParameterizedTest
  @CsvSource({"3, data/earth.zarr", "2, earth.zarr"})
  void the_nodes_below_are_known_from_consolidated_metadata_of_a_group_above(
      String format, String place) throws Exception {
    String root = directory + "/earth.zarr";
    good("copy", EARTH.toString(), root, "--quiet", "--consolidate", "--format=" + format);
    serve(directory.resolve("earth.zarr"), place + "/");
    String at = url + "/" + place + "/earth";
    for (String command : List.of("header %s", "tree %s", "stats %s", "validate %s --data")) {
      CommandRun near = good(command.formatted(root + "/earth").split(" "));
      CommandRun far = good(command.formatted(at).split(" "));
      assertThat(far.out().replace(at, root + "/earth")).isEqualTo(near.out());
    }
    assertThat(good("info", at).out()).contains("children     4 (0 groups, 4 arrays)");
    String copy = directory + "/copy.zarr";
    good("copy", at, copy, "--quiet");
    good("diff", root + "/earth", copy);
    good("diff", at, copy);
    assertThat(good("info", at, "--json").out())
        .isEqualTo(good("info", root + "/earth", "--json").out());
  }

  @Test
  void labels_are_found_in_coordinates_beside_an_array_also_without_a_listing() {
    String[] select = {"--sel", "lat=11..10", "--sel", "lon~0"};
    String near = good(with(select, "read", EARTH + "/earth/relief")).out();
    String consolidated = earth("--consolidate") + "/earth/relief";
    assertThat(good(with(select, "read", consolidated)).out()).isEqualTo(near);
    values.erase(StoreKey.of("data/earth.zarr/zarr.json")).block();
    assertThat(good(with(select, "read", consolidated)).out()).isEqualTo(near);
    values.erase(StoreKey.of("data/earth.zarr/earth/zarr.json")).block();
    assertThat(bad(with(select, "read", consolidated))).contains("this array is alone");
  }

  private static String[] with(String[] options, String... command) {
    return Stream.concat(Stream.of(command), Stream.of(options)).toArray(String[]::new);
  }

  @Test
  void what_can_only_be_read_is_not_written_to() {
    String at = earth("--consolidate");
    server.forget();
    assertThat(bad("consolidate", at))
        .isEqualTo("zarr: error: " + at + ": this store can only be read, not written to\n");
    assertThat(bad("copy", EARTH.toString(), at + "/new?sig=sesame"))
        .isEqualTo(
            "zarr: error: %s to %s/new: the store of the new node can only be read, not written to\n"
                .formatted(EARTH, at));
    assertThat(bad("copy", EARTH.toString(), at + "/new.zip?a")).contains("of this machine");
    assertThat(server.requests()).isEmpty();
    CommandRun resumed = zarr("copy", EARTH.toString(), at + "/new.zip", "--resume");
    assertThat(resumed.exitCode()).isEqualTo(2);
  }

  /** As the server of a web application does, for its own routes. */
  private void sendAPageForWhatIsMissing() {
    Bytes page = Bytes.utf8("<!doctype html><html></html>");
    Set<String> stored = values.list().map(StoreKey::value).collect(Collectors.toSet()).block();
    server.misbehave(
        (asked, behaviour) ->
            stored.contains(asked.path())
                ? behaviour
                : behaviour.withInstead(
                    ServerResponse.of(200, page)
                        .with("content-type", "text/html")
                        .with("content-length", String.valueOf(page.size()))));
  }

  /**
   * Puts an array of two chunks, of which one is missing, into a directory and behind the server.
   */
  private String sparse(int format) {
    String name = "sparse" + format + ".zarr";
    String path = directory.resolve(name).toString();
    good(
        ("create " + path + " --shape=4 --dtype=int32 --chunks=2 --codecs=none --fill=7 --format=")
            .concat(String.valueOf(format))
            .split(" "));
    FileSystemStore.open(directory.resolve(name))
        .set(
            StoreKey.of(format == 2 ? "0" : "c/0"), Bytes.wrap(new byte[] {1, 0, 0, 0, 2, 0, 0, 0}))
        .block();
    serve(directory.resolve(name), name + "/");
    return url + "/" + name;
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void a_page_in_place_of_a_missing_value_is_named_and_may_be_taken_for_one(int format) {
    String array = sparse(format);
    assertThat(good("read", array).out()).isEqualTo("int32 [4]\n[1 2 7 7]\n");
    sendAPageForWhatIsMissing();
    assertThat(bad("read", array))
        .contains(
            "answered with a page in HTML",
            "pages-are-missing",
            format == 2 ? "key zarr.json" : "key c/1");
    assertThat(bad("read", array, "--zarr-format=" + format))
        .contains("answered with a page in HTML", "chunk [1]");
    assertThat(good("read", array, "--pages-are-missing").out()).endsWith("[1 2 7 7]\n");
    assertThat(good("read", array, "--zarr-format=" + format, "--select=:2").out())
        .endsWith("[1 2]\n");
  }

  @Test
  void only_nodes_of_the_format_that_the_user_names_are_asked_for() {
    String array = sparse(3);
    assertThat(bad("info", array, "--zarr-format=2"))
        .contains(
            ": not a directory of Zarr v2: no .zarray or .zgroup in it, and --zarr-format 2 asks"
                + " for no zarr.json\n");
    assertThat(bad("info", url + "/none", "--zarr-format=3"))
        .contains(
            ": not a directory of Zarr v3: no zarr.json in it, and --zarr-format 3 asks for no"
                + " .zarray or .zgroup\n");
    int before = server.requests().size();
    good("info", array, "--zarr-format=3");
    assertThat(server.requests().subList(before, server.requests().size()))
        .allMatch(asked -> !asked.path().contains("/.z"));
    assertThat(zarr("info", array, "--zarr-format=1").exitCode()).isEqualTo(2);
  }

  @Test
  void a_place_without_a_node_is_asked_once_what_else_it_is() {
    int before = server.requests().size();
    assertThat(bad("info", url + "/none")).contains("not a Zarr directory");
    assertThat(
            server.requests().subList(before, server.requests().size()).stream()
                .map(ReceivedRequest::path)
                .filter(path -> path.matches(".*/(repo|ref[.]json|attributes[.]json)")))
        .hasSize(3)
        .doesNotHaveDuplicates();
  }

  @Test
  void documents_that_a_server_compresses_are_read() {
    String at = earth("--consolidate");
    server.misbehave(
        Fault.answer(
            answer ->
                answer.status() == 200 && answer.body().size() > 0 && answer.body().get(0) == '{'
                    ? new ServerResponse(200, answer.headers(), gzip(answer.body()))
                        .with("content-encoding", "gzip")
                        .with("content-length", null)
                    : answer));
    assertThat(good("tree", at).out().replace(at, "earth"))
        .isEqualTo(
            good("tree", directory + "/earth.zarr")
                .out()
                .replace(directory + "/earth.zarr", "earth"));
  }

  private static Bytes gzip(Bytes plain) {
    ByteArrayOutputStream encoded = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(encoded)) {
      out.write(plain.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Bytes.wrap(encoded.toByteArray());
  }

  @Test
  void a_file_url_may_have_raw_spaces() {
    String array = sparse(3).replace(url, directory.toString());
    good("copy", array, directory + "/a b [1].zarr", "--quiet");
    assertThat(good("read", "file://" + directory + "/a b [1].zarr").out()).endsWith("[1 2 7 7]\n");
  }

  @Test
  void what_is_missing_refused_or_forbidden_is_said_to_be() {
    assertThat(bad("info", url + "/nothing"))
        .startsWith(
            "zarr: error: "
                + url
                + "/nothing: not a Zarr directory: no zarr.json, .zarray or .zgroup in it\n");
    server.misbehave(Fault.status(403, null));
    for (String command : List.of("info", "tree", "read", "stream")) {
      assertThat(bad(command, url + "/a?sig=sesame"))
          .isEqualTo(
              ("zarr: error: %s/a: access denied: %s/a/zarr.json answered 403 Forbidden; it refuses"
                      + " the query of the URL, which may have expired (node /,"
                      + " key zarr.json); credentials are given with --credentials, --netrc,"
                      + " --bearer-token-env, --header-env, or a URL that is signed;"
                      + " --forbidden-is-missing treats it as a missing value\n")
                  .formatted(url, url));
    }
    assertThat(bad("info", url + "/a", "--forbidden-is-missing")).contains("not a Zarr directory");
    server.stop();
    assertThat(bad("info", url + "/a?sig=sesame", "--no-retry"))
        .startsWith("zarr: error: " + url + "/a: the request for " + url + "/a/zarr.json failed: ")
        .containsIgnoringCase("connection refused")
        .hasLineCount(1)
        .doesNotContain("sesame");
  }

  @Test
  void a_retried_request_is_reported_once() {
    String at = earth("--consolidate");
    Fault unavailable = Fault.status(503, null).where(asked -> asked.path().endsWith("/zarr.json"));
    for (String command : List.of("info", "tree")) {
      server.misbehave(unavailable.times(2));
      assertThat(good(command, at).err())
          .matches(
              "zarr: warning: \\S+ answered 503 Service Unavailable; trying again \\(--no-retry"
                  + " fails at once\\)\n");
    }
    server.misbehave(unavailable.times(1));
    assertThat(bad("tree", at, "--no-retry")).contains("answered 503").doesNotContain("warning");
  }

  @Test
  void a_silent_server_is_given_up() {
    server.misbehave(Fault.silence());
    assertThat(bad("info", url, "--timeout=100ms", "--no-retry"))
        .contains("nothing arrived for longer than the stall timeout");
  }

  @Test
  void an_interrupt_cancels_what_is_under_way() throws Exception {
    server.misbehave(Fault.silence());
    AtomicInteger exitCode = new AtomicInteger(-1);
    Thread waiting = new Thread(() -> exitCode.set(zarr("read", url + "/a").exitCode()));
    waiting.start();
    eventually(() -> server.underWay() > 0);
    waiting.interrupt();
    waiting.join(30_000);
    assertThat(exitCode).hasValue(130);
    eventually(() -> server.connections() == 0);
  }

  @ParameterizedTest
  @CsvSource({
    "https://user:pa/sesame@host/x, https://...",
    "https://user:sesame@host:pa/sesame@host/x, https://...",
    "https://sesame:sesame?@host/x, https://...",
    "https:/u:sesame@host/x?sesame, https:/host/x",
    "https://u:sesame@ho|st/x?sesame, https://ho|st/x",
    "http://u:sesame@host/x#sesame, http://host/x",
    "s3://sesame@b/x?sesame, s3://b/x",
    "ftp://u:sesame@host/x?sesame#sesame, ftp://host/x"
  })
  void a_url_that_cannot_be_opened_shows_no_secret(String location, String shown) {
    for (String command : List.of("info", "consolidate")) {
      CommandRun run = zarr(command, location, "--verbose");
      assertThat(run.exitCode()).isOne();
      assertThat(run.err())
          .startsWith("zarr: error: " + shown + ": ")
          .contains("\tat dev.zarrreactive")
          .doesNotContain("sesame");
    }
    CommandRun word = zarr(location);
    assertThat(word.exitCode()).isEqualTo(2);
    assertThat(word.err()).contains("Missing command").doesNotContain("sesame");
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 401, 403, 404, 500})
  void no_failure_and_no_trace_shows_a_secret(int status) {
    server.misbehave(Fault.status(status, null));
    String[] line = {
      "read",
      url.replace("://", "://sesame-1:sesame-2@") + "/a?X-Signature=sesame%203&token=sesame-4",
      "--header=X-A: sesame-5",
      "--header-env=X-B:KEY",
      "--no-retry",
      "--verbose"
    };
    CommandRun run = CommandRun.with(Map.of("KEY", "sesame-6"), line);
    assertThat(run.exitCode()).isOne();
    assertThat(run.err()).contains("\tat dev.zarrreactive").doesNotContain("sesame");
    List<ReceivedRequest> asked = server.requests();
    assertThat(asked).isNotEmpty().allMatch(each -> each.uri().contains("token=sesame-4"));
  }

  @Test
  void a_proxy_that_cannot_be_reached_shows_no_password() {
    server.stop();
    String proxy = url.replace("://", "://user:sesame@");
    String error = bad("info", "http://host/x", "--proxy", proxy, "--no-retry", "--verbose");
    assertThat(error).contains("Connection refused").doesNotContain("sesame");
    assertThat(bad("info", "http://host/x", "--proxy", "ftp://u:sesame@h:21", "--verbose"))
        .contains("a proxy is reached over http")
        .doesNotContain("sesame");
  }

  @Test
  void a_trace_that_shows_a_secret_has_stars_instead() {
    Secrets secrets = new Secrets();
    secrets.addFrom("x", "https://u:pass%2Fword@h/?a=1&sig=abc%20def", "--header", "K: value-1");
    secrets.addFrom("--header=K:value-2", "--proxy=http://me:proxy-word@p:1");
    secrets.add("from-environment");
    assertThat(
            secrets.hidden(
                "pass/word pass%2Fword abc%20def abc def value-1 value-2 proxy-word"
                    + " from-environment 1"))
        .isEqualTo("*** *** *** *** *** *** *** *** 1");
  }
}
