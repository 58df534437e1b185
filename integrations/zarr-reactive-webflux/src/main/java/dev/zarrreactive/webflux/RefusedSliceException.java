package dev.zarrreactive.webflux;

/** A slice that the service does not write. The client receives its message. */
final class RefusedSliceException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;

  RefusedSliceException(int status, String message) {
    super(message, null, false, false);
    this.status = status;
  }

  int status() {
    return status;
  }
}
