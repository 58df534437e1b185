package dev.zarrreactive.cli.view;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.cli.console.Quantities;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.encodings.ColourMap;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.DimensionNames;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Reads a plane in as many elements as a picture needs, and draws it.
 *
 * @param most the most pixels
 * @param samples the elements of a pixel in each direction, where the plane has them
 * @param stretch null for the usual one of the data type
 */
record PlaneView(Size most, int samples, @Nullable Stretch stretch, ColourMap colours) {
  /** A picture, its legend and the coordinates at its ends. */
  record Drawn(PlanePicture picture, Size size, String legend, PlaneAxes axes) {}

  /**
   * Draws a plane of an array.
   *
   * @param decoding how its elements become values
   */
  Mono<Drawn> draw(ZarrArray array, Plane plane, CfDecoding decoding, PlaneAxes axes) {
    PlaneValues.checkType(decoding.dataType());
    Size size = most.of(plane);
    long down = Math.max(1, plane.height() / ((long) samples * size.height()));
    long right = Math.max(1, plane.width() / ((long) samples * size.width()));
    return decoding
        .read(array, plane.every(down, right))
        .map(
            elements -> {
              PlaneValues values = values(array, plane, decoding, elements);
              if (axes.isTurned()) {
                values.flip();
              }
              Stretch chosen = stretch == null ? Stretch.of(decoding.dataType()) : stretch;
              return new Drawn(
                  PlanePicture.of(values, size, chosen, colours),
                  size,
                  legend(decoding.dataType(), array, plane, values, chosen, down, right),
                  axes.drawn());
            });
  }

  private static PlaneValues values(
      ZarrArray array, Plane plane, CfDecoding decoding, NdArray elements) {
    return PlaneValues.of(
        plane.ordered(elements), decoding.isIdentity() ? missing(array) : new double[0]);
  }

  /** Returns the numbers that stand for missing data, by the conventions of CF. */
  private static double[] missing(ZarrArray array) {
    JsonObject attributes = array.metadata().attributes();
    return DoubleStream.concat(
            numbers(attributes.get("_FillValue")), numbers(attributes.get("missing_value")))
        .toArray();
  }

  private static DoubleStream numbers(@Nullable JsonValue value) {
    if (value instanceof JsonNumber number) {
      return DoubleStream.of(number.toBigDecimal().doubleValue());
    }
    return value instanceof JsonArray list
        ? list.elements().stream().flatMapToDouble(PlaneView::numbers)
        : DoubleStream.empty();
  }

  /** Returns the name of a dimension; null for none. */
  static @Nullable String name(ZarrArray array, int dimension) {
    return DimensionNames.of(array.metadata()).names().get(dimension);
  }

  private String legend(
      DataType type,
      ZarrArray array,
      Plane plane,
      PlaneValues values,
      Stretch chosen,
      long down,
      long right) {
    String steps =
        down == 1 && right == 1
            ? ""
            : ", read in steps of "
                + Quantities.plural(down, "row")
                + " and "
                + Quantities.plural(right, "column");
    return type
        + " "
        + array.shape()
        + ", "
        + plane.width()
        + " x "
        + plane.height()
        + steps
        + "; "
        + (plane.hasColours() ? "colours" : colours)
        + " from "
        + chosen.text(values);
  }
}
