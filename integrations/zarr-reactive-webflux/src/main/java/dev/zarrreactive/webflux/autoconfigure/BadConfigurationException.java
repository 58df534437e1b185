package dev.zarrreactive.webflux.autoconfigure;

/** A property {@code zarr.*} that cannot be used. The message names what is wrong with it. */
final class BadConfigurationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String name;

  /**
   * Creates the error.
   *
   * @param name below {@code zarr.stores}; empty for the hierarchy without one
   */
  BadConfigurationException(String name, Throwable cause) {
    super(cause.getMessage(), cause);
    this.name = name;
  }

  /** The prefix of the properties of the hierarchy. */
  String prefix() {
    return name.isEmpty() ? "zarr." : "zarr.stores." + name + ".";
  }
}
