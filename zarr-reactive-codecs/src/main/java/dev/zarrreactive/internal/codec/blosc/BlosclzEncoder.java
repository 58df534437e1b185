package dev.zarrreactive.internal.codec.blosc;

import dev.zarrreactive.internal.codec.compression.Pool;
import dev.zarrreactive.internal.codec.shuffle.LittleEndianWords;
import java.util.Arrays;

/** Encodes one stream of {@link BlosclzStreams}: greedy matches, found in a hash table. */
final class BlosclzEncoder {
  private static final int HASH_BITS = 14;
  private static final Pool<int[]> TABLES =
      Pool.perProcessor(() -> new int[1 << HASH_BITS], table -> {});

  private static final int SHORTEST_MATCH = 4;

  /** A far match costs two bytes more. */
  private static final int SHORTEST_FAR_MATCH = 7;

  private static final int LONGEST_DISTANCE = BlosclzStreams.FAR + 0xffff + 1;

  /** The literals at the end of a stream, for which readers may copy in words. */
  private static final int LAST_LITERALS = 12;

  private final byte[] in;
  private final int start;
  private final int end;
  private final byte[] out;
  private final int outStart;
  private int to;

  BlosclzEncoder(byte[] in, int from, int length, byte[] out, int to) {
    this.in = in;
    this.start = from;
    this.end = from + length;
    this.out = out;
    this.outStart = to;
    this.to = to;
  }

  /** Encodes, and returns the number of bytes written. */
  int encode(int level) {
    int bits = Math.min(HASH_BITS, 33 - Integer.numberOfLeadingZeros(end - start));
    int written =
        TABLES.with(
            table -> {
              Arrays.fill(table, 0, 1 << bits, -1);
              return encodeMatches(table, 32 - bits, level);
            });
    literals(written, end);
    out[outStart] |= BlosclzStreams.FIRST_MARK;
    return to - outStart;
  }

  /** Encodes up to the last match, and returns the index of the literals behind it. */
  private int encodeMatches(int[] table, int shift, int level) {
    int matchEnd = end - LAST_LITERALS;
    int written = start;
    int at = start;
    int misses = 0;
    while (at < matchEnd - SHORTEST_MATCH) {
      int word = LittleEndianWords.getInt(in, at);
      int slot = (word * 0x9E3779B1) >>> shift;
      int from = table[slot];
      table[slot] = at;
      int length = from < start ? 0 : matchLength(word, from, at, matchEnd);
      if (length == 0) {
        // bytes without matches are searched less and less densely; a higher level keeps the
        // search denser
        at += 1 + (misses++ >>> (level + 1));
        continue;
      }
      literals(written, at);
      match(at - from, length);
      at += length;
      written = at;
      misses = 0;
    }
    return written;
  }

  /**
   * Returns the length of the match of {@code at} with {@code from}, 0 for one that is not worth
   * it.
   */
  private int matchLength(int word, int from, int at, int matchEnd) {
    if (at - from > LONGEST_DISTANCE || LittleEndianWords.getInt(in, from) != word) {
      return 0;
    }
    int length = SHORTEST_MATCH;
    while (at + length <= matchEnd - 8) {
      long different =
          LittleEndianWords.getLong(in, from + length) ^ LittleEndianWords.getLong(in, at + length);
      if (different != 0) {
        length += Long.numberOfTrailingZeros(different) >>> 3;
        break;
      }
      length += 8;
    }
    if (at + length > matchEnd - 8) {
      while (at + length < matchEnd && in[from + length] == in[at + length]) {
        length++;
      }
    }
    boolean far = at - from > BlosclzStreams.FAR;
    return far && length < SHORTEST_FAR_MATCH ? 0 : length;
  }

  private void literals(int from, int until) {
    for (int at = from; at < until; ) {
      int run = Math.min(BlosclzStreams.LONGEST_RUN, until - at);
      out[to++] = (byte) (run - 1);
      System.arraycopy(in, at, out, to, run);
      to += run;
      at += run;
    }
  }

  private void match(int distance, int length) {
    int back = distance - 1;
    int near = Math.min(back, BlosclzStreams.FAR);
    if (length < BlosclzStreams.LONG_MATCH) {
      out[to++] = (byte) (((length - 2) << 5) | (near >> 8));
    } else {
      out[to++] = (byte) ((7 << 5) | (near >> 8));
      int more = length - BlosclzStreams.LONG_MATCH;
      for (; more >= 255; more -= 255) {
        out[to++] = (byte) 255;
      }
      out[to++] = (byte) more;
    }
    out[to++] = (byte) near;
    if (near == BlosclzStreams.FAR) {
      int far = back - BlosclzStreams.FAR;
      out[to++] = (byte) (far >> 8);
      out[to++] = (byte) far;
    }
  }
}
