package dev.zarrreactive.cli.options;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads an instant of the past: {@code 30d} for 30 days ago, as {@link TimeConverter} reads a time,
 * or {@code 2026-01-31T00:00:00Z}.
 */
public final class PastConverter implements ITypeConverter<Instant> {
  @Override
  public Instant convert(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      try {
        return Instant.now().minus(new TimeConverter().convert(text));
      } catch (TypeConversionException neither) {
        throw new TypeConversionException(
            "expected a time such as 30d or 12h, or an instant such as 2026-01-31T00:00:00Z; found "
                + text);
      }
    }
  }
}
