package dev.zarrreactive.internal.cache;

import dev.zarrreactive.internal.sharing.SharedRequest;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A cache bounded by weight, which evicts the least recently used entry first. Loads are
 * single-flight: concurrent look-ups of a key share one load, which is cancelled when the last of
 * them is. Entries belong to groups, such as all entries of one stored value. A group is
 * invalidated in time independent of the size of the cache, and loads of it in flight are not
 * cached. Empty and failed loads are not cached. Thread-safe.
 *
 * @param <G> the groups
 * @param <K> the keys
 * @param <V> the values
 */
public final class LoadingCache<G, K, V> {
  private final long maxWeight;
  private final ToLongFunction<V> weigher;
  private final Function<K, G> groupOf;
  private final UnaryOperator<V> kept;
  private final Generations generations;
  private final Map<K, Entry<V>> entries = new LinkedHashMap<>(16, 0.75f, true);
  private final Map<G, Set<K>> groups = new HashMap<>();
  private final Map<K, Load> loads = new HashMap<>();
  private long weight;
  private long evictions;

  /**
   * Creates an empty cache.
   *
   * @param maxWeight the most weight of all entries; 0 to disable the cache
   * @param groupOf the group of a key
   * @param kept returns the part of a loaded value that is cached
   * @param generations advanced by each write of a group
   */
  public LoadingCache(
      long maxWeight,
      ToLongFunction<V> weigher,
      Function<K, G> groupOf,
      UnaryOperator<V> kept,
      Generations generations) {
    this.maxWeight = maxWeight;
    this.weigher = weigher;
    this.groupOf = groupOf;
    this.kept = kept;
    this.generations = generations;
  }

  /** The source of a look-up's value. */
  public enum Answer {
    /** The value was cached. */
    HIT,
    /** Another look-up is loading the value. */
    SHARED,
    /** The look-up loads the value itself. */
    MISS
  }

  /**
   * The result of a look-up.
   *
   * @param value the value, to be subscribed to exactly once
   */
  public record LookUp<V>(Answer answer, Mono<V> value) {}

  private record Entry<V>(V value, long weight) {}

  /** Returns the value of {@code key}; null if it is not cached. */
  public synchronized @Nullable V find(K key) {
    Entry<V> entry = entries.get(key);
    return entry == null ? null : entry.value();
  }

  /**
   * Looks up {@code key}: returns its entry, joins a load in flight that no write has overtaken, or
   * begins a load.
   *
   * @param load creates the load, which is subscribed to at most once
   */
  public synchronized LookUp<V> lookUp(K key, Supplier<Mono<V>> load) {
    V found = find(key);
    if (found != null) {
      return new LookUp<>(Answer.HIT, Mono.just(found));
    }
    Load other = loads.get(key);
    Mono<V> joined = other == null || other.isOvertaken() ? null : other.request.tryJoin();
    if (joined != null) {
      return new LookUp<>(Answer.SHARED, joined);
    }
    Load mine = new Load(key, load.get());
    loads.put(key, mine);
    return new LookUp<>(Answer.MISS, Objects.requireNonNull(mine.request.tryJoin()));
  }

  /**
   * Caches a value.
   *
   * @param generation the generation of the key's group before the value was read; if it has
   *     advanced since, the value is not cached
   */
  public synchronized void put(K key, V value, long generation) {
    G group = groupOf.apply(key);
    V keeping = kept.apply(value);
    long its = weigher.applyAsLong(keeping);
    if (its > maxWeight || generations.of(group) != generation) {
      return;
    }
    Entry<V> before = entries.put(key, new Entry<>(keeping, its));
    weight += its - (before == null ? 0 : before.weight());
    groups.computeIfAbsent(group, any -> new HashSet<>()).add(key);
    while (weight > maxWeight) {
      remove(entries.keySet().iterator().next());
      evictions++;
    }
  }

  /** Removes the entry of {@code key} if it is {@code value}. */
  public synchronized void remove(K key, V value) {
    Entry<V> entry = entries.get(key);
    if (entry != null && entry.value() == value) {
      remove(key);
    }
  }

  private void remove(K key) {
    Entry<V> entry = entries.remove(key);
    if (entry != null) {
      weight -= entry.weight();
      G group = groupOf.apply(key);
      Set<K> keys = Objects.requireNonNull(groups.get(group));
      keys.remove(key);
      if (keys.isEmpty()) {
        groups.remove(group);
      }
    }
  }

  /** Removes the entries of a group. */
  public synchronized void removeGroup(G group) {
    Set<K> keys = groups.get(group);
    if (keys != null) {
      Set.copyOf(keys).forEach(this::remove);
    }
  }

  /** Removes the entries of the groups that match; examines every group. */
  public synchronized void removeGroups(Predicate<G> some) {
    groups.keySet().stream().filter(some).toList().forEach(this::removeGroup);
  }

  /** Returns the number of entries. */
  public synchronized int size() {
    return entries.size();
  }

  /** Returns the weight of all entries. */
  public synchronized long weight() {
    return weight;
  }

  /** Returns the number of evicted entries. */
  public synchronized long evictions() {
    return evictions;
  }

  /** A load in flight, and the look-ups that share it. */
  private final class Load implements SharedRequest.Owner<V> {
    private final K key;
    private final long generation;
    private final SharedRequest<V> request;

    Load(K key, Mono<V> load) {
      this.key = key;
      this.generation = generations.of(groupOf.apply(key));
      this.request = new SharedRequest<>(load, this);
    }

    boolean isOvertaken() {
      return generations.of(groupOf.apply(key)) != generation;
    }

    @Override
    public void answered(SharedRequest<V> answered, @Nullable V answer) {
      synchronized (LoadingCache.this) {
        loads.remove(key, this);
        if (answer != null) {
          put(key, answer, generation);
        }
      }
    }

    @Override
    public void failed(SharedRequest<V> failed) {
      synchronized (LoadingCache.this) {
        loads.remove(key, this);
      }
    }

    @Override
    public void abandoned(SharedRequest<V> abandoned) {
      failed(abandoned);
    }
  }
}
