package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.EARTH;
import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.zarrreactive.server.RunningServer;
import dev.zarrreactive.server.ZarrServer;
import dev.zarrreactive.store.file.FileSystemStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The lists of files of web servers are read by ls and du. */
class WebListingTest {
  private HttpServer server;
  private String url = "";
  private volatile boolean listsFiles = true;
  private volatile boolean tellsSizes = true;

  @BeforeEach
  void serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    url = "http://127.0.0.1:" + server.getAddress().getPort();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  /** Answers as nginx does, for the directory above the demonstration's hierarchy. */
  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    Path place = EARTH.resolveSibling(path.substring(1));
    byte[] body = new byte[0];
    int status = 404;
    if (path.endsWith("/") && Files.isDirectory(place)) {
      status = listsFiles ? 200 : 403;
      body = index(path, place).getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "text/html");
    } else if (Files.isRegularFile(place)) {
      status = 200;
      body = Files.readAllBytes(place);
    }
    boolean isHead = exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(status, isHead || body.length == 0 ? -1 : body.length);
    if (isHead) {
      exchange.getResponseHeaders().set("Content-Length", String.valueOf(body.length));
    } else if (body.length > 0) {
      exchange.getResponseBody().write(body);
    }
    exchange.close();
  }

  private String index(String path, Path place) throws IOException {
    StringBuilder page = new StringBuilder("<html><head><title>Index of " + path + "</title>");
    page.append("</head><body><h1>Index of ").append(path).append("</h1><pre>");
    page.append("<a href=\"../\">../</a>\n");
    try (Stream<Path> files = Files.list(place)) {
      for (Path file : files.sorted().toList()) {
        boolean isDirectory = Files.isDirectory(file);
        String name = file.getFileName() + (isDirectory ? "/" : "");
        page.append("<a href=\"" + name + "\">" + name + "</a>  27-Nov-2026 11:01  ");
        page.append(isDirectory ? "-" : tellsSizes ? String.valueOf(Files.size(file)) : "1K");
        page.append('\n');
      }
    }
    return page.append("</pre></body></html>").toString();
  }

  private static List<String> lines(String... line) {
    CommandRun run = zarr(line);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out().lines().toList();
  }

  @Test
  void ls_lists_directories_and_everything_below() {
    assertThat(lines("ls", url + "/earth.zarr/earth"))
        .containsExactly(lines("ls", EARTH + "/earth").toArray(String[]::new));
    assertThat(lines("ls", "-r", url + "/earth.zarr/earth"))
        .containsExactlyInAnyOrder(lines("ls", "-r", EARTH + "/earth").toArray(String[]::new));
    assertThat(lines("ls", url)).contains("             earth.zarr/");
  }

  @Test
  void du_counts_what_is_stored_with_sizes_of_the_list_or_of_the_server() {
    List<String> local = lines("du", EARTH.toString());
    assertThat(lines("du", url + "/earth.zarr")).isEqualTo(local);
    tellsSizes = false;
    assertThat(lines("du", url + "/earth.zarr")).isEqualTo(local);
    assertThat(lines("ls", url + "/earth.zarr/earth/lat")).contains("          ?  zarr.json");
  }

  @Test
  void a_server_without_lists_is_told_from_one_with_them() {
    listsFiles = false;
    CommandRun run = zarr("ls", url + "/earth.zarr");
    assertThat(run.exitCode()).isOne();
    assertThat(run.err()).contains("this store cannot list");
    assertThat(zarr("du", url + "/earth.zarr").err()).contains("cannot list");
  }

  @Test
  void the_lists_of_our_own_server_are_read() {
    RunningServer ours = ZarrServer.of(FileSystemStore.open(EARTH)).port(0).start().block();
    assertThat(ours).isNotNull();
    try {
      String root = ours.uri().toString();
      assertThat(lines("ls", root)).contains("             earth/");
      assertThat(lines("du", root)).isEqualTo(lines("du", EARTH.toString()));
    } finally {
      ours.close().block();
    }
  }
}
