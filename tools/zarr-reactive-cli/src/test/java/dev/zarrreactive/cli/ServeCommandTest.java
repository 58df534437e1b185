package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.EARTH;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.Terminal;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.http.HttpStore;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.testing.Waiting;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code zarr serve}, until it is interrupted. */
class ServeCommandTest {
  private static final Pattern URL =
      Pattern.compile("In a browser: (\\S+/)\\s+Serving .* at (http://\\S+) until Ctrl-C\\s");

  private static final String GROUP = "{\"zarr_format\":3,\"node_type\":\"group\"}";

  @TempDir Path directory;

  /** A command that runs on a thread of its own. */
  static final class Running implements AutoCloseable {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();
    private final Thread thread;
    final String url;
    final String page;

    Running(String... arguments) throws InterruptedException {
      thread =
          new Thread(
              () ->
                  exitCode.complete(
                      ZarrCommand.run(
                          new CommandConsole(out, err, Terminal.NONE), Map.of(), arguments)));
      thread.start();
      Matcher printed = URL.matcher("");
      while (!printed.reset(out()).find()) {
        assertThat(exitCode).as("%s", err).isNotDone();
        Thread.sleep(5);
      }
      url = printed.group(2);
      page = printed.group(1);
    }

    String out() {
      return out.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
      thread.interrupt();
      assertThat(exitCode.join()).isEqualTo(130);
    }
  }

  @ParameterizedTest
  @CsvSource({"'', 4", "earth, 4"})
  void a_directory_is_served_until_it_is_interrupted(String below, int arrays) throws Exception {
    String path = EARTH + (below.isEmpty() ? "" : "/" + below);
    String url;
    try (Running command = new Running("serve", path, "--port", "0")) {
      url = command.url;
      assertThat(url).startsWith("http://127.0.0.1:");
      Store store = HttpStore.open(URI.create(url));
      String name = below.isEmpty() ? "earth/lat" : "lat";
      assertThat(CommandRun.zarr("read", url + "/" + name, "--select", "0").out())
          .contains("89.75");
      assertThat(
              Zarr.hierarchy(store)
                  .openGroup("")
                  .flatMapMany(ZarrGroup::tree)
                  .collectList()
                  .block())
          .filteredOn(node -> node.path().value().matches(".*(lat|lon|rgb|relief)"))
          .hasSize(arrays);
      store.close().block();
    }
    CommandRun info = CommandRun.zarr("info", url, "--no-retry");
    assertThat(info.exitCode()).isOne();
  }

  @Test
  void all_hierarchies_of_a_directory_are_served() throws Exception {
    String v2 = directory.resolve("old.zarr").toString();
    String v3 = directory.resolve("new.zarr").toString();
    CommandRun.zarr("copy", EARTH + "/earth", v3, "-q");
    CommandRun.zarr("copy", EARTH + "/earth", v2, "-q", "--format", "2");
    try (Running command = new Running("serve", directory.toString(), "--port", "0")) {
      assertThat(command.out())
          .startsWith("In a browser: " + command.url + "/api/\n")
          .contains("Its hierarchies: new.zarr, old.zarr\n");
      for (String name : List.of("new.zarr", "old.zarr")) {
        assertThat(
                CommandRun.zarr("read", command.url + "/" + name + "/lat", "--select", "0").out())
            .contains("89.75");
        assertThat(text(command.url + "/api/tree")).contains(name);
      }
      String list = text(command.url + "/");
      assertThat(list).contains("<a rel=\"alternate\" href=\"api/\">");
      assertThat(list.indexOf("new.zarr")).isLessThan(list.indexOf("old.zarr"));
    }
    assertThat(CommandRun.zarr("tree", directory.toString(), "--depth", "1").out().lines())
        .containsExactly(directory.toString(), "├── new.zarr", "└── old.zarr");
    assertThat(CommandRun.zarr("header", directory.toString()).out())
        .contains("group " + directory + "/new.zarr")
        .contains("group " + directory + "/old.zarr");
    assertThat(CommandRun.zarr("tree", directory.resolve("new.zarr/lat/c").toString()).err())
        .contains("not a Zarr directory");
  }

  private static String text(String url) throws Exception {
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString())
        .body();
  }

  @Test
  void without_a_path_the_demonstration_is_served() throws Exception {
    try (Running command = new Running("serve", "--port", "0")) {
      CommandRun tree = CommandRun.zarr("tree", command.url);
      assertThat(tree.out()).contains("relief  float32 [360, 720]");
    }
  }

  @Test
  void the_page_is_where_the_second_line_says() throws Exception {
    try (Running command = new Running("serve", "--port", "0");
        InputStream page = URI.create(command.page).toURL().openStream()) {
      assertThat(command.page).isEqualTo(command.url + "/api/");
      assertThat(page).asString(StandardCharsets.UTF_8).startsWith("<!DOCTYPE html>");
    }
  }

  @Test
  void an_archive_and_a_url_are_served() throws Exception {
    String zip = directory.resolve("earth.zip").toString();
    assertThat(CommandRun.zarr("copy", EARTH.toString(), zip, "--quiet").exitCode()).isZero();
    FaultyServer origin = FaultyServer.of(FileSystemStore.open(EARTH));
    for (String path : new String[] {zip + "/earth", origin.uri() + "/earth"}) {
      try (Running command = new Running("serve", path, "--port", "0")) {
        CommandRun read = CommandRun.zarr("read", command.url + "/lat", "--select", "0");
        assertThat(read.out()).as("%s", read.err()).contains("89.75");
      }
    }
    origin.close();
  }

  /** Replaces a file as Kubernetes does: a reader sees the old text, or the new one. */
  private void replace(Path file, String text) throws Exception {
    Path next = Files.writeString(directory.resolve("next"), text);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static List<String> tokens(FaultyServer origin) {
    return origin.requests().stream().map(asked -> asked.header("authorization")).toList();
  }

  @Test
  void a_token_that_the_origin_refuses_is_read_again_and_no_client_notices() throws Exception {
    Path token = Files.writeString(directory.resolve("token"), "first");
    AtomicReference<String> valid = new AtomicReference<>("Bearer first");
    FaultyServer origin = FaultyServer.of(FileSystemStore.open(EARTH));
    origin.misbehave(
        Fault.status(401, null).where(asked -> !valid.get().equals(asked.header("authorization"))));
    String source = "file;path=" + token + ";refresh=PT1H";
    try (Running command =
        new Running("serve", origin.uri() + "/earth", "--credentials", source, "--port=0")) {
      String before = getAtOnce(16, command.url + "/lat/zarr.json");
      assertThat(tokens(origin)).containsOnly("Bearer first");
      replace(token, "second");
      valid.set("Bearer second");
      origin.forget();
      assertThat(getAtOnce(16, command.url + "/lat/zarr.json")).isEqualTo(before);
      assertThat(tokens(origin)).containsOnly("Bearer first", "Bearer second");
      origin.forget();
      assertThat(getAtOnce(16, command.url + "/lat/zarr.json")).isEqualTo(before);
      assertThat(tokens(origin)).containsOnly("Bearer second");
      assertThat(command.err.toString(StandardCharsets.UTF_8)).isEmpty();
    } finally {
      origin.close();
    }
  }

  @Test
  void a_replaced_token_is_sent_before_the_origin_refuses_the_old_one() throws Exception {
    Path token = Files.writeString(directory.resolve("token"), "first");
    FaultyServer origin = FaultyServer.of(FileSystemStore.open(EARTH));
    String source = "file;path=" + token + ";refresh=PT0.2S";
    try (Running command =
        new Running("serve", origin.uri() + "/earth", "--credentials", source, "--port=0")) {
      getAtOnce(1, command.url + "/lat/zarr.json");
      assertThat(tokens(origin)).containsOnly("Bearer first");
      replace(token, "second");
      Waiting.eventually(
          "a request with the new token",
          () -> {
            getAtOnce(4, command.url + "/lat/zarr.json");
            return tokens(origin).contains("Bearer second");
          });
      origin.forget();
      getAtOnce(4, command.url + "/lat/zarr.json");
      assertThat(tokens(origin)).containsOnly("Bearer second");
    } finally {
      origin.close();
    }
  }

  /** Sends so many requests together, and returns the body that all of them got with 200. */
  private static String getAtOnce(int clients, String url) {
    HttpClient client = HttpClient.newHttpClient();
    HttpRequest request = HttpRequest.newBuilder(URI.create(url)).build();
    List<HttpResponse<String>> answers =
        Stream.generate(() -> client.sendAsync(request, HttpResponse.BodyHandlers.ofString()))
            .limit(clients)
            .toList()
            .stream()
            .map(CompletableFuture::join)
            .toList();
    assertThat(answers).extracting(HttpResponse::statusCode).containsOnly(200);
    assertThat(answers).extracting(HttpResponse::body).containsOnly(answers.get(0).body());
    return answers.get(0).body();
  }

  private static HttpResponse<String> get(String url, String... headers) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a", "/a/c", "/zarr.json/b", "/LONG", "/a/LONG", "/LONG/c", "/LONG/"})
  void what_is_no_value_is_missing_and_no_warning(String path) throws Exception {
    Files.createDirectories(directory.resolve("a/c"));
    Files.writeString(directory.resolve("zarr.json"), GROUP);
    try (Running command = new Running("serve", directory.toString(), "--port", "0")) {
      String url = command.url + path.replace("LONG", "x".repeat(300));
      assertThat(get(url).statusCode()).isEqualTo(404);
      assertThat(get(command.url + "/zarr.json").statusCode()).isEqualTo(200);
      assertThat(command.err.toString(StandardCharsets.UTF_8)).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({"'', 403", "--follow-links, 200"})
  @DisabledOnOs(OS.WINDOWS)
  void links_out_of_the_directory_need_an_option(String option, int status) throws Exception {
    Path served = Files.createDirectories(directory.resolve("root/served"));
    Files.writeString(directory.resolve("root/zarr.json"), GROUP);
    Files.writeString(served.resolve("zarr.json"), GROUP);
    Files.writeString(Files.createDirectory(directory.resolve("other")).resolve("v"), "secret");
    Files.createSymbolicLink(served.resolve("out"), Path.of("../../other"));
    Files.createSymbolicLink(served.resolve("file"), directory.resolve("other/v"));
    Files.createSymbolicLink(served.resolve("up"), Path.of("..")); // beside the served node
    Files.createSymbolicLink(served.resolve("same"), Path.of("zarr.json"));
    try (Running command =
        option.isEmpty()
            ? new Running("serve", served.toString(), "--port", "0")
            : new Running("serve", served.toString(), "--port", "0", option)) {
      for (String path : List.of("/out/v", "/file", "/up/zarr.json")) {
        HttpResponse<String> answer = get(command.url + path);
        assertThat(answer.statusCode()).as(path).isEqualTo(status);
        assertThat(answer.body().contains("secret") || path.equals("/up/zarr.json"))
            .isEqualTo(status == 200 || path.equals("/up/zarr.json"));
      }
      assertThat(get(command.url + "/same").body()).isEqualTo(GROUP);
      assertThat(get(command.url + "/").body()).contains("out", "file", "up", "same");
      assertThat(get(command.url + "/out/").statusCode()).isEqualTo(status);
    }
  }

  @ParameterizedTest
  @CsvSource({"--no-consolidate, -", "--cors, *", "--origin=https://a.example, https://a.example"})
  void pages_of_other_origins_need_an_option(String option, String allowed) throws Exception {
    try (Running command = new Running("serve", "--port", "0", option)) {
      HttpResponse<String> answer = get(command.url + "/zarr.json", "Origin", "https://a.example");
      assertThat(answer.headers().firstValue("access-control-allow-origin").orElse("-"))
          .isEqualTo(allowed);
      assertThat(command.out.toString(StandardCharsets.UTF_8).contains("Pages of every origin"))
          .isEqualTo(allowed.equals("*"));
    }
  }

  /** The path of a node of the 2022 draft is none of the file system. */
  @Test
  @DisabledOnOs(OS.WINDOWS)
  void a_node_is_served_from_its_hierarchy_alone() throws Exception {
    Path hierarchy = Files.createDirectory(directory.resolve("old.zarr"));
    Files.writeString(hierarchy.resolve("zarr.json"), "{}");
    Path other = Files.createDirectory(directory.toRealPath().resolve("other"));
    Files.writeString(other.resolve("k"), "secret");
    String node = hierarchy.toString() + other;
    try (Running command = new Running("serve", node, "--draft=2022", "--port=0")) {
      HttpRequest request = HttpRequest.newBuilder(URI.create(command.url + "/k")).build();
      HttpResponse<String> answer =
          HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(404);
    }
  }

  @Test
  void limits_of_connections_are_options() throws Exception {
    try (Running command =
            new Running("serve", "--port", "0", "--idle-timeout", "200ms", "--head-timeout=1s");
        Socket silent = new Socket("127.0.0.1", URI.create(command.url).getPort())) {
      silent.setSoTimeout(60_000);
      assertThat(silent.getInputStream().read()).isEqualTo(-1);
    }
    try (Running command =
            new Running(
                "serve",
                "--port",
                "0",
                "--max-connections=1",
                "--least-speed",
                "0",
                "--max-wait=5s");
        Socket first = new Socket("127.0.0.1", URI.create(command.url).getPort())) {
      first.setSoTimeout(60_000);
      first.getOutputStream().write("HEAD /zarr.json HTTP/1.1\r\nHost: a\r\n\r\n".getBytes());
      InputStream answers = first.getInputStream();
      assertThat(answers.read()).isEqualTo('H'); // the server knows the connection
      assertThat(get(command.url + "/zarr.json").statusCode()).isEqualTo(200);
      assertThat(new String(answers.readAllBytes())).startsWith("TTP/1.1 200 ");
    }
    for (String wrong :
        List.of(
            "--max-connections=0",
            "--idle-timeout=0s",
            "--least-speed=-1",
            "--head-timeout=0s",
            "--max-wait=0s")) {
      assertThat(CommandRun.zarr("serve", EARTH.toString(), wrong).exitCode()).isEqualTo(2);
    }
  }

  private static final String KEYS = "k1:abcdefghijklmnopqrstuvwxyz012345";

  @Test
  void signed_links_alone_are_answered() throws Exception {
    String keys = Files.writeString(directory.resolve("links.key"), KEYS).toString();
    String[] served = {"serve", EARTH.toString(), "--port=0", "--sign", "--key-file", keys};
    try (Running command = new Running(served)) {
      Matcher link = Pattern.compile("A link to all, for an hour: (\\S+)").matcher(command.out());
      assertThat(link.find()).isTrue();
      assertThat(link.group(1)).startsWith(command.url + "/__signed/k1.");
      assertThat(get(link.group(1) + "/earth/zarr.json").statusCode()).isEqualTo(200);
      assertThat(get(command.page).body()).startsWith("<!DOCTYPE html>");
      assertThat(get(command.url + "/zarr.json").statusCode()).isEqualTo(403);
      CommandRun sign =
          CommandRun.zarr(
              "sign", command.url + "/earth/lat", "--expires", "1h", "--key-file", keys);
      assertThat(sign.out()).startsWith(command.url + "/__signed/k1.").endsWith("/earth/lat\n");
      assertThat(sign.err()).isEmpty();
      CommandRun read = CommandRun.zarr("read", sign.out().strip(), "--select", "0");
      assertThat(read.out()).as(read.err()).contains("89.75");
      String other = sign.out().strip().replace("earth/lat", "earth/lon");
      CommandRun refused = CommandRun.zarr("read", other, "--no-retry");
      assertThat(refused.exitCode()).isOne();
      assertThat(command.out() + command.err).doesNotContain("abcdefghijkl");
    }
  }

  @Test
  void the_keys_of_links_come_from_a_file_or_the_environment_and_are_not_shown() throws Exception {
    String url = "https://example.org/data/v%C3%A4/t2m";
    Path file = Files.writeString(directory.resolve("links.key"), "# none\nk1:sesame-open");
    CommandRun wrong = CommandRun.zarr("sign", url, "--expires=1h", "--key-file=" + file);
    assertThat(wrong.exitCode()).isOne();
    assertThat(wrong.err())
        .startsWith("zarr: error: " + file + ": key 1 of links has a secret of 11 characters")
        .doesNotContain("sesame");
    CommandRun none = CommandRun.zarr("sign", url, "--expires=1h");
    assertThat(none.exitCode()).isEqualTo(2);
    assertThat(none.err()).contains("--key-file FILE, or the variable ZARR_LINK_KEYS");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int exitCode =
        ZarrCommand.run(
            new CommandConsole(out, new ByteArrayOutputStream(), Terminal.NONE),
            Map.of("ZARR_LINK_KEYS", KEYS),
            "sign",
            url,
            "--expires=30d",
            "--root=/data/",
            "--write");
    assertThat(exitCode).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8))
        .matches("https://example.org/data/__signed/k1\\.\\d+\\.rw\\.2\\.\\S{43}/v%C3%A4/t2m\\n");
    for (String each :
        List.of(
            "ftp://a/b",
            "http://u@a/b",
            "http://a/b?c",
            "http://a/b#c",
            "http://a/b%2Fc",
            "/a/b",
            "http://a/b/../c",
            "http://a b/")) {
      CommandRun run = CommandRun.zarr("sign", each, "--expires=1h", "--key-file=" + good());
      assertThat(run.exitCode()).as(each).isEqualTo(2);
    }
    assertThat(CommandRun.zarr("serve", "--key-file=" + good()).exitCode()).isEqualTo(2);
    assertThat(CommandRun.zarr("serve", "--sign").exitCode()).isEqualTo(2);
  }

  private String good() throws Exception {
    return Files.writeString(directory.resolve("good.key"), KEYS).toString();
  }

  @Test
  void a_port_that_is_taken_and_a_wrong_one_are_errors() throws Exception {
    try (ServerSocket taken = new ServerSocket(0)) {
      CommandRun run =
          CommandRun.zarr("serve", EARTH.toString(), "--port", taken.getLocalPort() + "");
      assertThat(run.exitCode()).isOne();
      assertThat(run.err()).contains("cannot listen at").contains("--port 0");
    }
    assertThat(CommandRun.zarr("serve", EARTH.toString(), "--port", "70000").exitCode())
        .isEqualTo(2);
    assertThat(CommandRun.zarr("serve", directory.resolve("none").toString()).exitCode()).isOne();
  }
}
