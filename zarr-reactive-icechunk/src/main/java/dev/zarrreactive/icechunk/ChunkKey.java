package dev.zarrreactive.icechunk;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a key says that may be that of a chunk, in the encoding {@code default} with slashes: {@code
 * a/b/c/0/1} is chunk (0, 1) of the array {@code /a/b}, {@code a/b/c} that of a scalar.
 */
final class ChunkKey {
  private static final long MOST = 0xffff_ffffL;

  private final String path;
  private final int[] index;

  private ChunkKey(String path, int[] index) {
    this.path = path;
    this.index = index;
  }

  /** The path of the array. */
  String path() {
    return path;
  }

  /** The numbers, unsigned; do not change them. */
  int[] index() {
    return index;
  }

  /** Parses the segments of a key, or those of a prefix; null where they name no chunk. */
  static @Nullable ChunkKey parse(String segments) {
    List<Integer> reversed = new ArrayList<>();
    int end = segments.length();
    while (end >= 0) {
      int start = segments.lastIndexOf('/', end - 1) + 1;
      if (end - start == 1 && segments.charAt(start) == 'c') {
        int[] index = new int[reversed.size()];
        for (int i = 0; i < index.length; i++) {
          index[i] = reversed.get(index.length - 1 - i);
        }
        return new ChunkKey(start == 0 ? "/" : "/" + segments.substring(0, start - 1), index);
      }
      long number = number(segments, start, end);
      if (number < 0) {
        return null;
      }
      reversed.add((int) number);
      end = start - 1;
    }
    return null;
  }

  private static long number(String text, int start, int end) {
    int length = end - start;
    if (length == 0 || length > 10 || (length > 1 && text.charAt(start) == '0')) {
      return -1;
    }
    long number = 0;
    for (int i = start; i < end; i++) {
      char digit = text.charAt(i);
      if (digit < '0' || digit > '9') {
        return -1;
      }
      number = number * 10 + digit - '0';
    }
    return number > MOST ? -1 : number;
  }

  /** The key of a chunk of the array with a prefix. */
  static String of(String prefix, int[] index) {
    StringBuilder key = new StringBuilder(prefix).append('c');
    for (int number : index) {
      key.append('/').append(Integer.toUnsignedString(number));
    }
    return key.toString();
  }
}
