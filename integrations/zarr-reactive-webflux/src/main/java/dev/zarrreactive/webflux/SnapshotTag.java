package dev.zarrreactive.webflux;

import dev.zarrreactive.encoding.Encoding;
import dev.zarrreactive.store.StoreSnapshot;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;

/**
 * The ETags of slices of a snapshot, whose values never change. Slices of any other store have
 * none. A format of the application's own may change with the application, and has none, either.
 */
final class SnapshotTag {
  private SnapshotTag() {}

  /**
   * Sets the ETag of a slice, unless the application has set one, and lets clients ask for it each
   * time.
   *
   * @param format that the client has chosen
   */
  static void set(ArraySlice slice, Encoding format, ServerHttpResponse response) {
    HttpHeaders headers = response.getHeaders();
    String tag = of(slice, format);
    if (tag == null || headers.getETag() != null || !isPlain(response)) {
      return;
    }
    headers.setETag(tag);
    if (headers.getCacheControl() == null) {
      headers.setCacheControl("no-cache");
    }
  }

  private static @Nullable String of(ArraySlice slice, Encoding format) {
    StoreSnapshot snapshot =
        slice.encoding() == null ? StoreSnapshot.of(slice.array().store()) : null;
    if (snapshot == null || !snapshot.id().matches("[\\x21\\x23-\\x7e]+")) {
      return null;
    }
    int shown =
        List.of(slice.array().path().value(), slice.resolved().toString(), format.mediaType())
            .hashCode();
    return "\"" + snapshot.id() + "-" + Integer.toHexString(shown) + "\"";
  }

  private static boolean isPlain(ServerHttpResponse response) {
    return response.getStatusCode() == null || HttpStatus.OK.equals(response.getStatusCode());
  }

  /** Returns true for a client that has the slice already: the response is 304. */
  static boolean isKnown(ServerHttpRequest request, ServerHttpResponse response) {
    String tag = response.getHeaders().getETag();
    boolean isRead =
        HttpMethod.GET.equals(request.getMethod()) || HttpMethod.HEAD.equals(request.getMethod());
    return tag != null
        && isRead
        && isPlain(response)
        && request.getHeaders().getIfNoneMatch().stream()
            .anyMatch(known -> known.equals("*") || strong(known).equals(strong(tag)));
  }

  /**
   * Returns true where a range may be sent: without {@code If-Range}, or where it names the tag.
   */
  static boolean allowsRange(HttpHeaders request, HttpHeaders response) {
    String condition = request.getFirst(HttpHeaders.IF_RANGE);
    String tag = response.getETag();
    return condition == null
        || (tag != null && !tag.startsWith("W/") && tag.equals(condition.strip()));
  }

  private static String strong(String tag) {
    return tag.startsWith("W/") ? tag.substring(2) : tag;
  }
}
