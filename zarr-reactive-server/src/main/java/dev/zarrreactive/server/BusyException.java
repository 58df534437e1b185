package dev.zarrreactive.server;

/** A limit of the server is reached; the client may come again. */
final class BusyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates the error; the client receives its message. */
  BusyException(String message) {
    super(message, null, false, false);
  }
}
