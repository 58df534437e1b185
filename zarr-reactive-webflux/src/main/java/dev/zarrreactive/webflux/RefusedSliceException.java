package dev.zarrreactive.webflux;

import org.springframework.http.HttpStatus;

/** A slice that the service does not write. The client receives its message. */
final class RefusedSliceException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final HttpStatus status;

  RefusedSliceException(HttpStatus status, String message) {
    super(message, null, false, false);
    this.status = status;
  }

  HttpStatus status() {
    return status;
  }
}
