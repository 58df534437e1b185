package dev.zarrreactive.json;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Reads a JSON text with each escape of an unpaired surrogate replaced by the surrogate itself.
 * Jackson refuses the escape in the name of a member.
 */
final class UnpairedEscapes extends Reader {
  private static final int DIGITS = 4;

  private final Reader json;

  /** Characters of the text that were read ahead, and are looked at again. */
  private final Deque<Integer> ahead = new ArrayDeque<>();

  /** Characters that are passed on as they are. */
  private final Deque<Integer> done = new ArrayDeque<>();

  UnpairedEscapes(Reader json) {
    this.json = new BufferedReader(json);
  }

  private int next() throws IOException {
    Integer known = ahead.poll();
    return known != null ? known : json.read();
  }

  @Override
  public int read() throws IOException {
    Integer known = done.poll();
    if (known != null) {
      return known;
    }
    int first = next();
    if (first != '\\') {
      return first;
    }
    int unit = escape();
    if (unit >= 0 && Character.isHighSurrogate((char) unit)) {
      int backslash = next();
      if (backslash == '\\') {
        Deque<Integer> before = new ArrayDeque<>(done);
        done.clear();
        int low = escape();
        Deque<Integer> after = new ArrayDeque<>(done);
        done.clear();
        if (low >= 0 && Character.isLowSurrogate((char) low)) {
          done.addAll(before);
          done.add(backslash);
          done.addAll(after);
          return first;
        }
        ahead.add(backslash);
        ahead.addAll(after);
      } else if (backslash >= 0) {
        ahead.add(backslash);
      }
      done.clear();
      return unit;
    } else if (unit >= 0 && Character.isLowSurrogate((char) unit)) {
      done.clear();
      return unit;
    }
    return first;
  }

  /**
   * Reads the rest of an escape into {@link #done}.
   *
   * @return the unit of an escape with four digits, or -1 for any other
   */
  private int escape() throws IOException {
    int kind = next();
    if (kind < 0) {
      return -1;
    }
    done.add(kind);
    int unit = 0;
    for (int i = 0; kind == 'u' && i < DIGITS; i++) {
      int c = next();
      if (c < 0) {
        return -1;
      }
      done.add(c);
      int digit = c < 128 ? Character.digit(c, 16) : -1;
      unit = digit < 0 || unit < 0 ? -1 : unit * 16 + digit;
    }
    return kind == 'u' ? unit : -1;
  }

  @Override
  public int read(char[] target, int offset, int length) throws IOException {
    int count = 0;
    while (count < length) {
      int c = read();
      if (c < 0) {
        return count == 0 ? -1 : count;
      }
      target[offset + count++] = (char) c;
    }
    return count;
  }

  @Override
  public void close() throws IOException {
    json.close();
  }
}
