package dev.zarrreactive.error;

import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/**
 * A data type, chunk grid, chunk key encoding, codec or storage transformer whose name nobody
 * registered. The message lists the names that are.
 */
public final class UnknownExtensionException extends ZarrException {
  private static final long serialVersionUID = 1L;

  private final String name;
  private final List<String> available;

  /**
   * An unknown extension.
   *
   * @param kind what it would be, in the field's words: {@code codec}, {@code data type}
   * @param name the name found in the metadata document
   * @param available the names that are known, in any order
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

  /** The names that are known, sorted. */
  public List<String> available() {
    return available;
  }
}
