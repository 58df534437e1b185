package dev.zarrreactive.partition;

import dev.zarrreactive.metadata.Draft;
import dev.zarrreactive.metadata.Drafts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The options of a store among those of a table, as each engine takes them: {@code store.NAME},
 * {@code virtual:PREFIX}, and those that name a version. Names have no case, but for a prefix of
 * URLs. Not thread-safe.
 */
public final class TableStoreOptions {
  private static final String OF_STORE = "store.";
  private static final String CONTAINER = "virtual:";

  /** The options that name a version, which are given without {@code store.}. */
  private static final List<String> OF_VERSIONS = List.of("as-of", "branch", "snapshot", "tag");

  private final Map<String, String> options = new TreeMap<>();

  /** Creates settings without an option. */
  public TableStoreOptions() {}

  /** The names of the options that name a version. */
  public static List<String> ofVersions() {
    return OF_VERSIONS;
  }

  /** The beginnings of options that have names of their own behind them. */
  public static List<String> beginnings() {
    return List.of(OF_STORE, CONTAINER);
  }

  private static boolean startsWith(String name, String beginning) {
    return name.regionMatches(true, 0, beginning, 0, beginning.length());
  }

  /**
   * Takes an option if it is one of a store, and returns false for any other.
   *
   * @throws IllegalArgumentException if it was given before, with another value
   */
  public boolean take(String name, String value) {
    boolean isPlain =
        startsWith(name, CONTAINER) || OF_VERSIONS.contains(name.toLowerCase(Locale.ROOT));
    if (!isPlain && !startsWith(name, OF_STORE)) {
      return false;
    }
    String own = isPlain ? name : name.substring(OF_STORE.length());
    own =
        startsWith(own, CONTAINER)
            ? CONTAINER + own.substring(CONTAINER.length())
            : own.toLowerCase(Locale.ROOT);
    String other = options.put(own, value);
    if (other != null && !other.equals(value)) {
      throw new IllegalArgumentException("the option " + own + " is given twice");
    }
    return true;
  }

  /** Returns the options as {@link StoreDescription} takes them. */
  public Map<String, String> options() {
    return new TreeMap<>(options);
  }

  /**
   * Returns the names in a text, which has commas between them; blanks around them are left out.
   */
  public static List<String> names(String text) {
    List<String> names = new ArrayList<>();
    for (String name : text.split(",", -1)) {
      if (!name.isBlank()) {
        names.add(name.strip());
      }
    }
    return List.copyOf(names);
  }

  /**
   * Returns the drafts of Zarr v3 of some years.
   *
   * @throws IllegalArgumentException for a year without a draft
   */
  public static Drafts drafts(List<String> years) {
    return Drafts.of(years.stream().map(TableStoreOptions::draft).toArray(Draft[]::new));
  }

  private static Draft draft(String year) {
    List<String> known = new ArrayList<>();
    for (Draft draft : Draft.values()) {
      if (draft.year().equals(year)) {
        return draft;
      }
      known.add(draft.year());
    }
    throw new IllegalArgumentException(
        "the option drafts has years of " + String.join(", ", known) + ", not " + year);
  }
}
