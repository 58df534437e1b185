package dev.zarrreactive.webflux.autoconfigure;

/** A property {@code zarr.*} that cannot be used. The message names what is wrong with it. */
final class BadConfigurationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BadConfigurationException(RuntimeException cause) {
    super(cause.getMessage(), cause);
  }
}
