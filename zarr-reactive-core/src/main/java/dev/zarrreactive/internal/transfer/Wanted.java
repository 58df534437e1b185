package dev.zarrreactive.internal.transfer;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.RangeOutOfBoundsException;
import dev.zarrreactive.error.ValueTooLargeException;
import dev.zarrreactive.store.ByteRange;
import dev.zarrreactive.store.StoreKey;
import org.jspecify.annotations.Nullable;

/**
 * Which bytes of a value are wanted.
 *
 * @param offset where they begin; -1 where that is counted from the end
 * @param end where they end, exclusive; -1 for the end of the value
 * @param last how many of the last bytes are wanted; -1 where they are not counted from the end
 * @param most how many bytes the value may have
 */
public record Wanted(long offset, long end, long last, long most) {
  /** All of it. */
  public static final Wanted WHOLE = new Wanted(0, -1, -1, Long.MAX_VALUE);

  /** The bytes of a range that may have some. */
  public static Wanted of(ByteRange range) {
    if (range instanceof ByteRange.Slice slice) {
      long end = slice.offset() + slice.length();
      return new Wanted(slice.offset(), end, -1, Long.MAX_VALUE);
    }
    if (range instanceof ByteRange.Whole whole) {
      return new Wanted(0, -1, -1, whole.maxBytes());
    }
    return range instanceof ByteRange.From from
        ? new Wanted(from.offset(), -1, -1, Long.MAX_VALUE)
        : new Wanted(-1, -1, ((ByteRange.Suffix) range).length(), Long.MAX_VALUE);
  }

  /** True where they are counted from the end. */
  public boolean isSuffix() {
    return last >= 0;
  }

  /** The value of the header {@code Range}; null where the whole value is wanted. */
  public @Nullable String header() {
    if (isSuffix()) {
      return "bytes=-" + last;
    }
    if (end >= 0) {
      return "bytes=" + offset + "-" + (end - 1);
    }
    return offset == 0 ? null : "bytes=" + offset + "-";
  }

  /**
   * The error for a value that has more bytes than it may.
   *
   * @param total the size of the value; -1 where the server does not say
   */
  ValueTooLargeException tooLarge(StoreKey key, long total) {
    return new ValueTooLargeException(total, most, Location.ofKey(key.value()));
  }

  /**
   * The error for a value that ends before the range does.
   *
   * @param total the size of the value; -1 where the server does not say
   */
  public RangeOutOfBoundsException tooShort(StoreKey key, long total) {
    return new RangeOutOfBoundsException(toString(), total, Location.ofKey(key.value()));
  }

  /** For people, such as {@code bytes 3 to 7 (exclusive)}. */
  @Override
  public String toString() {
    if (isSuffix()) {
      return "the last " + last + " bytes";
    }
    return end < 0 ? "bytes from " + offset : "bytes " + offset + " to " + end + " (exclusive)";
  }
}
