package dev.zarrreactive.dataset;

/** How a label finds a value of a coordinate. All but {@link #EXACT} need a sorted coordinate. */
public enum LabelMethod {
  /** The value is equal to the label. */
  EXACT("equal"),

  /** The nearest value; of two the greater one. */
  NEAREST("near"),

  /**
   * The last value up to the label, in the order of the coordinate: of descending values the least
   * one that is not less. xarray also calls it {@code ffill}.
   */
  PAD("before or equal"),

  /**
   * The first value from the label on, in the order of the coordinate: of descending values the
   * greatest one that is not greater. xarray also calls it {@code bfill}.
   */
  BACKFILL("after or equal");

  private final String side;

  LabelMethod(String side) {
    this.side = side;
  }

  /** The place of the value, for messages. */
  String side() {
    return side;
  }
}
