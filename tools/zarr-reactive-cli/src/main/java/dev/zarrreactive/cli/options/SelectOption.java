package dev.zarrreactive.cli.options;

import dev.zarrreactive.array.selection.Selection;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The option for a part of an array. */
public final class SelectOption {
  @Option(
      names = "--select",
      paramLabel = "SELECTION",
      converter = Converter.class,
      description = "Only these elements, in NumPy notation: 0:10,::2,5.")
  private @Nullable Selection selection;

  /** Returns the selection; null without the option. */
  public @Nullable Selection orNull() {
    return selection;
  }

  /** Returns the selection, without the option that of all elements. */
  public Selection orAll() {
    return selection == null ? Selection.all() : selection;
  }

  /** Reads a selection in NumPy notation. */
  static final class Converter implements ITypeConverter<Selection> {
    @Override
    public Selection convert(String notation) {
      try {
        return Selection.parse(notation);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
