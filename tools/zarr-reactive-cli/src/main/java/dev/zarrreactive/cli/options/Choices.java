package dev.zarrreactive.cli.options;

import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine.TypeConversionException;

/** Words of the command line that are one of a few. */
public final class Choices {
  private Choices() {}

  /**
   * Returns the choice that a word names.
   *
   * @throws TypeConversionException for another word
   */
  public static <T> T choice(String word, T[] choices) {
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
