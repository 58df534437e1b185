package dev.zarrreactive.error;

import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/**
 * A data type, chunk grid, chunk key encoding, codec or storage transformer has an unregistered
 * name. The message lists the registered names.
 */
public final class UnknownExtensionException extends ZarrException {
  private static final long serialVersionUID = 1L;

  private final String name;
  private final List<String> available;

  /**
   * Creates an error that names the extension and those that are known.
   *
   * @param kind the kind of extension, such as {@code codec} or {@code data type}
   * @param name the name found in the metadata document
   * @param available the known names, in any order
   */
  public UnknownExtensionException(
      String kind, String name, Collection<String> available, Location location) {
    super(
        "unknown "
            + kind
            + " \""
            + name
            + "\"; available: "
            + String.join(", ", new TreeSet<>(available)),
        location,
        null);
    this.name = name;
    this.available = List.copyOf(new TreeSet<>(available));
  }

  /** The unknown name. */
  public String name() {
    return name;
  }

  /** The known names, sorted. */
  public List<String> available() {
    return available;
  }
}
