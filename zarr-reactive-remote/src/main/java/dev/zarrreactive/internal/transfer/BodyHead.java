package dev.zarrreactive.internal.transfer;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.store.Version;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The head of a response with bytes of a value.
 *
 * @param url where the value is, for messages; without secrets
 * @param partial true for a response to a range, false for the whole value
 * @param offset of the body in the value
 * @param end of the body in the value, exclusive; -1 where the head does not say
 * @param total the size of the value, of an encoded body that of the body; -1 where the head does
 *     not say
 * @param version of the whole value; null where the head has none
 * @param coding of the body; null where it is as the value is stored
 * @param modified when the value was modified; null where the head does not say
 */
public record BodyHead(
    StoreKey key,
    String url,
    boolean partial,
    long offset,
    long end,
    long total,
    @Nullable Version version,
    @Nullable BodyCoding coding,
    @Nullable Instant modified) {

  /** Returns the head of a 200 whose body is as the value is stored, as {@code whole} below. */
  public static BodyHead whole(
      StoreKey key, String url, long length, boolean chunked, @Nullable Version version) {
    return whole(key, url, length, chunked, version, null);
  }

  /**
   * Returns the head of a 200, whose body is the whole value.
   *
   * @param length of the body; -1 where the head does not say
   * @param chunked true where the transfer coding marks the end of the body
   * @param coding of the body; null where it is as the value is stored
   * @throws StoreException where a body that was cut looks like one that has ended
   */
  public static BodyHead whole(
      StoreKey key,
      String url,
      long length,
      boolean chunked,
      @Nullable Version version,
      @Nullable BodyCoding coding) {
    if (length < 0 && !chunked) {
      throw ResponseErrors.violation(key, url, "does not say where the value ends");
    }
    return new BodyHead(key, url, false, 0, length, length, version, coding, null);
  }

  /**
   * Returns the head of a 206.
   *
   * @param contentRange the header {@code Content-Range}; null where it is missing
   * @param length of the body; -1 where the head does not say
   * @throws StoreException where the head contradicts itself
   */
  public static BodyHead partial(
      StoreKey key,
      String url,
      @Nullable String contentRange,
      long length,
      @Nullable Version version) {
    ContentRange range = ContentRange.parse(contentRange);
    if (range == null) {
      String said =
          contentRange == null ? "without Content-Range" : "with Content-Range " + contentRange;
      throw ResponseErrors.violation(key, url, "answered 206 " + said);
    }
    if (length >= 0 && length != range.end() - range.offset()) {
      throw ResponseErrors.violation(
          key, url, "answered Content-Range " + contentRange + " with Content-Length " + length);
    }
    return new BodyHead(
        key, url, true, range.offset(), range.end(), range.total(), version, null, null);
  }

  /** Returns the same head, which says when the value was modified; null where it does not. */
  public BodyHead modifiedAt(@Nullable Instant time) {
    return new BodyHead(key, url, partial, offset, end, total, version, coding, time);
  }

  /**
   * Returns true where all values of this version have the same bytes: a cut body can be resumed.
   */
  boolean isStrong() {
    return version != null && !version.tag().startsWith("W/");
  }

  /**
   * Returns this head of a body that is as the value is stored.
   *
   * @throws StoreException for an encoded one, which has neither ranges nor the size of the value
   */
  public BodyHead requirePlain() {
    if (coding != null) {
      throw BodyCoding.refusal(key, url, coding.toString());
    }
    return this;
  }

  /** Returns the error for a server that broke the protocol; another request would not help. */
  public StoreException violation(String statement) {
    return ResponseErrors.violation(key, url, statement);
  }

  /** Returns the error for a value that was replaced while it was read. */
  public TransientStoreException changed() {
    return changed(key, url);
  }

  /** Returns the error of {@link #changed()} for a response without a body. */
  static TransientStoreException changed(StoreKey key, String url) {
    return new TransientStoreException(
        url + " changed while it was read", Location.ofKey(key.value()));
  }

  /** Returns the range in the form of {@code Content-Range}. */
  String contentRange() {
    return "bytes " + offset + "-" + (end - 1) + "/" + (total < 0 ? "*" : total);
  }
}
