package dev.zarrreactive.store.zip;

import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import java.io.IOException;
import java.nio.file.FileSystemException;

/** Errors that both zip stores have. */
final class ZipErrors {
  private ZipErrors() {}

  /** An error of the file system met while {@code doing}, such as {@code finish the zip x.zip}. */
  static StoreException during(String doing, Location place, IOException error) {
    if (error instanceof java.nio.file.AccessDeniedException) {
      return new AccessDeniedException(
          "cannot " + doing + ": the file system does not let this user", place, error);
    }
    boolean hasReason = error instanceof FileSystemException at && at.getReason() != null;
    String reason = hasReason ? ((FileSystemException) error).getReason() : error.toString();
    return new StoreException("cannot " + doing + ": " + reason, place, error);
  }
}
