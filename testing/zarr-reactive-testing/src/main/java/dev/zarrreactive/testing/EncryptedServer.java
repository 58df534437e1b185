package dev.zarrreactive.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * A server behind a {@link PrivateCertificate}, which clients must trust, and show one themselves
 * where it says so. GET of any path answers {@link #VALUE}, other methods are accepted.
 */
public final class EncryptedServer implements AutoCloseable {
  /** The body of each GET. */
  public static final String VALUE = "value";

  private final HttpsServer server;
  private final List<String> methods = new CopyOnWriteArrayList<>();

  private EncryptedServer(HttpsServer server) {
    this.server = server;
  }

  /**
   * Starts a server on a port that is free.
   *
   * @param asksForOne whether it refuses clients that show no certificate
   */
  public static EncryptedServer start(PrivateCertificate certificate, boolean asksForOne) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(
          certificate.own().getKeyManagers(), certificate.trusted().getTrustManagers(), null);
      HttpsServer server =
          HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.setHttpsConfigurator(
          new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
              SSLParameters all = context.getDefaultSSLParameters();
              all.setNeedClientAuth(asksForOne);
              parameters.setSSLParameters(all);
            }
          });
      EncryptedServer started = new EncryptedServer(server);
      server.createContext("/", started::answer);
      server.start();
      return started;
    } catch (IOException | GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private void answer(HttpExchange asked) throws IOException {
    try (asked) {
      methods.add(asked.getRequestMethod());
      asked.getRequestBody().readAllBytes();
      asked.getResponseHeaders().set("ETag", "\"1\"");
      if (asked.getRequestMethod().equals("GET")) {
        byte[] value = VALUE.getBytes(StandardCharsets.UTF_8);
        asked.sendResponseHeaders(200, value.length);
        asked.getResponseBody().write(value);
      } else {
        asked.sendResponseHeaders(asked.getRequestMethod().equals("DELETE") ? 204 : 201, -1);
      }
    }
  }

  /** The methods of the requests that have come. */
  public List<String> methods() {
    return methods;
  }

  /** The URI of the server, by the name in its certificate. */
  public URI uri() {
    return URI.create("https://localhost:" + server.getAddress().getPort());
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
