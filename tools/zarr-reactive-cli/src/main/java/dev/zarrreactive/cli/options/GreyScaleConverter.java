package dev.zarrreactive.cli.options;

import dev.zarrreactive.encodings.GreyScale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the values that are black and white, for example {@code -40:50}. */
public final class GreyScaleConverter implements ITypeConverter<GreyScale> {
  @Override
  public GreyScale convert(String text) {
    String[] ends = text.split(":", -1);
    if (ends.length == 2) {
      try {
        return GreyScale.of(Double.parseDouble(ends[0]), Double.parseDouble(ends[1]));
      } catch (IllegalArgumentException e) {
        // reported below
      }
    }
    throw new TypeConversionException(
        "expected two different numbers such as -40:50; found " + text);
  }
}
