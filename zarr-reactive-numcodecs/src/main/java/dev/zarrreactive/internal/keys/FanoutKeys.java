package dev.zarrreactive.internal.keys;

import dev.zarrreactive.chunkkey.ChunkKeyEncoding;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.LocatedJson;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The chunk key encoding {@code fanout}: no directory has more than so many entries. Each number of
 * an index is written in the base of one less, a digit for each directory: with 101 of them the
 * index (123, 5) is {@code d0/1/23/d1/5/c}.
 *
 * @param base the base of the digits
 */
record FanoutKeys(int base) implements ChunkKeyEncoding {
  static final String NAME = "fanout";

  private static final int USUAL_CHILDREN = 1001;

  static FanoutKeys of(NamedConfiguration use) {
    use.configuration().allowOnly("max_children");
    LocatedJson most = use.optional("max_children");
    return new FanoutKeys((most == null ? USUAL_CHILDREN : most.integer(4, Integer.MAX_VALUE)) - 1);
  }

  @Override
  public long @Nullable [] decode(String key, int rank) {
    String[] parts = key.split("/", -1);
    long[] index = new long[rank];
    int at = 0;
    try {
      for (int d = 0; d < rank; d++) {
        if (at >= parts.length || !parts[at].equals("d" + d)) {
          return null;
        }
        for (at++; at < parts.length && Character.isDigit(parts[at].charAt(0)); at++) {
          index[d] = Math.addExact(Math.multiplyExact(index[d], base), Long.parseLong(parts[at]));
        }
      }
    } catch (ArithmeticException | NumberFormatException | StringIndexOutOfBoundsException e) {
      return null;
    }
    return encode(index).equals(key) ? index : null; // one spelling only
  }

  @Override
  public String encode(long... index) {
    StringBuilder key = new StringBuilder();
    for (int d = 0; d < index.length; d++) {
      List<Long> digits = new ArrayList<>();
      for (long rest = index[d]; rest > 0 || digits.isEmpty(); rest /= base) {
        digits.add(rest % base);
      }
      Collections.reverse(digits);
      key.append('d').append(d).append('/');
      digits.forEach(digit -> key.append(digit).append('/'));
    }
    return key.append('c').toString();
  }
}
