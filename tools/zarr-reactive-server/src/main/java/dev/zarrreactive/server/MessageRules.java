package dev.zarrreactive.server;

import io.netty.channel.Channel;
import io.netty.channel.ServerChannel;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpVersion;
import java.util.List;
import java.util.regex.Pattern;
import reactor.netty.http.server.HttpServerRequest;

/**
 * The rules of RFC 9112 for a message that a server in front may have read in another way: its
 * version, its {@code Host} and its {@code Transfer-Encoding}. Bytes behind a message that breaks
 * one may be its body or the next request, so its connection is closed.
 */
final class MessageRules {
  private static final Pattern HOST = Pattern.compile("[\\p{Alnum}._~!$&'()*+,;=:%\\[\\]-]*");

  private MessageRules() {}

  /** A message that breaks a rule, behind which its connection cannot be read on. */
  static final class BrokenMessageException extends BadRequestException {
    private static final long serialVersionUID = 1L;

    BrokenMessageException(String message) {
      super(message);
    }
  }

  /**
   * Checks a request.
   *
   * @throws BrokenMessageException if it breaks a rule
   */
  static void check(HttpServerRequest request) {
    HttpHeaders headers = request.requestHeaders();
    List<String> encodings = headers.getAll(HttpHeaderNames.TRANSFER_ENCODING);
    if (encodings.size() > 1
        || (encodings.size() == 1 && !encodings.get(0).strip().equalsIgnoreCase("chunked"))) {
      throw new BrokenMessageException(
          "Transfer-Encoding is \"chunked\" or missing, not " + encodings);
    }
    request.withConnection(
        connection -> {
          if (isOfHttp1(connection.channel())) {
            checkVersion(request.version());
            checkHost(headers.getAll(HttpHeaderNames.HOST), request.version());
          }
        });
  }

  private static void checkVersion(HttpVersion version) {
    if (!version.equals(HttpVersion.HTTP_1_1) && !version.equals(HttpVersion.HTTP_1_0)) {
      throw new BrokenMessageException(
          "this server speaks HTTP/1.0, HTTP/1.1 and HTTP/2, not " + version);
    }
  }

  /** A stream of HTTP/2 has its host in {@code :authority}. */
  private static boolean isOfHttp1(Channel channel) {
    return channel.parent() == null || channel.parent() instanceof ServerChannel;
  }

  private static void checkHost(List<String> hosts, HttpVersion version) {
    boolean mayLack = version.equals(HttpVersion.HTTP_1_0);
    if (hosts.size() > 1 || (hosts.isEmpty() && !mayLack)) {
      throw new BrokenMessageException(
          "a request has one Host, and this one has " + (hosts.isEmpty() ? "none" : hosts.size()));
    }
    if (!hosts.isEmpty() && !HOST.matcher(hosts.get(0).strip()).matches()) {
      throw new BrokenMessageException("the Host of the request is no name of a host");
    }
  }
}
