package dev.zarrreactive.internal.transfer;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The header {@code Content-Range} (RFC 9110, section 14.4).
 *
 * @param offset of the body in the value
 * @param end of the body in the value, exclusive
 * @param total the size of the whole value; -1 where the server does not know it
 */
public record ContentRange(long offset, long end, long total) {
  /** At most 18 digits, which a long can hold. */
  private static final Pattern RANGE =
      Pattern.compile("bytes +(\\d{1,18}) *- *(\\d{1,18}) */ *(\\d{1,18}|\\*)");

  private static final Pattern REFUSED = Pattern.compile("bytes +\\*/ *(\\d{1,18})");

  /** Parses the header of a 206; null where it is missing or contradicts itself. */
  public static @Nullable ContentRange parse(@Nullable String header) {
    Matcher matcher = header == null ? null : RANGE.matcher(header.strip());
    if (matcher == null || !matcher.matches()) {
      return null;
    }
    long offset = Long.parseLong(matcher.group(1));
    long end = Long.parseLong(matcher.group(2)) + 1;
    long total = matcher.group(3).equals("*") ? -1 : Long.parseLong(matcher.group(3));
    return offset >= end || (total >= 0 && end > total)
        ? null
        : new ContentRange(offset, end, total);
  }

  /** Returns the size of the value from the header of a 416; -1 where it has none. */
  public static long totalOfRefusal(@Nullable String header) {
    Matcher matcher = header == null ? null : REFUSED.matcher(header.strip());
    return matcher == null || !matcher.matches() ? -1 : Long.parseLong(matcher.group(1));
  }
}
