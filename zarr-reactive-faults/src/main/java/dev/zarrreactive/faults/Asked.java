package dev.zarrreactive.faults;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request, as the server sees it.
 *
 * @param number how many came before it
 * @param method such as {@code GET}
 * @param path decoded, without the slash at its beginning
 * @param uri the path and the query as they were sent
 * @param headers by their names in lower case; of several of one name, the first
 */
public record Asked(
    long number, String method, String path, String uri, Map<String, String> headers) {
  /** The value of a header; null where it was not sent. */
  public @Nullable String header(String name) {
    return headers.get(name.toLowerCase(Locale.ROOT));
  }
}
