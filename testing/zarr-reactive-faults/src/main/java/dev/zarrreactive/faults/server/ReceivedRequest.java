package dev.zarrreactive.faults.server;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.netty.http.server.HttpServerRequest;

/**
 * A request that has arrived at the server.
 *
 * @param number the number of requests before it
 * @param method for example {@code GET}
 * @param path decoded, without its leading slash
 * @param uri the encoded path and query
 * @param headers by their names in lower case; the first of several of one name
 */
public record ReceivedRequest(
    long number, String method, String path, String uri, Map<String, String> headers) {
  /** Parses a request. */
  static ReceivedRequest of(long number, HttpServerRequest request) {
    Map<String, String> headers = new LinkedHashMap<>();
    request
        .requestHeaders()
        .forEach(
            header ->
                headers.putIfAbsent(header.getKey().toLowerCase(Locale.ROOT), header.getValue()));
    String uri = request.uri();
    int query = uri.indexOf('?');
    return new ReceivedRequest(
        number,
        request.method().name(),
        decoded((query < 0 ? uri : uri.substring(0, query)).substring(1)),
        uri,
        Map.copyOf(headers));
  }

  /** Returns this request without the headers that a behaviour ignores. */
  ReceivedRequest understood(Behaviour behaviour) {
    Map<String, String> known = new LinkedHashMap<>(headers);
    if (behaviour.ignoresRange()) {
      known.remove("range");
    }
    if (behaviour.ignoresConditions()) {
      known.remove("if-match");
      known.remove("if-none-match");
    }
    return new ReceivedRequest(number, method, path, uri, known);
  }

  /** Returns the value of a header; null where it is missing. */
  public @Nullable String header(String name) {
    return headers.get(name.toLowerCase(Locale.ROOT));
  }

  private static String decoded(String path) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      if (c == '%') {
        bytes.write(Integer.parseInt(path.substring(i + 1, i + 3), 16));
        i += 2;
      } else {
        bytes.write(c);
      }
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
