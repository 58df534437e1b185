package dev.zarrreactive.internal.keys;

import dev.zarrreactive.chunkkey.ChunkKeyEncoding;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.LocatedJson;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The chunk key encoding {@code template}: keys by a text with places for numbers of the index,
 * such as {@code images/{-1}/{*:04}.jpeg}. The program that made it names the text {@code format},
 * and its description also {@code template}. Between two numbers of a key there must be another
 * character than a digit, so that no two chunks have one key.
 */
final class TemplateKeys implements ChunkKeyEncoding {
  static final String NAME = "template";

  private static final Pattern PART =
      Pattern.compile(
          "\\{\\{|\\}\\}|\\{(\\*|-?(?:0|[1-9][0-9]{0,8}))(?::0([1-9][0-9]{0,2}))?\\}|[^{}]+");

  private static final int REST = Integer.MIN_VALUE;

  private final NamedConfiguration use;
  private final LocatedJson text;
  private final List<Place> places = new ArrayList<>();
  private final @Nullable String separator;

  /**
   * A place of the template.
   *
   * @param literal the text before it
   * @param index the number of the dimension; negative from the end, or {@link #REST}
   * @param width the least number of digits
   */
  private record Place(String literal, int index, int width) {}

  /** The text behind the last place. */
  private final String end;

  private TemplateKeys(NamedConfiguration use) {
    use.configuration().allowOnly("format", "template", "separator");
    this.use = use;
    LocatedJson format = use.optional("format");
    text = format == null ? use.member("template") : format;
    LocatedJson between = use.configuration().nonNull("separator");
    separator = between == null ? null : between.string();
    end = read(text.string());
    if (places.isEmpty()) {
      throw text.expected("a template with a place such as {0} or {*}");
    }
    KeyText.check(text, example());
    if (text.string().startsWith("/")) {
      throw text.expected("a template that does not begin with a slash");
    }
    boolean hasRest = false;
    for (int i = 0; i < places.size(); i++) {
      Place place = places.get(i);
      if (place.index == REST) {
        if (hasRest || separator == null || !isBetween(separator)) {
          throw text.expected(
              "at most one {*}, with a separator that has another character than digits");
        }
        hasRest = true;
      }
      if (i > 0 && !isBetween(place.literal)) {
        throw text.expected("between two numbers another character than a digit");
      }
    }
  }

  static TemplateKeys of(NamedConfiguration use) {
    return new TemplateKeys(use);
  }

  private static boolean isBetween(String literal) {
    return literal.chars().anyMatch(character -> character < '0' || character > '9');
  }

  /** Reads the places, and returns the text behind the last one. */
  private String read(String template) {
    Matcher parts = PART.matcher(template);
    StringBuilder literal = new StringBuilder();
    int at = 0;
    while (at < template.length()) {
      if (!parts.find(at) || parts.start() != at) {
        throw text.expected("a template whose braces are places such as {0}, {-1:04} or {*}");
      }
      at = parts.end();
      String part = parts.group();
      String index = parts.group(1);
      if (index == null) {
        literal.append(part.equals("{{") ? "{" : part.equals("}}") ? "}" : part);
      } else {
        String width = parts.group(2);
        places.add(
            new Place(
                literal.toString(),
                index.equals("*") ? REST : Integer.parseInt(index),
                width == null ? 0 : Integer.parseInt(width)));
        literal.setLength(0);
      }
    }
    return literal.toString();
  }

  /** Returns all literals, with a digit for each number, to look for what keys must not have. */
  private String example() {
    StringBuilder key = new StringBuilder();
    places.forEach(place -> key.append(place.literal).append('0'));
    return (separator == null ? "" : "0" + separator + "0") + key + end;
  }

  /** A number of a key: the text before it, its dimension and the least number of its digits. */
  private record Digits(String literal, int dimension, int width) {}

  /** Returns the numbers of keys of arrays with so many dimensions. */
  private List<Digits> numbers(int rank) {
    boolean[] isNamed = new boolean[rank];
    for (Place place : places) {
      int dimension = place.index < 0 && place.index != REST ? place.index + rank : place.index;
      if (place.index != REST) {
        if (dimension < 0 || dimension >= rank || isNamed[dimension]) {
          throw use.error(
              "the template \""
                  + text.string()
                  + "\" does not name each of "
                  + rank
                  + " dimensions once");
        }
        isNamed[dimension] = true;
      }
    }
    List<Digits> numbers = new ArrayList<>();
    for (Place place : places) {
      String literal = place.literal;
      if (place.index != REST) {
        int dimension = place.index < 0 ? place.index + rank : place.index;
        numbers.add(new Digits(literal, dimension, place.width));
        continue;
      }
      int before = numbers.size();
      for (int dimension = 0; dimension < rank; dimension++) {
        if (!isNamed[dimension]) {
          numbers.add(new Digits(literal, dimension, place.width));
          literal = separator == null ? "" : separator;
        }
      }
      if (numbers.size() == before) {
        throw use.error("no dimension of " + rank + " is left for {*} in " + text.string());
      }
    }
    if (numbers.size() != rank) {
      throw use.error(
          "the template \""
              + text.string()
              + "\" does not name each of "
              + rank
              + " dimensions once");
    }
    return numbers;
  }

  @Override
  public long @Nullable [] decode(String key, int rank) {
    StringBuilder form = new StringBuilder();
    List<Digits> numbers = numbers(rank);
    for (Digits number : numbers) {
      form.append(Pattern.quote(number.literal)).append("([0-9]+)");
    }
    Matcher digits = Pattern.compile(form + Pattern.quote(end)).matcher(key);
    if (!digits.matches()) {
      return null;
    }
    long[] index = new long[rank];
    try {
      for (int i = 0; i < rank; i++) {
        index[numbers.get(i).dimension] = Long.parseLong(digits.group(i + 1));
      }
    } catch (NumberFormatException e) {
      return null;
    }
    return encode(index).equals(key) ? index : null; // one spelling only
  }

  @Override
  public String encode(long... index) {
    StringBuilder key = new StringBuilder();
    for (Digits number : numbers(index.length)) {
      String digits = Long.toString(index[number.dimension]);
      key.append(number.literal)
          .append("0".repeat(Math.max(0, number.width - digits.length())))
          .append(digits);
    }
    return key.append(end).toString();
  }
}
