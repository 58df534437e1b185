package dev.zarrreactive.cli.options;

import dev.zarrreactive.cli.console.Colours;
import dev.zarrreactive.cli.console.Terminal;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;

/** The condition under which output has colours. */
public enum ColourChoice {
  AUTO,
  ALWAYS,
  NEVER;

  /** Returns the word of the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the colours of standard output. */
  public Colours onOutput(Terminal terminal) {
    return on(terminal, terminal.out());
  }

  /** Returns the colours of standard error. */
  public Colours onErrors(Terminal terminal) {
    return on(terminal, terminal.err());
  }

  private Colours on(Terminal terminal, boolean isTerminal) {
    return switch (this) {
      case AUTO -> isTerminal && !terminal.noColour() ? terminal.colours() : Colours.NONE;
      case ALWAYS -> terminal.colours() == Colours.NONE ? Colours.ANSI : terminal.colours();
      case NEVER -> Colours.NONE;
    };
  }

  /** Reads the name. */
  public static final class Converter implements ITypeConverter<ColourChoice> {
    @Override
    public ColourChoice convert(String word) {
      return Choices.choice(word, values());
    }
  }
}
