package dev.zarrreactive.faults;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.netty.http.server.HttpServerRequest;

/**
 * A request, as the server sees it.
 *
 * @param number how many came before it
 * @param method such as {@code GET}
 * @param path decoded, without the slash at its beginning
 * @param uri the path and the query as they were sent
 * @param headers by their names in lower case; of several of one name, the first
 */
public record ReceivedRequest(
    long number, String method, String path, String uri, Map<String, String> headers) {
  /** A request that has come. */
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

  /** What a server takes this for that does not know all headers. */
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

  /** The value of a header; null where it was not sent. */
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
