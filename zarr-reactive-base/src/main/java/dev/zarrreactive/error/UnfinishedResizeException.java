package dev.zarrreactive.error;

/**
 * An array was made smaller, and not all of the chunks that lie outside could be erased or trimmed.
 * The array has its new shape. The cause is the error of the erasure. Until the same resize has
 * succeeded, a growth may show old elements.
 */
public final class UnfinishedResizeException extends ZarrException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an error at the place of its cause.
   *
   * @param shape the new shape
   * @param cause the error of the erasure
   */
  public UnfinishedResizeException(String shape, ZarrException cause) {
    super(
        "the array has its new shape "
            + shape
            + ", and elements outside of it are still stored: "
            + cause.statement()
            + ". Open the array and resize it to the same shape again before it grows, or it may"
            + " show them",
        cause.location(),
        cause);
  }
}
