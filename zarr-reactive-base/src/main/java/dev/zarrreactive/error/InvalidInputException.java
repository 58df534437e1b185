package dev.zarrreactive.error;

import org.jspecify.annotations.Nullable;

/**
 * Something that a caller has passed on from somebody else does not fit: a selection, a label, a
 * name, a path, or elements that are written. The message is for whoever sent it: a service may
 * answer 400 with it. It names nodes, shapes and labels, and never a place of the store.
 */
public class InvalidInputException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** Creates an error with a sentence that says what does not fit, and what would. */
  public InvalidInputException(String message) {
    super(message);
  }

  /** Creates an error with its cause. */
  public InvalidInputException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
