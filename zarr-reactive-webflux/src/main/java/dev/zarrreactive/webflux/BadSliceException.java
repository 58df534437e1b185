package dev.zarrreactive.webflux;

/**
 * A path or a selection that is none, or does not fit the array. The client receives its message.
 */
final class BadSliceException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  BadSliceException(String message, IllegalArgumentException cause) {
    super(message, cause);
  }

  BadSliceException(String message) {
    super(message);
  }

  BadSliceException(IllegalArgumentException cause) {
    this(String.valueOf(cause.getMessage()), cause);
  }
}
