package dev.zarrreactive.gcs;

import dev.zarrreactive.store.Version;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a version: the generation of the object, which each write makes anew, and behind an
 * {@code @} its ETag. Conditions of writes and erasures name the generation; the ETag tells the
 * server that a reader has the bytes.
 *
 * @param number decimal; null where the server sends none
 * @param etag with quotation marks; null where the server sends none
 */
record Generation(@Nullable String number, @Nullable String etag) {
  /** No version. */
  static final Generation NONE = new Generation(null, null);

  private static final String HEADER = "x-goog-generation";

  /** Parses the headers of a response. */
  static Generation of(HttpHeaders headers) {
    String number = headers.get(HEADER);
    String etag = headers.get(HttpHeaderNames.ETAG);
    return new Generation(
        number == null || !isNumber(number) ? null : number,
        etag == null || etag.isBlank() ? null : etag);
  }

  /** Parses the result of {@link #version}. */
  static Generation of(Version version) {
    String text = version.tag();
    int at = text.indexOf('@');
    String number = at < 0 ? text : text.substring(0, at);
    return isNumber(number)
        ? new Generation(number, at < 0 ? null : text.substring(at + 1))
        : new Generation(null, text);
  }

  /** Returns the version; null where neither part is known. */
  @Nullable Version version() {
    if (number == null) {
      return etag == null ? null : new Version(etag);
    }
    return new Version(etag == null ? number : number + "@" + etag);
  }

  /** Returns true where both numbers are known, and differ. */
  boolean differsFrom(Generation other) {
    return number != null && other.number != null && !number.equals(other.number);
  }

  private static boolean isNumber(String text) {
    return text.matches("[0-9]{1,19}");
  }
}
