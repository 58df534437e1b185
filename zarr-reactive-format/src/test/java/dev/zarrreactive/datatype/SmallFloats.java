package dev.zarrreactive.datatype;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** The values of every float of up to eight bits, by its bits, as another program knows them. */
public final class SmallFloats {
  private static final Map<FloatFormat, double[]> VALUES = new EnumMap<>(FloatFormat.class);

  static {
    try (var in =
        Objects.requireNonNull(SmallFloats.class.getResourceAsStream("small-floats.txt"))) {
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
        if (!line.startsWith("#")) {
          String[] words = line.split(" ");
          VALUES.put(
              FloatFormat.valueOf(words[0].toUpperCase(Locale.ROOT)),
              Arrays.stream(words).skip(1).mapToDouble(Double::parseDouble).toArray());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private SmallFloats() {}

  /** All of them; each array has an element for every bit pattern. */
  public static Map<FloatFormat, double[]> values() {
    return VALUES;
  }
}
