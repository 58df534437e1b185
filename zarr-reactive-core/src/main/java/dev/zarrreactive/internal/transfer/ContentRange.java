package dev.zarrreactive.internal.transfer;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What {@code Content-Range} says (RFC 9110, section 14.4).
 *
 * @param offset where the body begins in the value; of a range that does not exist 0
 * @param end where it ends, exclusive
 * @param total the size of the whole value; -1 where the server does not know it
 */
public record ContentRange(long offset, long end, long total) {
  /** At most 18 digits, which a long can hold. */
  private static final Pattern RANGE =
      Pattern.compile("bytes +(\\d{1,18}) *- *(\\d{1,18}) */ *(\\d{1,18}|\\*)");

  private static final Pattern REFUSED = Pattern.compile("bytes +\\*/ *(\\d{1,18})");

  /** The range of a 206; null where the header is missing or makes no sense. */
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

  /** The size of the value that a 416 tells of; -1 where it does not. */
  public static long totalOfRefusal(@Nullable String header) {
    Matcher matcher = header == null ? null : REFUSED.matcher(header.strip());
    return matcher == null || !matcher.matches() ? -1 : Long.parseLong(matcher.group(1));
  }
}
