package dev.zarrreactive.ome;

import dev.zarrreactive.json.JsonBoolean;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/**
 * How one channel of an image is drawn (OME-Zarr 0.5, "omero").
 *
 * @param label the name; empty without
 * @param colour red, green and blue as {@code 0xRRGGBB}; white where the attributes have none
 * @param window the values that are drawn; empty where the attributes have none
 * @param active true if the channel is drawn
 * @param inverted true if the least value is the brightest
 */
public record OmeChannel(
    String label,
    int colour,
    Optional<OmeChannel.Window> window,
    boolean active,
    boolean inverted) {
  private static final int WHITE = 0xFFFFFF;
  private static final Pattern COLOUR = Pattern.compile("#?\\p{XDigit}{6}");

  /**
   * Values of a channel.
   *
   * @param start the greatest value that is black
   * @param end the least value that has the whole colour
   * @param min the least value of the channel
   * @param max the greatest value of the channel
   */
  public record Window(double start, double end, double min, double max) {}

  static List<OmeChannel> all(OmeJson omero) {
    List<OmeChannel> channels = new ArrayList<>();
    if (omero.isMissing()) {
      return channels;
    }
    OmeJson list = omero.member("channels");
    if (list.elements().isEmpty()) {
      list.report("a list of channels", false);
    }
    for (OmeJson each : list.elements()) {
      channels.add(
          new OmeChannel(
              each.member("label").text(),
              colour(each.member("color")),
              window(each.member("window")),
              is(each.member("active"), true),
              is(each.member("inverted"), false)));
    }
    return channels;
  }

  private static boolean is(OmeJson json, boolean otherwise) {
    return json.value() instanceof JsonBoolean bool ? bool.value() : otherwise;
  }

  private static int colour(OmeJson json) {
    if (!COLOUR.matcher(json.text()).matches()) {
      json.report("a colour of 6 hexadecimal digits", false);
      return WHITE;
    }
    return Integer.parseInt(json.text().replace("#", ""), 16);
  }

  private static Optional<Window> window(OmeJson json) {
    if (json.isMissing()) {
      json.report("a window", false);
      return Optional.empty();
    }
    OptionalDouble start = number(json.member("start"));
    OptionalDouble end = number(json.member("end"));
    OptionalDouble min = number(json.member("min"));
    OptionalDouble max = number(json.member("max"));
    return start.isEmpty() || end.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Window(
                start.getAsDouble(),
                end.getAsDouble(),
                min.orElse(start.getAsDouble()),
                max.orElse(end.getAsDouble())));
  }

  private static OptionalDouble number(OmeJson json) {
    OptionalDouble number = json.number();
    if (number.isEmpty()) {
      json.report("a number", false);
    }
    return number;
  }
}
