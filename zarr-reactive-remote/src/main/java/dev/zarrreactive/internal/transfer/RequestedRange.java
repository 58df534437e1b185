package dev.zarrreactive.internal.transfer;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.RangeOutOfBoundsException;
import dev.zarrreactive.error.ValueTooLargeException;
import org.jspecify.annotations.Nullable;

/**
 * A range of a value, which is not empty, in the terms of HTTP.
 *
 * @param offset of its first byte; -1 for a range that counts from the end
 * @param end exclusive; -1 for the end of the value
 * @param last the number of bytes of a range that counts from the end; -1 for others
 * @param maxBytes the largest allowed size of the value
 */
record RequestedRange(long offset, long end, long last, long maxBytes) {
  /** The whole value, of any size. */
  static final RequestedRange WHOLE = new RequestedRange(0, -1, -1, Long.MAX_VALUE);

  /** Returns a range in the terms of HTTP. */
  static RequestedRange of(ByteRange range) {
    if (range instanceof ByteRange.Slice slice) {
      long end = slice.offset() + slice.length();
      return new RequestedRange(slice.offset(), end, -1, Long.MAX_VALUE);
    }
    if (range instanceof ByteRange.Whole whole) {
      return new RequestedRange(0, -1, -1, whole.maxBytes());
    }
    return range instanceof ByteRange.From from
        ? new RequestedRange(from.offset(), -1, -1, Long.MAX_VALUE)
        : new RequestedRange(-1, -1, ((ByteRange.Suffix) range).length(), Long.MAX_VALUE);
  }

  /** Returns the range of a body in a coding. Its bound has room for what does not compress. */
  RequestedRange encoded() {
    return new RequestedRange(offset, end, last, BodyCoding.bound(maxBytes));
  }

  /** Returns true for a range that counts from the end. */
  boolean isSuffix() {
    return last >= 0;
  }

  /** Returns the header {@code Range}; null for the whole value. */
  @Nullable String header() {
    if (isSuffix()) {
      return "bytes=-" + last;
    }
    if (end >= 0) {
      return "bytes=" + offset + "-" + (end - 1);
    }
    return offset == 0 ? null : "bytes=" + offset + "-";
  }

  /** Returns true where a value of {@code total} bytes has some of the range, up to its end. */
  boolean isInside(long total) {
    return isSuffix() ? total > 0 : end < 0 ? offset < total : end <= total;
  }

  /**
   * Returns the error for a value that is larger than allowed.
   *
   * @param total the size of the value; -1 where the server does not say
   */
  ValueTooLargeException tooLarge(StoreKey key, long total) {
    return new ValueTooLargeException(total, maxBytes, Location.ofKey(key.value()));
  }

  /**
   * Returns the error for a value that ends before the range does.
   *
   * @param total the size of the value; -1 where the server does not say
   */
  RangeOutOfBoundsException tooShort(StoreKey key, long total) {
    return new RangeOutOfBoundsException(toString(), total, Location.ofKey(key.value()));
  }

  /** The range for messages, such as {@code bytes 3 to 7 (exclusive)}. */
  @Override
  public String toString() {
    if (isSuffix()) {
      return "the last " + last + " bytes";
    }
    return end < 0 ? "bytes from " + offset : "bytes " + offset + " to " + end + " (exclusive)";
  }
}
