package dev.zarrreactive.dataset;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.cf.TimeCoding;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.Datetime64Type;
import dev.zarrreactive.internal.drawing.Canvas;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** The labels along an axis of a picture. */
final class PictureAxis {
  private final String title;

  /** The labels as numbers; the positions where they are none. */
  private final double[] numbers;

  /** The labels as texts; empty where numbers between them have a tick, too. */
  private final String[] texts;

  private PictureAxis(String title, double[] numbers, String... texts) {
    this.title = title;
    this.numbers = numbers;
    this.texts = texts;
  }

  /** Returns the axis of numbers. */
  static PictureAxis ofNumbers(String title, double... numbers) {
    return new PictureAxis(title, numbers.clone());
  }

  /** Returns the axis of a coordinate, or of one label. */
  static PictureAxis of(Variable coordinate, NdArray values) {
    String units = Dataset.text(coordinate.attributes(), "units");
    NdArray flat = values.reshape(dev.zarrreactive.array.Shape.of(count(values)));
    int count = (int) count(values);
    Optional<TimeCoding> coding = coordinate.times();
    if (coding.isPresent() || flat.dataType() instanceof Datetime64Type) {
      String[] texts =
          IntStream.range(0, count)
              .mapToObj(
                  i ->
                      coding
                          .map(its -> its.text(flat.getLong(i)))
                          .orElseGet(() -> flat.getInstant(i).toString()))
              .map(text -> text.endsWith("T00:00:00") ? text.substring(0, 10) : text)
              .toArray(String[]::new);
      double[] counts = IntStream.range(0, count).mapToDouble(flat::getLong).toArray();
      return new PictureAxis(coordinate.name(), counts, texts);
    }
    String title = coordinate.name() + (units.isEmpty() ? "" : " [" + units + "]");
    if (!coordinate.isOfNumbers()) {
      String[] texts =
          IntStream.range(0, count).mapToObj(i -> text(flat, i)).toArray(String[]::new);
      double[] places = IntStream.range(0, count).mapToDouble(i -> i).toArray();
      return new PictureAxis(title, places, texts);
    }
    double[] numbers = flat.cast(DataTypes.FLOAT64).toDoubleArray();
    if (isMonotonic(numbers)) {
      return new PictureAxis(title, numbers);
    }
    String[] texts =
        IntStream.range(0, count).mapToObj(i -> text(numbers[i], 0)).toArray(String[]::new);
    double[] places = IntStream.range(0, count).mapToDouble(i -> i).toArray();
    return new PictureAxis(title, places, texts);
  }

  private static long count(NdArray values) {
    return values.shape().elementCountUpTo(Integer.MAX_VALUE);
  }

  private static String text(NdArray values, int position) {
    return values.dataType().equals(DataTypes.STRING)
        ? values.getString(position)
        : values.toJson(position).toString();
  }

  private static boolean isMonotonic(double... numbers) {
    for (int i = 1; i < numbers.length; i++) {
      boolean isOn =
          numbers[numbers.length - 1] > numbers[0]
              ? numbers[i] > numbers[i - 1]
              : numbers[i] < numbers[i - 1];
      if (!isOn) {
        return false;
      }
    }
    return true;
  }

  /** The name with its units. */
  String title() {
    return title;
  }

  int size() {
    return numbers.length;
  }

  /** Returns true if the first label is the greatest. */
  boolean descends() {
    return numbers[0] > numbers[numbers.length - 1];
  }

  /** Returns the label at a position as text. */
  String text(int position) {
    return texts.length > 0 ? texts[position] : text(numbers[position], 0);
  }

  /** Returns the width of the longest label in pixels. */
  int widest() {
    int widest = 0;
    for (int i = 0; i < numbers.length; i += Math.max(1, numbers.length / 16)) {
      widest = Math.max(widest, Canvas.widthOf(text(i)));
    }
    return widest;
  }

  /**
   * Returns labels with their places on the way from the first position to the last, 0 to 1.
   *
   * @param most about how many
   */
  Map<Double, String> ticks(int most) {
    Map<Double, String> ticks = new LinkedHashMap<>();
    int last = numbers.length - 1;
    if (texts.length > 0 || last == 0) {
      int step = Math.max(1, (last + most) / most);
      for (int i = 0; i <= last; i += step) {
        ticks.put(last == 0 ? 0 : (double) i / last, text(i));
      }
      return ticks;
    }
    double low = Math.min(numbers[0], numbers[last]);
    double high = Math.max(numbers[0], numbers[last]);
    double raw = (high - low) / most;
    double power = Math.pow(10, Math.floor(Math.log10(raw)));
    double step =
        raw <= power
            ? power
            : raw <= 2 * power ? 2 * power : raw <= 5 * power ? 5 * power : 10 * power;
    for (long k = (long) Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) {
      ticks.put(place(k * step), text(k * step, step));
    }
    return ticks;
  }

  /** Returns where a number is among the labels, which ascend or descend. */
  private double place(double number) {
    int last = numbers.length - 1;
    int i = 0;
    while (i < last - 1 && (descends() ? numbers[i + 1] > number : numbers[i + 1] < number)) {
      i++;
    }
    double part = (number - numbers[i]) / (numbers[i + 1] - numbers[i]);
    return (i + Math.max(0, Math.min(1, part))) / last;
  }

  /** Returns a number with as many digits as steps need; 0 for a number alone. */
  private static String text(double number, double step) {
    double size = Math.max(Math.abs(number), step);
    if (size != 0 && (size >= 1e6 || size < 1e-3)) {
      return String.format(Locale.ROOT, "%.2e", number);
    } else if (step == 0) {
      return number == Math.rint(number)
          ? Long.toString((long) number)
          : String.format(Locale.ROOT, "%.4g", number);
    }
    int digits = (int) Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
    String text = String.format(Locale.ROOT, "%." + digits + "f", number);
    return text.matches("-0(\\.0*)?") ? text.substring(1) : text;
  }
}
