package dev.zarrreactive.cli.options;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads a time, for example {@code 500ms}, {@code 30s}, {@code 2m} or {@code 1d}; seconds without a
 * unit.
 */
public final class TimeConverter implements ITypeConverter<Duration> {
  private static final Pattern TIME = Pattern.compile("(\\d{1,6}(?:\\.\\d{1,6})?)(ms|s|m|h|d)?");

  @Override
  public Duration convert(String text) {
    Matcher matcher = TIME.matcher(text);
    if (matcher.matches()) {
      Duration unit =
          switch (String.valueOf(matcher.group(2))) {
            case "ms" -> Duration.ofMillis(1);
            case "m" -> Duration.ofMinutes(1);
            case "h" -> Duration.ofHours(1);
            case "d" -> Duration.ofDays(1);
            default -> Duration.ofSeconds(1);
          };
      BigDecimal nanos =
          new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unit.toNanos()));
      if (nanos.longValue() > 0) {
        return Duration.ofNanos(nanos.longValue());
      }
    }
    throw new TypeConversionException("expected a time such as 30s or 500ms; found " + text);
  }
}
