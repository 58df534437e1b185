package dev.zarrreactive.internal.http;

import dev.zarrreactive.internal.transfer.TransferSettings;
import dev.zarrreactive.store.credential.TlsMaterial;
import io.netty.handler.ssl.SslContextBuilder;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.netty.http.Http11SslContextSpec;
import reactor.netty.http.Http2SslContextSpec;
import reactor.netty.resources.ConnectionProvider.MeterRegistrar;
import reactor.netty.tcp.SslProvider;
import reactor.netty.transport.ProxyProvider;

/** The settings of the connections that a store makes; null for a default. */
public final class ConnectionSettings {
  private static final int HEADER_SIZE = 64 << 10;
  private static final int MOST_STREAMS = 256;

  /** Shorter than the idle timeouts of servers, which then seldom close a connection in use. */
  private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(30);

  public boolean http2;
  public @Nullable Duration idleTimeout;
  public @Nullable Integer maxHeaderSize;
  public @Nullable Consumer<? super SslProvider.SslContextSpec> tls;
  public @Nullable Consumer<ProxyProvider.TypeSpec> proxy;

  /** Counts connections; for tests. */
  public @Nullable MeterRegistrar counter;

  private final TransferSettings transfer;

  /** The defaults, but for the settings that all stores over a network have. */
  public ConnectionSettings(TransferSettings transfer) {
    this.transfer = transfer;
  }

  /** Sets the certificates; null for those of the system. */
  public void setTls(@Nullable TlsMaterial material) {
    tls = material == null ? null : spec -> spec.sslContext(context(material));
  }

  private SslProvider.GenericSslContextSpec<SslContextBuilder> context(TlsMaterial material) {
    Consumer<SslContextBuilder> certificates =
        builder -> builder.keyManager(material.own()).trustManager(material.trusted());
    return http2
        ? Http2SslContextSpec.forClient().configure(certificates)
        : Http11SslContextSpec.forClient().configure(certificates);
  }

  int most() {
    return transfer.connections();
  }

  Duration stallTimeout() {
    return transfer.stallTimeout();
  }

  /** Returns the largest number of requests at a time: over HTTP/2 they share connections. */
  int mostRequests() {
    return http2 ? Math.max(MOST_STREAMS, most()) : most();
  }

  Duration idle() {
    return idleTimeout == null ? IDLE_TIMEOUT : idleTimeout;
  }

  int headerSize() {
    return maxHeaderSize == null ? HEADER_SIZE : maxHeaderSize;
  }

  int connectMillis() {
    return (int) Math.min(Integer.MAX_VALUE, transfer.connectTimeout().toMillis());
  }

  /**
   * Checks that none was set, for a client with its own settings.
   *
   * @throws IllegalArgumentException where one was set
   */
  public void refuseAny() {
    if (http2
        || transfer.hasConnections()
        || transfer.hasConnectTimeout()
        || idleTimeout != null
        || maxHeaderSize != null
        || tls != null
        || proxy != null) {
      throw new IllegalArgumentException(
          "the store uses a given client: set HTTP/2, connections, their timeouts, the size of"
              + " headers, TLS and the proxy on that client");
    }
  }

  /** Returns the settings of a proxy; the client resolves its host later. */
  public static Consumer<ProxyProvider.TypeSpec> proxy(URI uri) {
    String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    ProxyProvider.Proxy type =
        switch (scheme) {
          case "http" -> ProxyProvider.Proxy.HTTP;
          case "socks4" -> ProxyProvider.Proxy.SOCKS4;
          case "socks5" -> ProxyProvider.Proxy.SOCKS5;
          default ->
              throw new IllegalArgumentException(
                  "a proxy is reached over http, socks4 or socks5, not \"" + scheme + "\"");
        };
    String host = uri.getHost();
    if (host == null || uri.getPort() < 0) {
      throw new IllegalArgumentException("a proxy has a host and a port: " + scheme + "://...");
    }
    String user = Url.userInformation(uri);
    return spec -> {
      ProxyProvider.Builder builder = spec.type(type).host(host).port(uri.getPort());
      if (user != null) {
        String[] parts = user.split(":", 2);
        builder.username(decoded(parts[0]));
        if (parts.length == 2) {
          String password = decoded(parts[1]);
          builder.password(name -> password);
        }
      }
    };
  }

  /** Returns the header of basic authentication for the user information of a URL. */
  public static String basic(String userInformation) {
    String[] parts = userInformation.split(":", 2);
    String plain = decoded(parts[0]) + ":" + (parts.length == 2 ? decoded(parts[1]) : "");
    byte[] utf8 = plain.getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(utf8);
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }
}
