package dev.zarrreactive.internal.transfer;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.store.StoreKey;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a body before its first byte.
 *
 * @param url where the value is, for people; without secrets
 * @param partial true for the answer to a range, false for the whole value
 * @param offset where the body begins in the value
 * @param end where it ends, exclusive; -1 where that is not known
 * @param total the size of the value; -1 where that is not known
 * @param version what stands for every single byte of the value, such as a strong ETag; null where
 *     nothing does
 */
public record BodyHead(
    StoreKey key,
    String url,
    boolean partial,
    long offset,
    long end,
    long total,
    @Nullable String version) {

  /**
   * The body of a 200, which is the whole value.
   *
   * @param length its length; -1 where it is not known
   * @param chunked true where the end of the body is marked
   * @throws StoreException where nobody would know a body that was cut from one that has ended
   */
  public static BodyHead whole(
      StoreKey key, String url, long length, boolean chunked, @Nullable String version) {
    if (length < 0 && !chunked) {
      throw Refusal.violation(key, url, "does not say where the value ends");
    }
    return new BodyHead(key, url, false, 0, length, length, version);
  }

  /**
   * The body of a 206.
   *
   * @param contentRange the header {@code Content-Range}; null where there is none
   * @param length its length; -1 where it is not known
   * @throws StoreException where these make no sense
   */
  public static BodyHead partial(
      StoreKey key,
      String url,
      @Nullable String contentRange,
      long length,
      @Nullable String version) {
    ContentRange range = ContentRange.parse(contentRange);
    if (range == null) {
      String said =
          contentRange == null ? "without Content-Range" : "with Content-Range " + contentRange;
      throw Refusal.violation(key, url, "answered 206 " + said);
    }
    if (length >= 0 && length != range.end() - range.offset()) {
      throw Refusal.violation(
          key, url, "answered Content-Range " + contentRange + " with Content-Length " + length);
    }
    return new BodyHead(key, url, true, range.offset(), range.end(), range.total(), version);
  }

  /** The error for a server that broke a rule; to ask again would not help. */
  public StoreException violation(String statement) {
    return Refusal.violation(key, url, statement);
  }

  /** The error for a value that was replaced by another version while it was read. */
  public TransientStoreException changed() {
    return changed(key, url);
  }

  /** As {@link #changed()}, where there is no body. */
  public static TransientStoreException changed(StoreKey key, String url) {
    return new TransientStoreException(
        url + " changed while it was read", Location.ofKey(key.value()));
  }

  /** The range as a header has it. */
  String shown() {
    return "bytes " + offset + "-" + (end - 1) + "/" + (total < 0 ? "*" : total);
  }
}
