package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.EARTH;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.Terminal;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.http.HttpStore;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.file.FileSystemStore;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code zarr serve}, until it is interrupted. */
class ServeCommandTest {
  private static final Pattern URL =
      Pattern.compile("at (http://\\S+) until Ctrl-C\\s+In a browser: (\\S+/)\\s");

  @TempDir Path directory;

  /** A command that runs on a thread of its own. */
  private static final class Running implements AutoCloseable {
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
      while (!printed.reset(out.toString(StandardCharsets.UTF_8)).find()) {
        assertThat(exitCode).as("%s", err).isNotDone();
        Thread.sleep(5);
      }
      url = printed.group(1);
      page = printed.group(2);
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
      assertThat(Zarr.openGroup(store, "").flatMapMany(ZarrGroup::tree).collectList().block())
          .filteredOn(node -> node.path().value().matches(".*(lat|lon|rgb|relief)"))
          .hasSize(arrays);
      store.close().block();
    }
    CommandRun info = CommandRun.zarr("info", url, "--no-retry");
    assertThat(info.exitCode()).isOne();
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
