package dev.zarrreactive.cli.options;

import dev.zarrreactive.array.selection.Selection;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a selection in NumPy notation. */
public final class SelectionConverter implements ITypeConverter<Selection> {
  @Override
  public Selection convert(String notation) {
    try {
      return Selection.parse(notation);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
