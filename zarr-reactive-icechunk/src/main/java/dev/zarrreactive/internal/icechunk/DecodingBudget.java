package dev.zarrreactive.internal.icechunk;

import dev.zarrreactive.base.Bytes;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/**
 * The bound of what is made of an encoded value: offsets of a damaged one may lead to one part many
 * times, or in circles.
 */
final class DecodingBudget {
  private static final int MOST_DEPTH = 64;

  /** The most bytes of text in all, where each value counts as several. */
  private static final int MOST_TEXT = 4 << 20;

  private static final int COST_OF_VALUE = 8;

  private final Function<String, RuntimeException> damage;
  private long left = MOST_TEXT;

  /**
   * Creates a budget, for all values of one file.
   *
   * @param damage makes the error of a damaged file of what is wrong
   */
  DecodingBudget(Function<String, RuntimeException> damage) {
    this.damage = damage;
  }

  /** Counts a value at a depth. */
  void value(int depth) {
    spend(COST_OF_VALUE);
    if (depth > MOST_DEPTH) {
      throw damaged("a value that is nested more than " + MOST_DEPTH + " deep");
    }
  }

  private void spend(int count) {
    left -= count;
    if (left < 0) {
      throw damaged("metadata of more than " + MOST_TEXT + " bytes");
    }
  }

  /** Returns the error of a damaged file. */
  RuntimeException damaged(String problem) {
    return damage.apply(problem);
  }

  /** Decodes UTF-8, and counts it. */
  String text(Bytes bytes, int at, int length) {
    spend(length);
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(bytes.slice(at, length).asByteBuffer())
          .toString();
    } catch (CharacterCodingException e) {
      throw damaged("a text that is not UTF-8");
    }
  }
}
