package dev.zarrreactive.internal.codec;

import dev.zarrreactive.internal.element.Scalar;
import dev.zarrreactive.json.LocatedJson;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names of NumPy's types in the configurations of codecs: the long name, or a byte order, a kind
 * and a number of bytes. The byte order means nothing here: in Zarr v3 the codec {@code bytes} has
 * its own.
 */
public final class NumpyTypeName {
  private static final Pattern SHORT = Pattern.compile("[<>|=]?([biuf])([1248])");
  private static final Pattern LONG = Pattern.compile("bool|u?int(8|16|32|64)|float(16|32|64)");

  private NumpyTypeName() {}

  /** Returns the type that a name means. */
  public static Scalar parse(LocatedJson json) {
    String name = json.string();
    Matcher parts = SHORT.matcher(name);
    String longName = parts.matches() ? longName(parts.group(1), parts.group(2)) : name;
    for (Scalar scalar : Scalar.values()) {
      if (LONG.matcher(longName).matches() && scalar.type().name().equals(longName)) {
        return scalar;
      }
    }
    throw json.expected("a type of integers, floats or bool, for example \"<i4\" or \"|u1\"");
  }

  private static String longName(String kind, String size) {
    int bits = Byte.SIZE * Integer.parseInt(size);
    return switch (kind) {
      case "b" -> bits == 8 ? "bool" : "";
      case "i" -> "int" + bits;
      case "u" -> "uint" + bits;
      default -> "float" + bits;
    };
  }
}
