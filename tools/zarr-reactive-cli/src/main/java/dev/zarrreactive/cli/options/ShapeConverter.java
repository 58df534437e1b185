package dev.zarrreactive.cli.options;

import dev.zarrreactive.array.Shape;
import java.util.Arrays;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a shape, for example {@code 100,100}. */
public final class ShapeConverter implements ITypeConverter<Shape> {
  @Override
  public Shape convert(String text) {
    try {
      long[] shape =
          Arrays.stream(text.split(",", -1))
              .mapToLong(extent -> Long.parseLong(extent.trim()))
              .toArray();
      if (Arrays.stream(shape).allMatch(extent -> extent > 0)) {
        return Shape.of(shape);
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw new TypeConversionException("expected a shape such as 100,100; found " + text);
  }
}
