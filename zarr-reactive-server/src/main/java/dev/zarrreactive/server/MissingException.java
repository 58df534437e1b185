package dev.zarrreactive.server;

/** The store has said that nothing is at the path of a request. */
final class MissingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MissingException() {
    super("nothing is here", null, false, false);
  }
}
