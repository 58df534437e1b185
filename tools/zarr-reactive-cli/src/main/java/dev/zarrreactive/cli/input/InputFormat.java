package dev.zarrreactive.cli.input;

import dev.zarrreactive.cli.options.Choices;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;

/** The formats of files that become arrays. */
public enum InputFormat {
  /** A NumPy file. */
  NPY,

  /** The elements one after the other, without a header. */
  RAW,

  /** A table of numbers as text. */
  CSV,

  /** A picture. */
  PNG;

  /** Returns the word of the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the format for the suffix of a file's name; null for an unknown one. */
  static @Nullable InputFormat ofSuffix(String file) {
    String name = file.toLowerCase(Locale.ROOT);
    return switch (name.substring(Math.max(0, name.lastIndexOf('.')))) {
      case ".npy" -> NPY;
      case ".raw", ".bin", ".dat" -> RAW;
      case ".csv", ".tsv", ".txt" -> CSV;
      case ".png" -> PNG;
      default -> null;
    };
  }

  /** Reads the name. */
  static final class Converter implements ITypeConverter<InputFormat> {
    @Override
    public InputFormat convert(String word) {
      return Choices.choice(word, values());
    }
  }
}
