package dev.zarrreactive.cli.options;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The number of a format of Zarr on the command line. */
public final class ZarrFormat implements ITypeConverter<Integer> {
  @Override
  public Integer convert(String number) {
    return switch (number) {
      case "2" -> 2;
      case "3" -> 3;
      default -> throw new TypeConversionException("expected 2 or 3; found " + number);
    };
  }
}
