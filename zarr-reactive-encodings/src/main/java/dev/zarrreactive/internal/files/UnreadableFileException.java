package dev.zarrreactive.internal.files;

/**
 * Elements that cannot be read from a file: it is broken, it ends early, or it has what Zarr lacks.
 * The message is one line for people.
 */
public final class UnreadableFileException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnreadableFileException(String message) {
    super(message);
  }

  UnreadableFileException(String message, Throwable cause) {
    super(message, cause);
  }
}
