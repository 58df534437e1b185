package dev.zarrreactive.cli.view;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.DimensionNames;
import java.util.List;
import java.util.Locale;
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
public record PlaneView(Size most, int samples, @Nullable Stretch stretch, ColourMap colours) {
  private static final List<String> LATITUDES = List.of("lat", "latitude");

  /** A picture and its legend. */
  public record Drawn(PlanePicture picture, Size size, String legend) {}

  /**
   * Draws a plane of an array.
   *
   * @param turned true if the last row is above
   */
  public Mono<Drawn> drawn(ZarrArray array, Plane plane, boolean turned) {
    PlaneValues.checkType(array.dataType());
    Size size = most.of(plane);
    long down = Math.max(1, plane.height() / ((long) samples * size.height()));
    long right = Math.max(1, plane.width() / ((long) samples * size.width()));
    return array
        .read(plane.every(down, right))
        .map(
            elements -> {
              PlaneValues values = values(array, plane, elements);
              if (turned) {
                values.flip();
              }
              Stretch chosen = stretch == null ? Stretch.of(array.dataType()) : stretch;
              return new Drawn(
                  PlanePicture.of(values, size, chosen, colours),
                  size,
                  legend(array, plane, values, chosen, down, right));
            });
  }

  private static PlaneValues values(ZarrArray array, Plane plane, NdArray elements) {
    return PlaneValues.of(plane.ordered(elements), missing(array));
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

  /** Returns the name of the latitudes of the rows; null if the rows have none. */
  public static @Nullable String latitudes(ZarrArray array, Plane plane) {
    List<@Nullable String> names = DimensionNames.of(array.metadata()).names();
    String name = names.get(plane.rows());
    return name != null && LATITUDES.contains(name.toLowerCase(Locale.ROOT)) ? name : null;
  }

  /** Emits true if the latitudes of the rows rise, so that the first row is in the south. */
  public static Mono<Boolean> rises(ZarrArray latitudes, Plane plane) {
    if (latitudes.shape().rank() != 1) {
      return Mono.just(false);
    }
    Selection ends = Selection.of(DimensionSelection.indices(plane.ends()));
    return latitudes
        .read(ends)
        .map(
            both -> {
              double[] degrees = both.cast(DataTypes.FLOAT64).toDoubleArray();
              return degrees[0] < degrees[1];
            });
  }

  private String legend(
      ZarrArray array, Plane plane, PlaneValues values, Stretch chosen, long down, long right) {
    String steps =
        down == 1 && right == 1
            ? ""
            : ", read in steps of " + down + " rows and " + right + " columns";
    return array.dataType()
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
