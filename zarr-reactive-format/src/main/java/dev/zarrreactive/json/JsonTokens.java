package dev.zarrreactive.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.zarrreactive.error.Leniency;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes values of the tokens of one document, and counts them. A {@link Location} is made only for
 * an error: the parser knows its position.
 */
final class JsonTokens {
  /** The weight of a value, in integers of a list of integers. */
  private static final int VALUE = 4;

  /** The number of digits that always fit into a long. */
  private static final int DIGITS = 18;

  /** The member of a group of Zarr v3 that an error inside of it leaves out. */
  private static final String CONSOLIDATED_MEMBER = "consolidated_metadata";

  private static final String FILL_VALUE_MEMBER = "fill_value";

  /** The maximum number of member names that are kept. */
  private static final int NAMES = 256;

  private final JsonParser parser;
  private final Location top;
  private final long maxElements;
  private final long maxWeight;

  /** The first member names, each once: nodes and codecs repeat them. */
  private final Map<String, String> names = new HashMap<>();

  /** The first place of each deviation from JSON that was accepted. */
  private final Map<Leniency, Location> accepted = new EnumMap<>(Leniency.class);

  private @Nullable MetadataException consolidatedProblem;

  private long weight;

  /** The deviations from JSON that a part of a document may have. */
  enum Rules {
    /** None. A member {@code attributes} has rules of its own, and consolidated metadata. */
    STRICT,
    /** The rules of a {@code .zarray}: as before, and a fill value may be a token. */
    ARRAY_OF_V2,
    /** A part that is one fill value. */
    FILL_VALUE,
    CONSOLIDATED,
    ATTRIBUTES;

    /** Returns the rules of the member {@code name}. */
    Rules of(String name, boolean isAtTop) {
      if (this == ATTRIBUTES || isAttributes(name)) {
        return ATTRIBUTES;
      } else if (this == STRICT && isAtTop && name.equals(CONSOLIDATED_MEMBER)) {
        return CONSOLIDATED;
      }
      return this == ARRAY_OF_V2 && isAtTop && name.equals(FILL_VALUE_MEMBER) ? FILL_VALUE : this;
    }

    /** Returns the leniency that a token takes here, or null if it is an error. */
    private @Nullable Leniency ofToken() {
      return switch (this) {
        case ATTRIBUTES -> Leniency.TOKEN_IN_ATTRIBUTES;
        case CONSOLIDATED -> Leniency.TOKEN_IN_CONSOLIDATED_METADATA;
        case FILL_VALUE -> Leniency.TOKEN_AS_FILL_VALUE;
        default -> null;
      };
    }

    private boolean allowsDuplicates() {
      return this == ATTRIBUTES || this == CONSOLIDATED;
    }
  }

  /**
   * Reads the tokens of a document.
   *
   * @param maxElements the maximum number of values, where four integers of a list count as one
   */
  JsonTokens(JsonParser parser, Location top, long maxElements) {
    this.parser = parser;
    this.top = top;
    this.maxElements = maxElements;
    this.maxWeight = maxElements > Long.MAX_VALUE / VALUE ? Long.MAX_VALUE : VALUE * maxElements;
  }

  /** The first place of each deviation from JSON that was accepted. */
  Map<Leniency, Location> accepted() {
    return accepted;
  }

  /** The error that left consolidated metadata out, or null. */
  @Nullable MetadataException consolidatedProblem() {
    return consolidatedProblem;
  }

  /** The place of the token that was read last. */
  private Location here() {
    return top.pointer(parser.getParsingContext().pathAsPointer().toString());
  }

  private MetadataException error(String message) {
    return new MetadataException(message, here());
  }

  private void accept(Leniency leniency) {
    if (!accepted.containsKey(leniency)) {
      accepted.put(leniency, here());
    }
  }

  private void count(long more) {
    weight += more;
    if (weight > maxWeight) {
      throw new MetadataException(
          "the document has more than "
              + maxElements
              + " values, the maximum of the options; raise it for documents that you trust",
          top);
    }
  }

  /** Makes the value that begins with {@code token}. */
  JsonValue value(JsonToken token, Rules rules) throws IOException {
    count(VALUE);
    return switch (token) {
      case START_OBJECT -> object(rules);
      case START_ARRAY -> array(rules);
      case VALUE_STRING -> new JsonString(parser.getText());
      case VALUE_NUMBER_INT -> new JsonNumber(parser.getText());
      case VALUE_NUMBER_FLOAT -> number(rules);
      case VALUE_TRUE -> new JsonBoolean(true);
      case VALUE_FALSE -> new JsonBoolean(false);
      default -> JsonNull.NULL;
    };
  }

  private JsonNumber number(Rules rules) throws IOException {
    JsonNumber number = new JsonNumber(spelling(parser.getText()));
    if (!number.isFinite()) {
      Leniency leniency = rules.ofToken();
      if (leniency == null) {
        throw error("not JSON: the token " + number.text());
      }
      accept(leniency);
    }
    return number;
  }

  /** Jackson also accepts the tokens INF and +INF. */
  private static String spelling(String text) {
    return switch (text) {
      case "INF", "+INF", "+Infinity" -> "Infinity";
      case "-INF" -> "-Infinity";
      default -> text;
    };
  }

  private JsonArray array(Rules rules) throws IOException {
    long[] integers = new long[4];
    int size = 0;
    JsonToken token = parser.nextToken();
    for (; isPlainInteger(token); token = parser.nextToken()) {
      count(1);
      if (size == integers.length) {
        integers = Arrays.copyOf(integers, size + (size >> 1));
      }
      integers[size++] = parser.getLongValue();
    }
    return token == JsonToken.END_ARRAY
        ? new JsonArray(new IntegerList(integers, size))
        : mixed(new IntegerList(integers, size), token, rules);
  }

  /** Returns true for an integer that a long spells the same way. */
  private boolean isPlainInteger(JsonToken token) throws IOException {
    return token == JsonToken.VALUE_NUMBER_INT
        && parser.getTextLength() <= DIGITS
        && (parser.getTextLength() != 2 || parser.getLongValue() != 0); // -0
  }

  private JsonArray mixed(IntegerList first, JsonToken next, Rules rules) throws IOException {
    count((VALUE - 1) * (long) first.size());
    List<JsonValue> elements = new ArrayList<>(first);
    for (JsonToken t = next; t != JsonToken.END_ARRAY; t = parser.nextToken()) {
      elements.add(value(t, rules));
    }
    return new JsonArray(elements);
  }

  private JsonObject object(Rules rules) throws IOException {
    boolean isAtTop = parser.getParsingContext().getParent().inRoot();
    Map<String, JsonValue> members = new LinkedHashMap<>();
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      Rules inside = rules.of(name, isAtTop);
      boolean isConsolidated = inside == Rules.CONSOLIDATED && rules != Rules.CONSOLIDATED;
      JsonToken token = parser.nextToken();
      JsonValue value = isConsolidated ? consolidated(token) : value(token, inside);
      if (value != null && members.put(once(name), value) != null) {
        if (!rules.allowsDuplicates()) {
          throw error("duplicate member \"" + name + '"');
        }
        accept(Leniency.DUPLICATE_MEMBER);
      }
    }
    return new JsonObject(members);
  }

  /** Makes consolidated metadata; an error inside leaves them out, and the group stays. */
  private @Nullable JsonValue consolidated(JsonToken token) throws IOException {
    int depth = parser.getParsingContext().getNestingDepth();
    int outside = token.isStructStart() ? depth - 1 : depth;
    long before = weight;
    try {
      return value(token, Rules.CONSOLIDATED);
    } catch (MetadataException e) {
      consolidatedProblem = e;
      weight = before;
      while (parser.getParsingContext().getNestingDepth() > outside) {
        parser.nextToken();
      }
      return null;
    }
  }

  private String once(String name) {
    String known = names.size() < NAMES ? names.putIfAbsent(name, name) : names.get(name);
    return known == null ? name : known;
  }

  /** Recognises the keys of attributes too: consolidated metadata of Zarr v2 names them. */
  private static boolean isAttributes(String name) {
    return name.equals("attributes") || name.equals(".zattrs") || name.endsWith("/.zattrs");
  }
}
