package dev.zarrreactive.array.selection;

import dev.zarrreactive.error.InvalidInputException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parses a selection in NumPy notation, from left to right. */
final class SelectionParser {
  private static final String ENTRY =
      "an integer, a slice such as 0:10 or ::2, a list such as [1,5,7], or ...";

  private final String text;
  private int position;

  SelectionParser(String text) {
    this.text = text;
  }

  Selection parse() {
    List<DimensionSelection> entries = new ArrayList<>();
    do {
      int start = skipSpace();
      DimensionSelection entry = entry();
      if (entry == Ellipsis.ELLIPSIS && entries.contains(entry)) {
        throw error(start, "a second ellipsis");
      }
      entries.add(entry);
    } while (take(","));
    if (!atEnd()) {
      throw expected("a comma or the end");
    }
    return new OrthogonalSelection(entries);
  }

  private DimensionSelection entry() {
    if (take("...")) {
      return Ellipsis.ELLIPSIS;
    }
    if (take("[")) {
      return list();
    }
    Long from = integer();
    if (!take(":")) {
      if (from == null) {
        throw expected(ENTRY);
      }
      return new SingleIndex(from);
    }
    Long to = integer();
    return new Slice(from, to, take(":") ? step() : 1);
  }

  private DimensionSelection list() {
    List<Long> indices = new ArrayList<>();
    if (!take("]")) {
      do {
        Long index = integer();
        if (index == null) {
          throw expected("an integer");
        }
        indices.add(index);
      } while (take(","));
      if (!take("]")) {
        throw expected("a comma or ]");
      }
    }
    return new IndexList(indices.stream().mapToLong(Long::longValue).toArray());
  }

  private long step() {
    int start = skipSpace();
    Long step = integer();
    if (step == null) {
      return 1;
    }
    if (step <= 0) {
      throw error(start, "the step of a slice is positive, not " + step);
    }
    return step;
  }

  /** Reads the next integer, or returns null for another token. */
  private @Nullable Long integer() {
    int start = skipSpace();
    int end = start < text.length() && text.charAt(start) == '-' ? start + 1 : start;
    int digits = end;
    while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
      end++;
    }
    if (end == digits) {
      if (digits > start) {
        position = digits;
        throw expected("a digit");
      }
      return null;
    }
    position = end;
    try {
      return Long.valueOf(text.substring(start, end));
    } catch (NumberFormatException e) {
      throw error(start, "expected a 64-bit integer, found " + text.substring(start, end));
    }
  }

  private boolean take(String token) {
    skipSpace();
    if (!text.startsWith(token, position)) {
      return false;
    }
    position += token.length();
    return true;
  }

  private boolean atEnd() {
    return skipSpace() == text.length();
  }

  private int skipSpace() {
    while (position < text.length() && Character.isWhitespace(text.charAt(position))) {
      position++;
    }
    return position;
  }

  private InvalidInputException expected(String what) {
    String found = atEnd() ? "the end" : "\"" + text.substring(position, position + 1) + "\"";
    return error(position, "expected " + what + ", found " + found);
  }

  private InvalidInputException error(int at, String message) {
    return new InvalidInputException(
        "selection \"" + text + "\", position " + (at + 1) + ": " + message);
  }
}
