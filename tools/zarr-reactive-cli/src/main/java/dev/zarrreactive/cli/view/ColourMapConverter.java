package dev.zarrreactive.cli.view;

import dev.zarrreactive.cli.options.Choices;
import dev.zarrreactive.encodings.ColourMap;
import picocli.CommandLine.ITypeConverter;

/** Reads the name of a colour map. */
public final class ColourMapConverter implements ITypeConverter<ColourMap> {
  @Override
  public ColourMap convert(String word) {
    return Choices.choice(word, ColourMap.values());
  }
}
