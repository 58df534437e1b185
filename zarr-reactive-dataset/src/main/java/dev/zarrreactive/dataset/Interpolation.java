package dev.zarrreactive.dataset;

/** How values between those of a coordinate are made. Outside of its first and last value: NaN. */
public enum Interpolation {
  /** On the line between the two values around; the results are {@code float64}. */
  LINEAR,

  /** The nearest value; of two that of the lesser label. Floats keep their type. */
  NEAREST
}
