package dev.zarrreactive.cli.options;

import dev.zarrreactive.cli.output.ElementFormat;
import dev.zarrreactive.cli.view.ColourMap;
import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converters of words that are one of a few. */
public final class ChoiceConverters {
  private ChoiceConverters() {}

  public static final class OfElementFormat implements ITypeConverter<ElementFormat> {
    @Override
    public ElementFormat convert(String word) {
      return choice(word, ElementFormat.values());
    }
  }

  public static final class OfColourChoice implements ITypeConverter<ColourChoice> {
    @Override
    public ColourChoice convert(String word) {
      return choice(word, ColourChoice.values());
    }
  }

  public static final class OfColourMap implements ITypeConverter<ColourMap> {
    @Override
    public ColourMap convert(String word) {
      return choice(word, ColourMap.values());
    }
  }

  private static <T> T choice(String word, T[] choices) {
    for (T choice : choices) {
      if (choice.toString().equals(word)) {
        return choice;
      }
    }
    throw new TypeConversionException(
        "expected "
            + Arrays.stream(choices).map(Object::toString).collect(Collectors.joining(", "))
            + "; found "
            + word);
  }
}
