package dev.zarrreactive.cli.output;

import dev.zarrreactive.cli.options.Choices;
import dev.zarrreactive.encoding.Encoding;
import dev.zarrreactive.encodings.Encodings;
import dev.zarrreactive.encodings.GreyScale;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;

/** The formats of written elements. */
public enum ElementFormat {
  /** Text for people, of the whole selection at once. */
  TEXT,

  /** A NumPy file. */
  NPY,

  /** The elements' images in C order, little-endian, without a header. */
  RAW,

  /** One element a line, in C order, as JSON in the form of a fill value. */
  JSON,

  /** A table: an element of each variable a line, with its labels, as a JSON object. */
  JSONL,

  /** Comma-separated values: an element a line, with its labels or its index. */
  CSV,

  /** A picture of a plane. */
  PNG;

  /** Returns the word of the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the format for the suffix of a file's name; null for an unknown one. */
  public static @Nullable ElementFormat ofSuffix(Path file) {
    String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
    return switch (name.substring(Math.max(0, name.lastIndexOf('.')))) {
      case ".npy" -> NPY;
      case ".raw" -> RAW;
      case ".json" -> JSON;
      case ".jsonl", ".ndjson" -> JSONL;
      case ".csv" -> CSV;
      case ".png" -> PNG;
      default -> null;
    };
  }

  /** Returns whether the output is unreadable on a terminal. */
  public boolean isBinary() {
    return this == NPY || this == RAW || this == PNG;
  }

  /** Returns whether the output is a table with labels. */
  public boolean isTable() {
    return this == CSV || this == JSONL;
  }

  /** Returns whether a selection is written part by part, within the budget of the hierarchy. */
  public boolean isStreamed() {
    return this != TEXT;
  }

  /**
   * Returns the library's encoding.
   *
   * @param scale the greys of a picture; null for exact values
   * @throws IllegalStateException for {@link #TEXT}, which has none
   */
  Encoding encoding(@Nullable GreyScale scale) {
    return switch (this) {
      case TEXT -> throw new IllegalStateException("text is written whole");
      case NPY -> Encodings.npy();
      case RAW -> Encoding.raw(ByteOrder.LITTLE_ENDIAN);
      case JSON, JSONL -> Encodings.jsonLines();
      case CSV -> Encodings.csv();
      case PNG -> scale == null ? Encodings.png() : Encodings.png(scale);
    };
  }

  /** Reads the name. */
  public static final class Converter implements ITypeConverter<ElementFormat> {
    @Override
    public ElementFormat convert(String word) {
      return Choices.choice(word, values());
    }
  }
}
