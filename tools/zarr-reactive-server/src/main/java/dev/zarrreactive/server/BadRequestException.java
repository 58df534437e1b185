package dev.zarrreactive.server;

/** A request that is wrong by itself, whatever the store holds. */
sealed class BadRequestException extends RuntimeException
    permits MessageRules.BrokenMessageException {
  private static final long serialVersionUID = 1L;

  /** Creates the error; the client receives its message. */
  BadRequestException(String message) {
    super(message, null, false, false);
  }
}
