package dev.zarrreactive.kerchunk;

import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.json.LocatedJson;
import org.jspecify.annotations.Nullable;

/**
 * The chunk grid of an array of Zarr v2, whose references lie in record files in the order of the
 * chunks (C order).
 */
final class ChunkedArray {
  private final String path;
  private final char separator;
  private final long[] counts;
  private final long count;

  private ChunkedArray(String path, char separator, long[] counts, long count) {
    this.path = path;
    this.separator = separator;
    this.counts = counts;
    this.count = count;
  }

  /**
   * Reads the grid from a {@code .zarray}.
   *
   * @param path the path of the array, empty for the root
   * @throws MetadataException where it has none
   */
  static ChunkedArray of(String path, LocatedJson zarray) {
    long[] shape = zarray.member("shape").integers(0, Long.MAX_VALUE);
    long[] chunks = zarray.member("chunks").integers(0, Long.MAX_VALUE);
    if (shape.length != chunks.length) {
      throw zarray.member("chunks").expected("as many numbers as the shape has");
    }
    @Nullable LocatedJson separator = zarray.nonNull("dimension_separator");
    boolean isSlash = separator != null && separator.oneOf(".", "/").equals("/");
    long[] counts = new long[shape.length];
    long count = 1;
    for (int i = 0; i < shape.length; i++) {
      if (shape[i] > 0 && chunks[i] == 0) {
        throw zarray.member("chunks").expected("numbers above 0");
      }
      counts[i] = shape[i] == 0 ? 0 : (shape[i] - 1) / chunks[i] + 1;
      if (counts[i] != 0 && count > Long.MAX_VALUE / counts[i]) {
        throw zarray.member("shape").error("it has more than 2^63 chunks");
      }
      count *= counts[i];
    }
    return new ChunkedArray(path, isSlash ? '/' : '.', counts, count);
  }

  String path() {
    return path;
  }

  /** The beginning of its keys. */
  String prefix() {
    return path.isEmpty() ? "" : path + "/";
  }

  /** The number of chunks. */
  long count() {
    return count;
  }

  /**
   * Returns the number of a chunk.
   *
   * @param name what follows the path in its key, such as {@code 0.3}
   * @return -1 where the grid has no such chunk
   */
  long number(String name) {
    if (counts.length == 0) {
      return name.equals("0") ? 0 : -1;
    }
    long number = 0;
    int at = 0;
    for (int i = 0; i < counts.length; i++) {
      int end = name.indexOf(separator, at);
      end = end < 0 ? name.length() : end;
      long index = index(name, at, end);
      if (index < 0 || index >= counts[i]) {
        return -1;
      }
      number = number * counts[i] + index;
      at = end + 1;
      if ((i < counts.length - 1) == (end == name.length())) {
        return -1;
      }
    }
    return number;
  }

  /** Reads digits without a zero before them; -1 for anything else. */
  private static long index(String name, int from, int to) {
    if (to == from || to - from > 18 || (to - from > 1 && name.charAt(from) == '0')) {
      return -1;
    }
    long index = 0;
    for (int i = from; i < to; i++) {
      char c = name.charAt(i);
      if (c < '0' || c > '9') {
        return -1;
      }
      index = 10 * index + (c - '0');
    }
    return index;
  }

  /** The key of a chunk. */
  String key(long number) {
    if (counts.length == 0) {
      return prefix() + "0";
    }
    long[] index = new long[counts.length];
    for (int i = counts.length - 1; i >= 0; i--) {
      index[i] = number % counts[i];
      number /= counts[i];
    }
    StringBuilder key = new StringBuilder(prefix());
    for (int i = 0; i < index.length; i++) {
      key.append(i == 0 ? "" : String.valueOf(separator)).append(index[i]);
    }
    return key.toString();
  }
}
