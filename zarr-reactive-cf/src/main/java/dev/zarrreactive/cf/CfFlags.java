package dev.zarrreactive.cf;

import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The meanings of flags (CF 3.5): {@code flag_values}, {@code flag_masks} and {@code
 * flag_meanings}.
 *
 * @param flags in the order of the attributes
 */
public record CfFlags(List<Flag> flags) {
  /**
   * One flag. A stored number has it if its bits in the mask are those of the value.
   *
   * @param meaning a word of {@code flag_meanings}
   * @param mask all bits, where there is no {@code flag_masks}
   * @param value the mask, where there is no {@code flag_values}
   */
  public record Flag(String meaning, long mask, long value) {}

  /** Copies the list. */
  public CfFlags {
    flags = List.copyOf(flags);
  }

  /** Returns the flags of an array's attributes; empty where they are incomplete. */
  public static Optional<CfFlags> of(JsonObject attributes) {
    if (!(attributes.get("flag_meanings") instanceof JsonString words)) {
      return Optional.empty();
    }
    List<String> meanings = List.of(words.value().strip().split("\\s+", -1));
    List<Long> values = numbers(attributes.get("flag_values"));
    List<Long> masks = numbers(attributes.get("flag_masks"));
    boolean isComplete =
        (values.isEmpty() || values.size() == meanings.size())
            && (masks.isEmpty() || masks.size() == meanings.size());
    if (!isComplete || (values.isEmpty() && masks.isEmpty())) {
      return Optional.empty();
    }
    List<Flag> flags = new ArrayList<>();
    for (int i = 0; i < meanings.size(); i++) {
      long mask = masks.isEmpty() ? -1 : masks.get(i);
      flags.add(new Flag(meanings.get(i), mask, values.isEmpty() ? mask : values.get(i)));
    }
    return Optional.of(new CfFlags(flags));
  }

  private static List<Long> numbers(@Nullable JsonValue value) {
    List<JsonValue> elements =
        value instanceof JsonArray list
            ? list.elements()
            : value == null ? List.of() : List.of(value);
    List<Long> numbers = new ArrayList<>();
    for (JsonValue element : elements) {
      if (element instanceof JsonNumber number && number.isFinite()) {
        numbers.add((long) number.toDouble());
      }
    }
    return numbers.size() == elements.size() ? numbers : List.of();
  }

  /** Returns the meanings of a stored number: several where there are masks, or none. */
  public List<String> meanings(long stored) {
    return flags.stream()
        .filter(flag -> (stored & flag.mask()) == flag.value())
        .map(Flag::meaning)
        .toList();
  }
}
