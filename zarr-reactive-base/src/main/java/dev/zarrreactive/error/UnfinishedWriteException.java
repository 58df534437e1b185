package dev.zarrreactive.error;

/**
 * A write of blocks has ended before its selection was complete: the publisher of the blocks has
 * failed, or its blocks do not fit. The first rows of the selection are stored, {@link
 * #writtenRows()} of them. Chunks that hold further rows are as they were before the write, or have
 * elements of the blocks, and each of them is whole. To continue, write the rows from there on.
 */
public final class UnfinishedWriteException extends ZarrException {
  private static final long serialVersionUID = 1L;

  private final long writtenRows;

  /**
   * Creates an error.
   *
   * @param statement the fault and the elements that are stored
   * @param writtenRows the number of rows that are stored
   * @param location the array
   * @param cause the error of the publisher, or the fault of a block
   */
  public UnfinishedWriteException(
      String statement, long writtenRows, Location location, Throwable cause) {
    super(statement, location, cause);
    this.writtenRows = writtenRows;
  }

  /** The number of indices along the selection's first dimension whose elements are stored. */
  public long writtenRows() {
    return writtenRows;
  }
}
