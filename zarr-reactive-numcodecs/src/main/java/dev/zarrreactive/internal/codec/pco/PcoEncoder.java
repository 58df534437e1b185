package dev.zarrreactive.internal.codec.pco;

import dev.zarrreactive.base.Bytes;
import java.util.Arrays;

/**
 * Encodes a file of pcodec in its classic mode, with consecutive differences where they help. It
 * has version 3 of the format, which every library since 0.4 reads.
 */
final class PcoEncoder {
  private static final String MAGIC = "pco!";
  private static final int STANDALONE_VERSION = 2;
  private static final int FORMAT_VERSION = 3;
  private static final int MOST_ORDER = 2;
  private static final int SAMPLE = 1 << 14;

  private final PcoNumber number;

  /** The order of differences, or -1 to choose one. */
  private final int order;

  private final PcoOutput out;

  private PcoEncoder(PcoNumber number, int order, PcoOutput out) {
    this.number = number;
    this.order = order;
    this.out = out;
  }

  /**
   * Encodes numbers.
   *
   * @param offset the first byte of the numbers
   * @param pageSize the most numbers of a page
   * @param order the order of differences, or -1 to choose one for each page
   */
  static Bytes encode(
      PcoNumber number, byte[] array, int offset, int count, int pageSize, int order) {
    PcoOutput out = new PcoOutput(count / 2 * number.bytes());
    for (int i = 0; i < MAGIC.length(); i++) {
      out.bits(MAGIC.charAt(i), 8);
    }
    out.bits(STANDALONE_VERSION, 8);
    int hintBits = Bins.lengthBits(Math.max(1, count));
    out.bits(hintBits - 1, 6);
    out.bits(count, hintBits);
    out.align();
    out.bits(FORMAT_VERSION, 8);
    PcoEncoder encoder = new PcoEncoder(number, order, out);
    int pages = (int) (((long) count + pageSize - 1) / pageSize);
    for (int page = 0; page < pages; page++) {
      int from = (int) ((long) count * page / pages);
      int to = (int) ((long) count * (page + 1) / pages);
      encoder.encodePage(array, offset + from * number.bytes(), to - from);
    }
    out.bits(0, 8);
    return out.toBytes();
  }

  private void encodePage(byte[] array, int offset, int count) {
    long[] latents = new long[count];
    for (int i = 0; i < count; i++) {
      latents[i] = number.get(array, offset + i * number.bytes());
    }
    int differences = order < 0 ? bestOrder(latents) : order;
    long[] moments = new long[differences];
    long[] coded = differences(latents, moments);
    ChosenBins bins = ChosenBins.of(coded, number.bits());

    out.bits(number.code(), 8);
    out.bits(count - 1, 24);
    out.bits(0, PcoMode.BITS);
    out.bits(differences == 0 ? 0 : 1, 4);
    if (differences > 0) {
      out.bits(differences, 3);
      out.bits(0, 1);
    }
    bins.write(out);
    out.align();
    for (long moment : moments) {
      out.bits(moment, number.bits());
    }
    bins.encode(coded, out);
    out.align();
  }

  /** Returns the differences, and stores what they begin with in {@code moments}. */
  private long[] differences(long[] latents, long[] moments) {
    if (moments.length == 0) {
      return latents;
    }
    long[] current = latents.clone();
    int size = current.length;
    for (int n = 0; n < moments.length; n++) {
      moments[n] = size == 0 ? 0 : current[0];
      size = Math.max(0, size - 1);
      for (int i = 0; i < size; i++) {
        current[i] = current[i + 1] - current[i];
      }
    }
    long[] coded = new long[size];
    for (int i = 0; i < size; i++) {
      coded[i] = (current[i] + number.middle()) & number.mask();
    }
    return coded;
  }

  private int bestOrder(long[] latents) {
    long[] sample = latents.length <= SAMPLE ? latents : Arrays.copyOf(latents, SAMPLE);
    int best = 0;
    double least = Double.POSITIVE_INFINITY;
    for (int candidate = 0; candidate <= MOST_ORDER; candidate++) {
      long[] coded = differences(sample, new long[candidate]);
      double cost = ChosenBins.of(coded, number.bits()).cost() + (double) candidate * number.bits();
      if (cost < least) {
        best = candidate;
        least = cost;
      }
    }
    return best;
  }
}
