package dev.zarrreactive.cli.output;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.cli.console.Out;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.store.Bytes;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The formats of written elements. */
public enum ElementFormat {
  /** Text for people, of the whole selection at once. */
  TEXT {
    @Override
    void write(NdArray part, Out out) {
      out.println(part.toString());
    }
  },

  /** A NumPy file, version 1.0 or 2.0. */
  NPY {
    @Override
    void begin(DataType dataType, Shape shape, Out out) {
      out.write(NpyHeader.of(dataType, shape));
    }

    @Override
    void write(NdArray part, Out out) {
      out.write(part.dataType().equals(DataTypes.BOOL) ? zerosAndOnes(part) : part.bytes());
    }
  },

  /** The elements' images in C order, little-endian, without a header. */
  RAW {
    @Override
    void write(NdArray part, Out out) {
      out.write(part.bytes());
    }
  },

  /** One element a line, in C order, as JSON in the form of a fill value. */
  JSON {
    @Override
    void write(NdArray part, Out out) {
      StringBuilder lines = new StringBuilder();
      int count = (int) part.shape().elementCountUpTo(Integer.MAX_VALUE);
      for (int element = 0; element < count; element++) {
        JsonValue value = ElementText.json(part.dataType(), part.toJson(element));
        // the text of a finite number is its JSON; most values are numbers
        lines.append(
            value instanceof JsonNumber number && number.isFinite() ? number.text() : value);
        lines.append('\n');
        if (lines.length() > LINES_AT_ONCE) {
          out.print(lines.toString());
          lines.setLength(0);
        }
      }
      out.print(lines.toString());
    }
  };

  private static final int LINES_AT_ONCE = 1 << 15;

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
      case ".json", ".jsonl" -> JSON;
      default -> null;
    };
  }

  /** Returns whether the output is unreadable on a terminal. */
  public boolean isBinary() {
    return this == NPY || this == RAW;
  }

  /** Returns whether a selection may be written part by part. */
  boolean isStreamed() {
    return this != TEXT;
  }

  /**
   * Checks that a data type has this format.
   *
   * @throws IllegalArgumentException for a data type without it
   */
  void check(DataType dataType) {
    if (isBinary() && dataType instanceof VariableLengthType) {
      throw new IllegalArgumentException(
          "elements of "
              + dataType
              + " have no fixed size, as --format "
              + this
              + " needs; use"
              + " --format json");
    }
  }

  /** Writes the header. */
  void begin(DataType dataType, Shape shape, Out out) {}

  /** Writes the next elements. */
  abstract void write(NdArray part, Out out);

  /**
   * Returns a bool array with bytes 0 and 1 only, as NumPy requires. Here every byte but 0 is true.
   */
  private static Bytes zerosAndOnes(NdArray bools) {
    byte[] bytes = bools.bytes().toByteArray();
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (bytes[i] == 0 ? 0 : 1);
    }
    return Bytes.wrap(bytes);
  }
}
