package dev.zarrreactive.cli.options;

import dev.zarrreactive.array.Shape;
import java.util.Arrays;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the shape of an array, for example {@code 720,0}; an empty text is that of a scalar. */
public final class ExtentsConverter implements ITypeConverter<Shape> {
  @Override
  public Shape convert(String text) {
    if (text.isBlank()) {
      return Shape.SCALAR;
    }
    try {
      long[] extents =
          Arrays.stream(text.split(",", -1))
              .mapToLong(extent -> Long.parseLong(extent.trim()))
              .toArray();
      if (Arrays.stream(extents).allMatch(extent -> extent >= 0)) {
        return Shape.of(extents);
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw new TypeConversionException("expected a shape such as 720,360; found " + text);
  }
}
