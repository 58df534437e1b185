package dev.zarrreactive.datatype;

import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonObject;

/** The configuration of a time type: {@code unit} and {@code scale_factor}, both required. */
final class TimeConfiguration {
  private static final String UNIT = "unit";
  private static final String SCALE_FACTOR = "scale_factor";

  private TimeConfiguration() {}

  static NumpyUnit unit(NamedConfiguration use) {
    use.configuration().allowOnly(UNIT, SCALE_FACTOR);
    return NumpyUnit.parse(use.member(UNIT));
  }

  static int scaleFactor(NamedConfiguration use) {
    return use.member(SCALE_FACTOR).integer(1, Integer.MAX_VALUE);
  }

  static void requireScaleFactor(int scaleFactor) {
    if (scaleFactor < 1) {
      throw new IllegalArgumentException("a scale factor is at least 1, not " + scaleFactor);
    }
  }

  static JsonObject toMetadata(TimeType type) {
    JsonObject configuration =
        JsonObject.EMPTY.with(UNIT, type.unit().symbol()).with(SCALE_FACTOR, type.scaleFactor());
    return NamedConfiguration.of(type.name(), configuration).toJson();
  }

  /** Returns the notation of NumPy, such as {@code numpy.datetime64[10us]}. */
  static String toString(TimeType type) {
    String factor = type.scaleFactor() == 1 ? "" : Integer.toString(type.scaleFactor());
    return type.name() + "[" + factor + type.unit().symbol() + "]";
  }
}
