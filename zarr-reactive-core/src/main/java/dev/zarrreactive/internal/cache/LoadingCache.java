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
 * A cache whose entries are loaded by its users, up to a weight; the least recently used entry is
 * evicted first. One load serves all look-ups of a key meanwhile, and is cancelled when the last of
 * them is. Entries belong to groups, such as all that is known of one stored value: a group is
 * invalidated in time that does not depend on the size of the cache, and what was being loaded of
 * it meanwhile is not kept. An empty load and a failed one are not kept. Thread-safe.
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
   * An empty cache.
   *
   * @param maxWeight the most weight of all entries; 0 to keep none
   * @param groupOf the group of a key
   * @param kept what is kept of a loaded value
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

  /** How a look-up was answered. */
  public enum Answer {
    /** By an entry. */
    HIT,
    /** By the load of another look-up. */
    SHARED,
    /** By a load of its own. */
    MISS
  }

  /**
   * A look-up.
   *
   * @param value for one subscription
   */
  public record LookUp<V>(Answer answer, Mono<V> value) {}

  private record Entry<V>(V value, long weight) {}

  /** Returns the entry of {@code key}; null where there is none. */
  public synchronized @Nullable V find(K key) {
    Entry<V> entry = entries.get(key);
    return entry == null ? null : entry.value();
  }

  /**
   * Looks up {@code key}: its entry, a load under way that no write has overtaken, or a new one.
   *
   * @param load made and subscribed to once, or never
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
   * Keeps a value.
   *
   * @param generation of the key's group before the value was read; where it is over, the value is
   *     not kept
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

  /** Removes the entry of {@code key} where it is {@code value}. */
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

  /** Removes the entries of some groups; looks at every group. */
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

  /** Returns how many entries made room for others. */
  public synchronized long evictions() {
    return evictions;
  }

  /** One load, and the look-ups that wait for it. */
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
