package dev.zarrreactive.error;

/**
 * An append has made the array longer, and its block was not stored whole. The array stays longer;
 * elements of the block that were not stored read as the fill value. The cause is the error of the
 * write. To repair the array, write the block to its {@link #place}, through an array that was
 * opened afresh.
 */
public final class UnfinishedAppendException extends ZarrException {
  private static final long serialVersionUID = 1L;

  private final String place;

  /**
   * Creates an error at the place of its cause.
   *
   * @param place the selection that the block takes in the array
   * @param cause the error of the write
   */
  public UnfinishedAppendException(String place, ZarrException cause) {
    super(
        "the array has grown by "
            + place
            + " for the appended block, and the block was not stored whole: "
            + cause.statement()
            + ". Elements that were not stored read as the fill value; open the array again and"
            + " write the block to "
            + place,
        cause.location(),
        cause);
    this.place = place;
  }

  /**
   * The selection that the block takes in the array, such as {@code 10:20,:}, in the notation of
   * {@code Selection.parse}.
   */
  public String place() {
    return place;
  }
}
