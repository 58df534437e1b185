package dev.zarrreactive.internal.context;

import dev.zarrreactive.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of an array as a part of keys: arrays of equal forms decode their chunks alike. The
 * hash is computed once, and not before a chunk is fetched.
 */
public final class ArrayForm {
  private final JsonObject document;
  private int hash;

  ArrayForm(JsonObject document) {
    this.document = document;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other || (other instanceof ArrayForm that && isEqual(that));
  }

  private boolean isEqual(ArrayForm other) {
    return hashCode() == other.hashCode() && document.equals(other.document);
  }

  @Override
  public int hashCode() {
    int known = hash;
    if (known == 0) {
      known = document.hashCode();
      hash = known;
    }
    return known;
  }
}
