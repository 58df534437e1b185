package dev.zarrreactive.internal.objects;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import org.jspecify.annotations.Nullable;

/**
 * The names of the objects of one store.
 *
 * @param container the URL of the bucket or container, with a slash at its end, for messages;
 *     without secrets
 * @param prefix of all names; empty, or ends with a slash
 */
public record ObjectNames(String container, String prefix) {

  /**
   * Returns a prefix as names have it. Empty segments, {@code .} and {@code ..} stay. One slash at
   * the start is dropped, and one at the end may be missing.
   */
  public static String prefix(String written) {
    String bare = written.startsWith("/") ? written.substring(1) : written;
    return bare.isEmpty() || bare.endsWith("/") ? bare : bare + "/";
  }

  /** Returns the name of the object with the value at {@code key}. */
  public String object(StoreKey key) {
    return prefix + key.value();
  }

  /** Returns the prefix of the names of all objects below {@code below}. */
  public String objects(StorePrefix below) {
    return prefix + below.value();
  }

  /** Returns the key of an object; null where it is no value, such as the marker of a directory. */
  public @Nullable StoreKey keyOf(String object) {
    try {
      return object.startsWith(prefix) ? StoreKey.of(object.substring(prefix.length())) : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Returns the prefix of the keys of objects; null where no key has it. */
  public @Nullable StorePrefix prefixOf(String objects) {
    try {
      return objects.startsWith(prefix) ? StorePrefix.of(objects.substring(prefix.length())) : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Returns the URL of a value, for messages. */
  public String url(StoreKey key) {
    return container + object(key);
  }

  /** Returns the URL of a prefix, for messages. */
  public String url(StorePrefix below) {
    return container + objects(below);
  }

  /** Returns the place of errors of a value. */
  public static Location at(StoreKey key) {
    return Location.ofKey(key.value());
  }

  /** Returns the place of errors of a listing. */
  public static Location at(StorePrefix below) {
    return below.value().isEmpty() ? Location.UNKNOWN : Location.ofKey(below.value());
  }
}
