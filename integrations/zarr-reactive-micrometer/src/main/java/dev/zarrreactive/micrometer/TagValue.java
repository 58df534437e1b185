package dev.zarrreactive.micrometer;

import java.util.Locale;

/** Makes tag values, for example {@code get-range}. */
final class TagValue {
  private TagValue() {}

  static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
