package dev.zarrreactive.cli.view;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.cli.console.Printable;
import dev.zarrreactive.cli.output.ElementText;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import reactor.core.publisher.Mono;

/**
 * The rows or the columns of a plane by their coordinate.
 *
 * @param ends the coordinates of the first and the last one
 * @param units empty for none, and for dates
 * @param risesNorthward true if the last one is more in the north than the first one
 */
record PlaneAxis(String name, List<String> ends, String units, boolean risesNorthward) {
  private static final Set<String> LATITUDES = Set.of("lat", "latitude");
  private static final Set<String> STANDARD_NAMES =
      Set.of("latitude", "grid_latitude", "projection_y_coordinate");
  private static final Set<String> UNITS =
      Set.of("degrees_north", "degree_north", "degree_n", "degrees_n", "degreen", "degreesn");

  /**
   * Reads the coordinates of the ends; empty for an array that has none of the dimension.
   *
   * @param name of the dimension
   * @param extent of the dimension
   * @param ends the first and the last index of the plane
   */
  static Mono<PlaneAxis> of(String name, ZarrArray coordinate, long extent, long... ends) {
    if (coordinate.shape().rank() != 1 || coordinate.shape().extent(0) != extent) {
      return Mono.empty();
    }
    CfDecoding decoding = CfDecoding.of(coordinate.metadata());
    return decoding
        .read(coordinate, Selection.of(DimensionSelection.indices(ends)))
        .map(both -> of(name, coordinate, decoding, both));
  }

  private static PlaneAxis of(
      String name, ZarrArray coordinate, CfDecoding decoding, NdArray both) {
    boolean areNumbers =
        both.dataType() instanceof IntegerType || both.dataType() instanceof FloatType;
    boolean areDates = decoding.times().isPresent();
    NdArray shown = decoding.withDatesAsText(both);
    String units = text(coordinate.attributes(), "units");
    return new PlaneAxis(
        Printable.of(name),
        List.of(label(shown, 0), label(shown, 1)),
        areDates ? "" : Printable.of(units),
        areNumbers
            && !areDates
            && isNorthward(name, coordinate.attributes())
            && both.toJson(0) instanceof JsonNumber first
            && both.toJson(1) instanceof JsonNumber last
            && first.toDouble() < last.toDouble());
  }

  private static String label(NdArray values, int element) {
    String text = ElementText.of(values.dataType(), values.toJson(element));
    return Printable.of(text.endsWith(".0") ? text.substring(0, text.length() - 2) : text);
  }

  /** Returns true for latitudes, and for the Y of a projection (CF 4.1, 5.6). */
  private static boolean isNorthward(String name, JsonObject attributes) {
    return LATITUDES.contains(name.toLowerCase(Locale.ROOT))
        || STANDARD_NAMES.contains(text(attributes, "standard_name"))
        || UNITS.contains(text(attributes, "units").toLowerCase(Locale.ROOT))
        || text(attributes, "axis").equals("Y");
  }

  private static String text(JsonObject attributes, String name) {
    return attributes.get(name) instanceof JsonString text ? text.value() : "";
  }

  /** Returns the axis in the other direction. */
  PlaneAxis turned() {
    return new PlaneAxis(name, List.of(ends.get(1), ends.get(0)), units, false);
  }

  /** Returns the name, the ends and the units, as {@code lat 90 to -90 degrees_north}. */
  @Override
  public String toString() {
    return (name + " " + ends.get(0) + " to " + ends.get(1) + " " + units).stripTrailing();
  }
}
