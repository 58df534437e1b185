package dev.zarrreactive.store;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.spi.Spi;
import org.jspecify.annotations.Nullable;

/**
 * An object of a store in which values of another store lie, such as a netCDF file with chunks. Two
 * are equal if they are at the same key of the same store object, on the same condition.
 *
 * @param condition what the object must fulfil when a part of it is read
 */
@Spi
public record StoredObject(Store store, StoreKey key, ReadCondition condition) {
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof StoredObject that
        && store == that.store
        && key.equals(that.key)
        && condition.equals(that.condition);
  }

  @Override
  public int hashCode() {
    return 31 * key.hashCode() + System.identityHashCode(store);
  }

  @Override
  public String toString() {
    return key + " of " + store;
  }
}
