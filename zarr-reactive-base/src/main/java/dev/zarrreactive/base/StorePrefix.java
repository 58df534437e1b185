package dev.zarrreactive.base;

import dev.zarrreactive.internal.text.KeySegments;

/**
 * The beginning of keys: empty for the whole store, or segments that end with {@code /}, such as
 * {@code a/b/}.
 */
public record StorePrefix(String value) {
  /** The prefix of every key. */
  public static final StorePrefix ROOT = new StorePrefix("");

  /**
   * The prefix {@code value}.
   *
   * @throws IllegalArgumentException if it is not empty and lacks the {@code /} at its end, or if a
   *     segment is invalid in a key
   */
  public StorePrefix {
    if (!value.isEmpty()) {
      if (!value.endsWith("/")) {
        throw new IllegalArgumentException(
            "a store prefix is empty or ends with \"/\": \"" + value + "\"");
      }
      KeySegments.check(value.substring(0, value.length() - 1), "store prefix");
    }
  }

  /** The prefix {@code value}. */
  public static StorePrefix of(String value) {
    return new StorePrefix(value);
  }

  /** True where {@code key} begins with this prefix. */
  public boolean contains(StoreKey key) {
    return key.value().startsWith(value);
  }

  /** The key {@code name} below this prefix. */
  public StoreKey key(String name) {
    return new StoreKey(value + name);
  }

  @Override
  public String toString() {
    return value;
  }
}
