package dev.zarrreactive.base;

import dev.zarrreactive.internal.text.KeySegments;

/**
 * The key of a value in a store: segments joined by {@code /}, such as {@code a/b/c/0/1}.
 * KeySegments hold any Unicode text except the empty text, {@code .}, {@code ..}, NUL and lone
 * surrogates, which UTF-8 cannot hold. So a key never leads out of its store.
 */
public record StoreKey(String value) implements Comparable<StoreKey> {
  /**
   * The key {@code value}.
   *
   * @throws IllegalArgumentException where it is no key
   */
  public StoreKey {
    KeySegments.check(value, "store key");
  }

  /** The key {@code value}. */
  public static StoreKey of(String value) {
    return new StoreKey(value);
  }

  /** Compares code unit by code unit. */
  @Override
  public int compareTo(StoreKey other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
