package dev.zarrreactive.server;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The header {@code Range} with one range of bytes (RFC 9110, section 14).
 *
 * @param first the first byte; -1 for a range that counts from the end
 * @param last the last byte, inclusive, or {@link Long#MAX_VALUE} for the end of the value; the
 *     number of bytes for a range that counts from the end
 */
record RangeHeader(long first, long last) {
  private static final Pattern RANGE =
      Pattern.compile("(?i)bytes\\s*=[\\s,]*(\\d*)\\s*-\\s*(\\d*)[\\s,]*");

  /** The longest number of a value's size. */
  private static final int DIGITS = 18;

  /**
   * A part of a value.
   *
   * @param end exclusive
   */
  record Part(long offset, long end) {
    long size() {
      return end - offset;
    }

    /** Returns the header {@code Content-Range} for a value of {@code total} bytes. */
    String contentRange(long total) {
      return "bytes " + offset + "-" + (end - 1) + "/" + total;
    }
  }

  /**
   * Reads the header. Returns null where the server ignores it, as the RFC allows or demands: for
   * another unit, for several ranges, and for text that is no range.
   */
  static @Nullable RangeHeader of(@Nullable String header) {
    Matcher range = RANGE.matcher(header == null ? "" : header);
    if (!range.matches()) {
      return null;
    }
    String first = range.group(1);
    String last = range.group(2);
    if (first.isEmpty()) {
      return last.isEmpty() ? null : new RangeHeader(-1, number(last));
    }
    RangeHeader read =
        new RangeHeader(number(first), last.isEmpty() ? Long.MAX_VALUE : number(last));
    return read.last < read.first ? null : read;
  }

  private static long number(String digits) {
    String significant = digits.replaceFirst("^0+(?=.)", "");
    return significant.length() > DIGITS ? Long.MAX_VALUE : Long.parseLong(significant);
  }

  /** Returns the part of a value of {@code total} bytes; null where no byte is in the range. */
  @Nullable Part in(long total) {
    long offset = first < 0 ? Math.max(0, total - last) : first;
    long end = first < 0 || last >= total ? total : last + 1;
    return offset < end ? new Part(offset, end) : null;
  }
}
