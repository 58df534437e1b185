package dev.zarrreactive.internal.cache;

import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The rules of one {@link LoadingCache}: what it keeps of a loaded value and where, and which
 * values of one group can be true at the same time.
 *
 * @param <G> the groups
 * @param <K> the keys
 * @param <V> the values
 */
public interface CachePolicy<G, K, V> {
  /** Returns the group of a key. */
  G groupOf(K key);

  /** Returns the weight of a value; a value that is heavier than the cache is not kept. */
  long weight(V value);

  /** Returns the key under which a value is kept that was loaded for a key. */
  default K keyOf(K asked, V loaded) {
    return asked;
  }

  /** Returns what is kept of a loaded value. */
  default V kept(V loaded) {
    return loaded;
  }

  /**
   * Returns what of a value decides whether it agrees with others: small, for the group holds it
   * besides the weight of its entries. Null where values never contradict each other.
   */
  default @Nullable V outline(V value) {
    return null;
  }

  /** Returns true where both values can be true at the same time. */
  default boolean agree(V one, V other) {
    return true;
  }

  /** Returns true where {@code one} was asked for earlier than {@code other}. */
  default boolean isOlder(V one, V other) {
    return false;
  }

  /** Returns the rules of a cache whose values never contradict each other. */
  static <G, K, V> CachePolicy<G, K, V> of(
      Function<K, G> groupOf, ToLongFunction<V> weigher, UnaryOperator<V> kept) {
    return new CachePolicy<>() {
      @Override
      public G groupOf(K key) {
        return groupOf.apply(key);
      }

      @Override
      public long weight(V value) {
        return weigher.applyAsLong(value);
      }

      @Override
      public V kept(V loaded) {
        return kept.apply(loaded);
      }
    };
  }
}
