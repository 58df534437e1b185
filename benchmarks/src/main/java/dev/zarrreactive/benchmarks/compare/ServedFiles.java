package dev.zarrreactive.benchmarks.compare;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.server.RunningServer;
import dev.zarrreactive.server.ZarrServer;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** A server of a directory: nginx where it is installed, the server of this project elsewhere. */
final class ServedFiles implements AutoCloseable {
  private static final String NGINX =
      """
      worker_processes 1;
      daemon off;
      master_process off;
      pid %1$s/nginx.pid;
      error_log %1$s/nginx.log;
      events { worker_connections 2048; }
      http {
        access_log off;
        sendfile on;
        keepalive_requests 1000000000;
        open_file_cache max=40000;
        default_type application/octet-stream;
        client_body_temp_path %1$s/nginx-body;
        proxy_temp_path %1$s/nginx-proxy;
        fastcgi_temp_path %1$s/nginx-fastcgi;
        uwsgi_temp_path %1$s/nginx-uwsgi;
        scgi_temp_path %1$s/nginx-scgi;
        server { listen 127.0.0.1:%2$d; root %3$s; }
      }
      """;

  private final String name;
  private final int port;
  private final AutoCloseable server;

  private ServedFiles(String name, int port, AutoCloseable server) {
    this.name = name;
    this.port = port;
    this.server = server;
  }

  /** Starts a server, and blocks until it listens. */
  static ServedFiles start(Path directory, Path work, File log) {
    try {
      int port = freePort();
      Path configuration = work.resolve("nginx.conf");
      Files.writeString(configuration, NGINX.formatted(work, port, directory));
      Process nginx =
          new ProcessBuilder("nginx", "-c", configuration.toString(), "-e", work + "/nginx.log")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
              .start();
      while (nginx.isAlive() && !listens(port)) {
        Thread.onSpinWait();
      }
      if (nginx.isAlive()) {
        return new ServedFiles("nginx", port, nginx::destroy);
      }
    } catch (IOException e) {
      // nginx is not installed
    }
    RunningServer own =
        Objects.requireNonNull(
            Zarr.at(directory.toString())
                .store()
                .flatMap(store -> ZarrServer.of(store).port(0).start())
                .block());
    return new ServedFiles("zarr serve", own.port(), () -> own.close().block());
  }

  private static int freePort() throws IOException {
    try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return any.getLocalPort();
    }
  }

  private static boolean listens(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  String name() {
    return name;
  }

  int port() {
    return port;
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
