package dev.zarrreactive.internal.files;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.error.InvalidInputException;
import dev.zarrreactive.json.JsonValue;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Rows of JSON: the elements of one list, or a text on each line. */
final class JsonRows extends RowCutter {
  private enum State {
    BEFORE,
    ITEM,
    AFTER
  }

  private final boolean isList;
  private final int longest;
  private byte[] text = new byte[256];
  private int length;
  private State state;
  private int depth; // of lists and objects within the item
  private boolean isString;
  private boolean isEscaped;
  private boolean needsItem;

  /** The elements of a row that come one by one; null where each text is a row. */
  private @Nullable ElementMemory single;

  private int singles;
  private @Nullable Boolean areSingle;

  JsonRows(Rows rows, int longest, boolean isList) {
    super(rows);
    this.longest = longest;
    this.isList = isList;
    this.state = isList ? State.BEFORE : State.ITEM;
  }

  @Override
  void accept(ByteBuffer bytes) {
    while (bytes.hasRemaining()) {
      byte next = bytes.get();
      if (isList) {
        acceptOfList(next);
      } else if (next == '\n') {
        item();
      } else {
        append(next);
      }
    }
  }

  private static boolean isSpace(byte next) {
    return next == ' ' || next == '\n' || next == '\r' || next == '\t';
  }

  private void acceptOfList(byte next) {
    if (state != State.ITEM) {
      if (state == State.BEFORE && next == '[') {
        state = State.ITEM;
      } else if (!isSpace(next)) {
        throw new InvalidInputException(
            state == State.BEFORE
                ? "the JSON is no list of rows"
                : "the JSON goes on after its list of rows");
      }
    } else if (isString) {
      append(next);
      isString = isEscaped || next != '"';
      isEscaped = !isEscaped && next == '\\';
    } else if (depth == 0 && (next == ',' || next == ']')) {
      boolean isEmpty = isBlank();
      if (isEmpty && (next == ',' || needsItem)) {
        throw new InvalidInputException("the JSON lacks a row after row " + (cut - 1));
      }
      item();
      needsItem = next == ',';
      state = next == ']' ? State.AFTER : state;
    } else {
      append(next);
      isString = next == '"';
      depth += next == '[' || next == '{' ? 1 : next == ']' || next == '}' ? -1 : 0;
    }
  }

  private void append(byte next) {
    if (length == longest) {
      throw new InvalidInputException(
          "the text of row "
              + cut
              + " has more than "
              + longest
              + " bytes, too many; send a NumPy file, or lines with one element each");
    }
    if (length == text.length) {
      text = Arrays.copyOf(text, Math.min(longest, 2 * length));
    }
    text[length++] = next;
  }

  private boolean isBlank() {
    for (int i = 0; i < length; i++) {
      if (!isSpace(text[i])) {
        return false;
      }
    }
    return true;
  }

  /** Reads the text that was gathered. */
  private void item() {
    if (!isBlank()) {
      add(JsonElements.parse(ByteBuffer.wrap(text, 0, length), "row " + cut));
    }
    length = 0;
  }

  private void add(JsonValue value) {
    if (rows.count() >= 0 && cut == rows.count()) {
      throw tooMany();
    }
    if (areSingle == null) {
      int depthOfRow = rows.row().rank() + JsonElements.depth(rows.dataType());
      areSingle = !isList && rows.row().rank() > 0 && JsonElements.depth(value) < depthOfRow;
    }
    if (!areSingle) {
      ElementMemory row = ElementMemory.allocate(rows.dataType(), rows.row());
      JsonElements.fill(value, rows.dataType(), rows.row(), row, "row " + cut);
      add(row, 1);
      return;
    }
    ElementMemory row =
        single == null ? ElementMemory.allocate(rows.dataType(), rows.row()) : single;
    JsonElements.set(value, rows.dataType(), row, singles, "row " + cut);
    single = row;
    if (++singles == row.count()) {
      single = null;
      singles = 0;
      add(row, 1);
    }
  }

  @Override
  void finish() {
    if (isList && state != State.AFTER) {
      throw new InvalidInputException("the JSON ends in row " + cut + " of its list");
    }
    if (!isList) {
      item();
    }
    if (singles > 0) {
      throw new InvalidInputException(
          "the lines end after " + singles + " elements of row " + cut + " of " + rows.described());
    }
  }
}
