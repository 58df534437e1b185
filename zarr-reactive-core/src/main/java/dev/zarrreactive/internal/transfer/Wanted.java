package dev.zarrreactive.internal.transfer;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.store.ByteRange;
import dev.zarrreactive.store.StoreKey;
import org.jspecify.annotations.Nullable;

/**
 * Which bytes of a value are wanted.
 *
 * @param offset where they begin; -1 where that is counted from the end
 * @param end where they end, exclusive; -1 for the end of the value
 * @param last how many of the last bytes are wanted; -1 where they are not counted from the end
 */
public record Wanted(long offset, long end, long last) {
  /** All of it. */
  public static final Wanted WHOLE = new Wanted(0, -1, -1);

  /** The bytes of a range that may have some. */
  public static Wanted of(ByteRange range) {
    if (range instanceof ByteRange.Slice slice) {
      return new Wanted(slice.offset(), slice.offset() + slice.length(), -1);
    }
    return range instanceof ByteRange.From from
        ? new Wanted(from.offset(), -1, -1)
        : new Wanted(-1, -1, ((ByteRange.Suffix) range).length());
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
   * The error for a value that ends before the range does.
   *
   * @param total the size of the value; -1 where the server does not say
   */
  public StoreException tooShort(StoreKey key, long total) {
    String size = total < 0 ? "a value of fewer bytes" : total + " bytes";
    return new StoreException(
        "the value is too short: wanted " + this + " of " + size, Location.ofKey(key.value()));
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
