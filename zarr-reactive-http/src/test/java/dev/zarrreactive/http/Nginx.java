package dev.zarrreactive.http;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An nginx of the test's own, where there is one on this machine. */
final class Nginx implements AutoCloseable {
  private static final List<String> PLACES =
      List.of(
          "/usr/sbin/nginx", "/usr/local/sbin/nginx", "/usr/bin/nginx", "/opt/homebrew/bin/nginx");

  private final Process process;
  private final int port;
  private final int http2Port;

  private Nginx(Process process, int port, int http2Port) {
    this.process = process;
    this.port = port;
    this.http2Port = http2Port;
  }

  /**
   * Serves {@code root}, from a configuration in {@code directory}; the test is skipped where there
   * is no nginx.
   *
   * @param more lines for the server's part of the configuration
   */
  static Nginx start(Path directory, Path root, String more) {
    Path program = program();
    assumeTrue(program != null, "skipped: no nginx");
    try {
      int[] ports = freePorts();
      int port = ports[0];
      int http2Port = ports[1];
      Path configuration = directory.resolve("nginx.conf");
      Files.writeString(
          configuration,
          String.join(
              "\n",
              "daemon off; master_process off; worker_processes 1;",
              "pid nginx.pid; error_log error.log;",
              "events { worker_connections 512; }",
              "http {",
              "  access_log off; types { } default_type application/octet-stream;",
              "  client_body_temp_path tmp; proxy_temp_path tmp; fastcgi_temp_path tmp;",
              "  uwsgi_temp_path tmp; scgi_temp_path tmp;",
              "  server {",
              "    listen 127.0.0.1:" + port + ";",
              "    listen 127.0.0.1:" + http2Port + " http2;",
              "    root \"" + root + "\";",
              more,
              "  }",
              "}"));
      Process process =
          new ProcessBuilder(
                  program.toString(), "-p", directory.toString(), "-c", configuration.toString())
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve("output.log").toFile())
              .start();
      Nginx nginx = new Nginx(process, port, http2Port);
      nginx.awaitStart(directory);
      return nginx;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Looks along the {@code PATH}, and where systems put it. */
  private static @Nullable Path program() {
    Stream<String> path =
        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
            .filter(directory -> !directory.isEmpty())
            .map(directory -> directory + "/nginx");
    return Stream.concat(path, PLACES.stream())
        .map(Path::of)
        .filter(Files::isExecutable)
        .findFirst()
        .orElse(null);
  }

  private void awaitStart(Path directory) throws IOException {
    long deadline = System.nanoTime() + Served.PATIENCE.toNanos();
    while (process.isAlive() && System.nanoTime() < deadline) {
      try {
        new Socket("127.0.0.1", port).close();
        new Socket("127.0.0.1", http2Port).close(); // it listens to one after the other
        return;
      } catch (IOException notYet) {
        pause();
      }
    }
    String said;
    try (Stream<String> lines = Files.lines(directory.resolve("output.log"))) {
      said = String.join("\n", lines.toList());
    }
    close();
    throw new IllegalStateException("nginx does not start: " + said);
  }

  private static void pause() {
    try {
      Thread.sleep(10);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static int[] freePorts() throws IOException {
    try (ServerSocket one = new ServerSocket(0);
        ServerSocket other = new ServerSocket(0)) {
      return new int[] {one.getLocalPort(), other.getLocalPort()};
    }
  }

  URI uri(boolean http2) {
    return URI.create("http://127.0.0.1:" + (http2 ? http2Port : port));
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
    }
  }
}
