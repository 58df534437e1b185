package dev.zarrreactive.http;

import dev.zarrreactive.testing.InstalledServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** An nginx of the test's own, where there is one on this machine. */
final class Nginx implements AutoCloseable {
  private static final String[] PLACES = {
    "/usr/sbin", "/usr/local/sbin", "/usr/bin", "/opt/homebrew/bin"
  };

  private final InstalledServer server;

  private Nginx(InstalledServer server) {
    this.server = server;
  }

  /**
   * Serves {@code root}, from a configuration in {@code directory}; the test is skipped where there
   * is no nginx.
   *
   * @param more lines for the server's part of the configuration
   */
  static Nginx start(Path directory, Path root, String more) {
    Path program = InstalledServer.program("nginx", PLACES);
    return new Nginx(
        InstalledServer.start(
            2,
            ports ->
                List.of(
                    program.toString(),
                    "-p",
                    directory.toString(),
                    "-c",
                    configured(directory, root, more, ports).toString())));
  }

  private static Path configured(Path directory, Path root, String more, List<Integer> ports) {
    try {
      return Files.writeString(
          directory.resolve("nginx.conf"),
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
              "    listen 127.0.0.1:" + ports.get(0) + ";",
              "    listen 127.0.0.1:" + ports.get(1) + " http2;",
              "    root \"" + root + "\";",
              more,
              "  }",
              "}"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  URI uri(boolean http2) {
    return URI.create("http://127.0.0.1:" + server.ports().get(http2 ? 1 : 0));
  }

  @Override
  public void close() {
    server.close();
  }
}
