package dev.zarrreactive.cf;

import dev.zarrreactive.array.ElementConversion;
import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import java.lang.ref.SoftReference;
import org.jspecify.annotations.Nullable;

/**
 * Decodes images of numbers; the errors of counts of time say their units. Elements of 8 and 16
 * bits have a {@link DecodingTable} when it has paid for itself. A full heap may take it back.
 */
final class NumberConversion implements ElementConversion {
  /**
   * The elements that one call of a loop decodes. The compiler of the JVM makes faster code of a
   * loop that is called often than of one that runs long.
   */
  private static final int BLOCK = 2048;

  /** The elements in the time of whose decoding a table of 16 bits is made. */
  private static final int WORTH_A_TABLE = 1 << 17;

  private final NumberDecoding by;
  private final DecodingLoops.@Nullable Loop loop;
  private final boolean fitsTable;
  private int left; // elements until a table is made; threads may lose some counts
  private volatile @Nullable SoftReference<DecodingTable> made;

  NumberConversion(NumberDecoding by) {
    this.by = by;
    this.loop = by.loop();
    this.fitsTable = by.times() == null && DecodingTable.fits(by.stored(), by.decoded());
    this.left = by.stored().itemSize() == Byte.BYTES ? 0 : WORTH_A_TABLE;
  }

  @Override
  public DataType target() {
    return by.decoded();
  }

  @Override
  public void convert(byte[] source, int at, int count, ElementMemory result, int first) {
    convert(source, at, count, (byte[]) result.array(), result.slot(first));
  }

  private void convert(byte[] source, int at, int count, byte[] result, int to) {
    if (by.isPlain()) {
      System.arraycopy(source, at, result, to, count * by.stored().itemSize());
      return;
    }
    DecodingTable table = fitsTable ? table(count) : null;
    DecodingLoops.Loop fast = table == null ? loop : table;
    if (fast == null) {
      decode(source, at, count, result, to);
      return;
    }
    int from = by.stored().itemSize();
    int each = by.decoded().itemSize();
    for (int done = 0; done < count; done += BLOCK) {
      int size = Math.min(BLOCK, count - done);
      fast.decode(source, at + done * from, size, result, to + done * each);
    }
  }

  private @Nullable DecodingTable table(int count) {
    SoftReference<DecodingTable> known = made;
    DecodingTable table = known == null ? null : known.get();
    if (table != null) {
      return table;
    }
    left = Math.max(0, left - count);
    if (left > 0) {
      return null;
    }
    DecodingTable other = DecodingTable.of(by);
    made = new SoftReference<>(other);
    return other;
  }

  private void decode(byte[] source, int at, int count, byte[] result, int to) {
    try {
      by.decode(source, at, count, result, to);
    } catch (ArithmeticException e) {
      throw new UnsupportedFeatureException(
          (by.times() == null ? "a number" : "a time in \"" + by.times().units() + '"')
              + " is beyond the range of "
              + by.decoded()
              + "; raw() has the stored numbers",
          Location.UNKNOWN,
          e);
    }
  }
}
