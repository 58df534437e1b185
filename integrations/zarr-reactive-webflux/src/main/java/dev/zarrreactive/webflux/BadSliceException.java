package dev.zarrreactive.webflux;

/** A path or a selection of a request is wrong. The client receives the message. */
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
