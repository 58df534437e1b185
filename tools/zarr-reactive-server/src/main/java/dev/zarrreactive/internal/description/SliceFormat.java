package dev.zarrreactive.internal.description;

import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.cf.CfRule;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.encoding.Encoding;
import dev.zarrreactive.encodings.ColourMap;
import dev.zarrreactive.encodings.ColourScale;
import dev.zarrreactive.encodings.Encodings;
import dev.zarrreactive.encodings.GreyScale;
import dev.zarrreactive.error.UnsupportedFeatureException;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The form in which a slice is sent.
 *
 * @param format what the elements are written in
 * @param isText true for a format in which dates are texts
 * @param decodes true for values by the CF conventions, false for stored elements
 */
public record SliceFormat(Encoding format, boolean isText, boolean decodes) {
  private static final String NPY = "npy";
  private static final String PNG = "png";
  private static final Map<String, Encoding> FORMATS =
      Map.of(
          NPY,
          Encodings.npy(),
          "raw",
          Encoding.raw(ByteOrder.LITTLE_ENDIAN),
          "json",
          Encodings.json(),
          "jsonl",
          Encodings.jsonLines(),
          "csv",
          Encodings.csv(),
          PNG,
          Encodings.png());
  private static final Set<String> TEXTS = Set.of("json", "jsonl", "csv");

  /**
   * Reads the parameters {@code format}, {@code range}, {@code colours} and {@code decode} of a
   * request.
   *
   * @throws IllegalArgumentException for other values than those that there are
   */
  public static SliceFormat of(Map<String, List<String>> parameters) {
    String name = first(parameters, "format", NPY);
    Encoding format = FORMATS.get(name);
    if (format == null) {
      throw new IllegalArgumentException(
          "the format is npy, raw, json, jsonl, csv or png, not \"" + name + "\"");
    }
    String decode = first(parameters, "decode", "false");
    if (!Set.of("true", "false").contains(decode)) {
      throw new IllegalArgumentException("decode is true or false, not \"" + decode + "\"");
    }
    List<String> range = parameters.get("range");
    if (range != null && !name.equals(PNG)) {
      throw new IllegalArgumentException("a range of values is for the format png");
    }
    List<String> colours = parameters.get("colours");
    if (colours != null && range == null) {
      throw new IllegalArgumentException("colours need a range of values, such as range=0:1");
    }
    return new SliceFormat(
        range == null
            ? format
            : colours == null ? greys(range.get(0)) : coloured(colours.get(0), range.get(0)),
        TEXTS.contains(name),
        Boolean.parseBoolean(decode));
  }

  private static String first(Map<String, List<String>> parameters, String name, String otherwise) {
    return parameters.getOrDefault(name, List.of(otherwise)).get(0);
  }

  private static Encoding greys(String range) {
    return Encodings.png(scale(range));
  }

  private static GreyScale scale(String range) {
    try {
      String[] ends = range.split(":", 2);
      return GreyScale.of(Double.parseDouble(ends[0]), Double.parseDouble(ends[ends.length - 1]));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "a range is BLACK:WHITE, two different numbers such as 0:1, not \"" + range + "\"", e);
    }
  }

  private static Encoding coloured(String colours, String range) {
    ColourMap map = ColourMap.of(colours);
    GreyScale ends = scale(range);
    return Encodings.png(ColourScale.of(map, ends.least(), ends.greatest()));
  }

  /** Returns the rules by which elements are decoded. */
  public Set<CfRule> rules() {
    return decodes ? CfRule.all() : Set.of();
  }

  /**
   * Returns the encoding of an array's stored elements.
   *
   * @throws UnsupportedFeatureException if the array's values cannot be decoded
   */
  public Encoding encoding(CfDecoding decoding) {
    return decoding.before(format, isText);
  }

  /** Returns the type of the elements that are sent. */
  public DataType dataType(CfDecoding decoding) {
    return isText && hasDates(decoding) ? DataTypes.STRING : decoding.dataType();
  }

  private static boolean hasDates(CfDecoding decoding) {
    return decoding.times().flatMap(times -> times.calendar()).isPresent();
  }
}
