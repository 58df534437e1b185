package dev.zarrreactive.dataset;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.encodings.ColourMap;
import dev.zarrreactive.error.InvalidInputException;
import dev.zarrreactive.internal.drawing.Canvas;
import dev.zarrreactive.internal.flow.Concurrently;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A picture of a variable of numbers with its axes: a map in colours of two dimensions, a line of
 * one, such as {@code dataset.isel("time", 0).picture("t2m").png()}. Labels are those of the
 * coordinates; the greatest is on top, whether they ascend or descend. Missing values are grey, or
 * a gap of the line. Immutable.
 */
public final class VariablePicture {
  private static final int LEFT = 104;
  private static final int RIGHT = 150;
  private static final int TOP = 64;
  private static final int BOTTOM = 72;
  private static final int LEAST = 400;
  private static final int MOST = 8192;
  private static final int BLACK = 0;
  private static final int MISSING = 0xd0d0d0;
  private static final int LINE = 0x1f5fa8;
  private static final int BAR = 18;
  private static final int TICK = 6;

  private final Dataset dataset;
  private final Variable variable;
  private final int width;
  private final int height;
  private final ColourMap colours;
  private final double least;
  private final double greatest;

  private VariablePicture(
      Dataset dataset,
      Variable variable,
      int width,
      int height,
      ColourMap colours,
      double least,
      double greatest) {
    this.dataset = dataset;
    this.variable = variable;
    this.width = width;
    this.height = height;
    this.colours = colours;
    this.least = least;
    this.greatest = greatest;
  }

  static VariablePicture of(Dataset dataset, Variable variable) {
    return new VariablePicture(
        dataset, variable, 900, 600, ColourMap.VIRIDIS, Double.NaN, Double.NaN);
  }

  /**
   * Returns the picture in another size.
   *
   * @param itsWidth in pixels, from 400 to 8192
   * @param itsHeight in pixels, from 400 to 8192
   * @throws IllegalArgumentException for another size
   */
  public VariablePicture withSize(int itsWidth, int itsHeight) {
    if (Math.min(itsWidth, itsHeight) < LEAST || Math.max(itsWidth, itsHeight) > MOST) {
      throw new IllegalArgumentException(
          "a picture has from "
              + LEAST
              + " to "
              + MOST
              + " pixels, not "
              + itsWidth
              + " by "
              + itsHeight);
    }
    return new VariablePicture(dataset, variable, itsWidth, itsHeight, colours, least, greatest);
  }

  /** Returns the picture in other colours; by default {@link ColourMap#VIRIDIS}. */
  public VariablePicture withColours(ColourMap others) {
    return new VariablePicture(dataset, variable, width, height, others, least, greatest);
  }

  /**
   * Returns the picture of a range of values; by default from the least to the greatest.
   *
   * @throws IllegalArgumentException unless {@code from} is less than {@code to}
   */
  public VariablePicture withRange(double from, double to) {
    if (!(from < to) || Double.isInfinite(from) || Double.isInfinite(to)) {
      throw new IllegalArgumentException(
          "values range from less to more, not " + from + " to " + to);
    }
    return new VariablePicture(dataset, variable, width, height, colours, from, to);
  }

  /**
   * Reads the values, and draws the picture on a codec thread. Of a dimension with more than twice
   * as many positions as it has pixels, every second, third or further one is drawn. Signals,
   * memory and errors are those of {@link Variable#read()}.
   *
   * @return the bytes of a PNG file; {@link InvalidInputException} unless the variable has one or
   *     two dimensions, numbers and at least one value
   */
  public Mono<Bytes> png() {
    return Mono.defer(
        () -> {
          int rank = variable.dimensions().size();
          if (rank < 1 || rank > 2 || !variable.isOfNumbers() || variable.shape().isEmpty()) {
            throw new InvalidInputException(
                "a picture is of numbers in one or two dimensions, and "
                    + variable
                    + " of the shape "
                    + variable.shape()
                    + " is not; select an index of the other dimensions by isel, or a part");
          }
          Variable drawn = variable;
          List<Mono<PictureAxis>> axes = new ArrayList<>();
          for (int d = 0; d < rank; d++) {
            String name = variable.dimensions().get(d);
            long extent = variable.shape().extent(d);
            int pixels = rank == 2 && d == 0 ? height - TOP - BOTTOM : width - LEFT - RIGHT;
            long step = Math.max(1, extent / (2L * pixels));
            drawn = drawn.isel(name, DimensionSelection.slice(0, extent, step));
            axes.add(axis(name, step));
          }
          Variable chosen = drawn;
          return Concurrently.mapInOrder(Flux.fromIterable(axes), 2, axis -> axis)
              .collectList()
              .flatMap(
                  all ->
                      title()
                          .flatMap(
                              title ->
                                  chosen
                                      .read()
                                      .publishOn(variable.values().options().codecScheduler())
                                      .map(values -> draw(values, all, title))));
        });
  }

  private Mono<PictureAxis> axis(String name, long step) {
    Variable coordinate = dataset.variables().get(name);
    if (coordinate == null || !coordinate.isIndex() || coordinate.dimensions().size() != 1) {
      long extent = dataset.size(name);
      double[] indices = DoubleStream.iterate(0, i -> i < extent, i -> i + step).toArray();
      return Mono.just(PictureAxis.ofNumbers(name, indices));
    }
    Variable some =
        coordinate.isel(name, DimensionSelection.slice(0, coordinate.shape().extent(0), step));
    return some.read().map(values -> PictureAxis.of(some, values));
  }

  /** Emits what stands above: the name with its units, and the labels of single indices. */
  private Mono<List<String>> title() {
    List<Variable> single =
        dataset.coordinates().values().stream()
            .filter(each -> each.dimensions().isEmpty() && each.hasDimensionOfItsName())
            .toList();
    return Concurrently.mapInOrder(
            Flux.fromIterable(single),
            Math.max(1, single.size()),
            each -> each.read().map(value -> PictureAxis.of(each, value)))
        .map(axis -> axis.title() + " = " + axis.text(0))
        .collectList()
        .map(
            labels -> {
              String name = Dataset.text(variable.attributes(), "long_name");
              String units = Dataset.text(variable.attributes(), "units");
              return List.of(
                  (name.isEmpty() ? variable.name() : name)
                      + (units.isEmpty() ? "" : " [" + units + "]"),
                  String.join(", ", labels));
            });
  }

  private Bytes draw(NdArray values, List<PictureAxis> axes, List<String> title) {
    double[] numbers = values.cast(DataTypes.FLOAT64).toDoubleArray();
    double low = least;
    double high = greatest;
    if (Double.isNaN(low)) {
      low = DoubleStream.of(numbers).filter(Double::isFinite).min().orElse(0);
      high = DoubleStream.of(numbers).filter(Double::isFinite).max().orElse(1);
      double apart = low == high ? Math.max(1e-9, Math.abs(low) / 10) : 0;
      low -= apart;
      high += apart;
    }
    Canvas canvas = new Canvas(width, height);
    int itsWidth = width - LEFT - RIGHT;
    int itsHeight = height - TOP - BOTTOM;
    canvas.text(fitting(title.get(0), width - LEFT), LEFT, 12, BLACK);
    canvas.text(fitting(title.get(1), width - LEFT), LEFT, 36, BLACK);
    PictureAxis across = axes.get(axes.size() - 1);
    if (axes.size() == 2) {
      drawMap(canvas, numbers, axes.get(0), across, low, high);
      drawBar(canvas, low, high);
      drawRows(canvas, axes.get(0));
    } else {
      double margin = Double.isNaN(least) ? (high - low) / 20 : 0;
      PictureAxis up = PictureAxis.ofNumbers("", low - margin, high + margin);
      drawLine(canvas, low - margin, high + margin, numbers);
      up.ticks(6).forEach((place, text) -> rowTick(canvas, text, 1 - place));
    }
    canvas.frame(LEFT - 1, TOP - 1, itsWidth + 2, itsHeight + 2, BLACK);
    int most = Math.max(2, itsWidth / Math.max(60, across.widest() + 20));
    across
        .ticks(Math.min(8, most))
        .forEach(
            (place, text) -> {
              double middle = (place * (across.size() - 1) + 0.5) / across.size();
              int x = LEFT + (int) Math.round(middle * itsWidth);
              canvas.fill(x, TOP + itsHeight, 1, TICK, BLACK);
              canvas.text(text, x - Canvas.widthOf(text) / 2, TOP + itsHeight + 10, BLACK);
            });
    String below = fitting(across.title(), itsWidth);
    canvas.text(below, LEFT + (itsWidth - Canvas.widthOf(below)) / 2, TOP + itsHeight + 38, BLACK);
    return canvas.png();
  }

  private static String fitting(String text, int pixels) {
    int most = Math.max(1, pixels / Canvas.widthOf(" "));
    return text.length() <= most ? text : text.substring(0, most - 1) + "~";
  }

  private void drawMap(
      Canvas canvas,
      double[] numbers,
      PictureAxis rows,
      PictureAxis columns,
      double low,
      double high) {
    int itsWidth = width - LEFT - RIGHT;
    int itsHeight = height - TOP - BOTTOM;
    for (int y = 0; y < itsHeight; y++) {
      int fromTop = (int) ((long) y * rows.size() / itsHeight);
      int row = rows.descends() ? fromTop : rows.size() - 1 - fromTop;
      for (int x = 0; x < itsWidth; x++) {
        int column = (int) ((long) x * columns.size() / itsWidth);
        double value = numbers[row * columns.size() + column];
        canvas.set(
            LEFT + x,
            TOP + y,
            Double.isNaN(value) ? MISSING : colours.colour((value - low) / (high - low)));
      }
    }
  }

  private void drawBar(Canvas canvas, double low, double high) {
    int itsHeight = height - TOP - BOTTOM;
    int x = width - RIGHT + 20;
    for (int y = 0; y < itsHeight; y++) {
      canvas.fill(x, TOP + y, BAR, 1, colours.colour(1 - (y + 0.5) / itsHeight));
    }
    canvas.frame(x - 1, TOP - 1, BAR + 2, itsHeight + 2, BLACK);
    PictureAxis.ofNumbers("", low, high)
        .ticks(6)
        .forEach(
            (place, text) -> {
              int y = TOP + (int) Math.round((1 - place) * (itsHeight - 1));
              canvas.fill(x + BAR, y, TICK, 1, BLACK);
              canvas.text(text, x + BAR + 10, y - Canvas.heightOfText() / 2, BLACK);
            });
  }

  private void drawRows(Canvas canvas, PictureAxis rows) {
    rows.ticks(7)
        .forEach(
            (place, text) -> {
              double middle = (place * (rows.size() - 1) + 0.5) / rows.size();
              rowTick(canvas, text, rows.descends() ? middle : 1 - middle);
            });
    canvas.text(fitting(rows.title().replaceAll(" \\[.*", ""), LEFT), 4, TOP - 24, BLACK);
  }

  /** Draws a tick beside a row, at a part of the way from the top. */
  private void rowTick(Canvas canvas, String text, double fromTop) {
    int y = TOP + (int) Math.round(fromTop * (height - TOP - BOTTOM - 1));
    String shown = fitting(text, LEFT - 12);
    canvas.fill(LEFT - TICK - 1, y, TICK, 1, BLACK);
    canvas.text(shown, LEFT - 12 - Canvas.widthOf(shown), y - Canvas.heightOfText() / 2, BLACK);
  }

  private void drawLine(Canvas canvas, double low, double high, double... numbers) {
    int itsWidth = width - LEFT - RIGHT;
    int itsHeight = height - TOP - BOTTOM;
    double beforeX = 0;
    double beforeY = Double.NaN;
    for (int i = 0; i < numbers.length; i++) {
      double x = LEFT + (i + 0.5) / numbers.length * itsWidth;
      double part = Math.max(0, Math.min(1, (numbers[i] - low) / (high - low)));
      double y = TOP + (1 - part) * (itsHeight - 2);
      if (!Double.isNaN(y)) {
        boolean isAlone = Double.isNaN(beforeY);
        canvas.line(isAlone ? x : beforeX, isAlone ? y : beforeY, x, y, LINE);
      }
      beforeX = x;
      beforeY = y;
    }
  }
}
