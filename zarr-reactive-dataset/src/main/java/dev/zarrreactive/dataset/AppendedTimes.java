package dev.zarrreactive.dataset;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.datatype.Datetime64Type;
import dev.zarrreactive.datatype.TimeType;

/**
 * The order of times that are appended to others: each goes on from the one before.
 *
 * @param dimension its name
 * @param coding of the stored times
 */
record AppendedTimes(String dimension, CfDecoding coding) {
  /** Returns true if the elements are times. */
  boolean areTimes() {
    return coding.times().isPresent() || coding.dataType() instanceof TimeType;
  }

  /**
   * Checks times, which ascend unless those that are there descend.
   *
   * @param ends the stored first and last time of the dataset; empty without any
   * @param elements the stored times that are appended
   * @throws IllegalArgumentException if one steps back, or is there already
   */
  void check(NdArray ends, NdArray elements) {
    NdArray there = coding.decode(ends);
    NdArray times = coding.decode(elements);
    long[] counts = times.toLongArray();
    long[] known = there.toLongArray();
    long[] whole = known.length == 0 ? counts : known;
    boolean descends = whole[0] > whole[whole.length - 1];
    for (int i = 0; i < counts.length; i++) {
      boolean isFirst = i == 0;
      if (isFirst && known.length == 0) {
        continue;
      }
      long before = isFirst ? known[known.length - 1] : counts[i - 1];
      boolean isIn = descends ? counts[i] < before : counts[i] > before;
      if (!isIn && before != TimeType.NAT) {
        throw refused(
            text(times, i),
            isFirst ? text(there, known.length - 1) : text(times, i - 1),
            isFirst ? ", the last one of the dataset" : "",
            counts[i] == before);
      }
    }
  }

  private IllegalArgumentException refused(
      String time, String before, String which, boolean areEqual) {
    return new IllegalArgumentException(
        "the "
            + dimension
            + " "
            + time
            + " cannot follow "
            + before
            + which
            + ": "
            + (areEqual ? "it is there already" : "it steps back")
            + "; append what comes behind it, or take times in any order, by"
            + " NewDataset.inAnyOrder(true)");
  }

  private String text(NdArray times, int position) {
    return coding
        .times()
        .map(its -> its.text(times.getLong(position)))
        .orElseGet(
            () ->
                times.dataType() instanceof Datetime64Type
                        && times.getLong(position) != TimeType.NAT
                    ? times.getInstant(position).toString()
                    : times.toJson(position).toString());
  }
}
