package dev.zarrreactive.cli.options;

import dev.zarrreactive.internal.labels.DimensionLabel;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a label of a coordinate, as {@link DimensionLabel#parse} does. */
public final class LabelConverter implements ITypeConverter<DimensionLabel> {
  @Override
  public DimensionLabel convert(String text) {
    try {
      return DimensionLabel.parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(String.valueOf(e.getMessage()));
    }
  }
}
