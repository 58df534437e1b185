package dev.zarrreactive.partition;

/**
 * A condition on one dimension in the logic of SQL: the indices for which it is true, and those for
 * which it is false. It is unknown for the others, those of NULL. Immutable.
 *
 * @param isTrue the indices for which it is true
 * @param isFalse the indices for which it is false
 */
public record Truth(IndexRanges isTrue, IndexRanges isFalse) {
  /** Returns what is false for each of {@code size} indices, as that an index is NULL. */
  public static Truth never(long size) {
    return new Truth(IndexRanges.none(), IndexRanges.of(0, size));
  }

  /** Returns that both hold. */
  public Truth and(Truth other) {
    return new Truth(isTrue.and(other.isTrue), isFalse.or(other.isFalse));
  }

  /** Returns that one of the two holds. */
  public Truth or(Truth other) {
    return new Truth(isTrue.or(other.isTrue), isFalse.and(other.isFalse));
  }

  /** Returns that this does not hold. */
  public Truth not() {
    return new Truth(/* isTrue= */ isFalse, /* isFalse= */ isTrue);
  }
}
