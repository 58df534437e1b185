package dev.zarrreactive.webflux;

/** A slice or a value that the service does not write. The client receives its message. */
final class RefusedSliceException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;

  RefusedSliceException(int status, String message) {
    super(message, null, false, false);
    this.status = status;
  }

  /** Returns the refusal of a request, which tells nothing of what is there. */
  static RefusedSliceException denied() {
    return new RefusedSliceException(403, "access to this is denied");
  }

  int status() {
    return status;
  }
}
