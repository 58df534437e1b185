package dev.zarrreactive.faults.server;

import dev.zarrreactive.base.Bytes;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A response before a fault.
 *
 * @param status for example 206
 * @param headers by their names in lower case
 * @param body the whole body; empty for a HEAD
 */
public record ServerResponse(int status, Map<String, String> headers, Bytes body) {
  /** Returns a response without headers. */
  public static ServerResponse of(int status, Bytes body) {
    return new ServerResponse(status, Map.of(), body);
  }

  /** Returns this response with a header, or without it for null. */
  public ServerResponse with(String name, @Nullable String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    if (value == null) {
      more.remove(name.toLowerCase(Locale.ROOT));
    } else {
      more.put(name.toLowerCase(Locale.ROOT), value);
    }
    return new ServerResponse(status, more, body);
  }
}
