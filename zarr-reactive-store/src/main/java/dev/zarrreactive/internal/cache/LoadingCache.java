package dev.zarrreactive.internal.cache;

import dev.zarrreactive.internal.sharing.SharedRequest;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A cache whose entries are loaded by its users, up to a weight; the least recently used entry is
 * evicted first, entries that were used once before those that were used again. One load serves all
 * look-ups of a key meanwhile, and is cancelled when the last of them is. An empty load and a
 * failed one are not kept.
 *
 * <p>Entries belong to groups, such as all entries of one stored value. A group is invalidated in
 * time independent of the size of the cache; loads of it in flight are not cached. The values of a
 * group {@linkplain CachePolicy#agree agree}: a newer value that contradicts them takes their
 * place, an older one is not cached. A load that began before the group was contradicted serves no
 * further look-up: it could return an older state than the caches above have been told.
 *
 * <p>Thread-safe. The lock is held for a few steps in memory, never during a load.
 *
 * @param <G> the groups
 * @param <K> the keys
 * @param <V> the values
 */
public final class LoadingCache<G, K, V> {
  private final long maxWeight;
  private final CachePolicy<G, K, V> policy;
  private final Generations generations;
  private final SegmentedLru<K, V> entries;
  private final Map<G, Group<K, V>> groups = new HashMap<>();
  private final Map<Question<K>, Load> loads = new HashMap<>();
  private long evictions;

  /**
   * Creates an empty cache.
   *
   * @param maxWeight the most weight of all entries; 0 to keep none
   * @param generations advanced by each write of a group
   */
  public LoadingCache(long maxWeight, CachePolicy<G, K, V> policy, Generations generations) {
    this.maxWeight = maxWeight;
    this.policy = policy;
    this.generations = generations;
    this.entries = new SegmentedLru<>(maxWeight);
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

  /** A key and the way in which it is loaded; loads in different ways are not shared. */
  private record Question<K>(K key, Object way) {}

  private static final class Group<K, V> {
    final Set<K> keys = new HashSet<>();
    int loads; // under way
    @Nullable V latest; // its outline, where values may contradict each other
  }

  /** Returns the value of {@code key}; null if it is not cached. */
  public synchronized @Nullable V find(K key) {
    return entries.use(key);
  }

  /** Returns the outline of a group's value that was asked for last; null where there is none. */
  public synchronized @Nullable V latest(G group) {
    Group<K, V> found = groups.get(group);
    return found == null ? null : found.latest;
  }

  /**
   * Looks up {@code key}: returns its entry, joins a load in flight that no write has overtaken, or
   * begins a load.
   *
   * @param load creates the load, which is subscribed to at most once
   */
  public LookUp<V> lookUp(K key, Supplier<Mono<V>> load) {
    return lookUp(key, key, () -> find(key), load);
  }

  /**
   * Looks up {@code key} where an entry may not suffice, or that of another key may.
   *
   * @param way tells apart loads of the key that do not serve each other
   * @param known returns the value that suffices, null for none; called with the cache locked
   * @param load assembles the load after {@code known}, with the cache locked; the load asks others
   *     when it is subscribed to, once or never
   */
  public synchronized LookUp<V> lookUp(
      K key, Object way, Supplier<@Nullable V> known, Supplier<Mono<V>> load) {
    V found = known.get();
    if (found != null) {
      return new LookUp<>(Answer.HIT, Mono.just(found));
    }
    Question<K> question = new Question<>(key, way);
    Load other = loads.get(question);
    Mono<V> joined = other == null || other.isOvertaken() ? null : other.request.tryJoin();
    if (joined != null) {
      return new LookUp<>(Answer.SHARED, joined);
    }
    Load mine = new Load(question, load.get());
    loads.put(question, mine);
    return new LookUp<>(Answer.MISS, Objects.requireNonNull(mine.request.tryJoin()));
  }

  /**
   * Caches a value.
   *
   * @param generation the generation of the key's group before the value was read; if it has
   *     advanced since, the value is not cached
   */
  public synchronized void put(K key, V value, long generation) {
    G group = policy.groupOf(key);
    if (generations.of(group) != generation || isOutdated(group, value)) {
      return;
    }
    V keeping = policy.kept(value);
    long weight = policy.weight(keeping);
    Group<K, V> its = groups.computeIfAbsent(group, any -> new Group<>());
    if (weight > maxWeight) {
      dropUnused(group, its);
      return;
    }
    K place = policy.keyOf(key, value);
    entries.put(place, keeping, weight);
    its.keys.add(place);
    its.latest = its.latest == null ? policy.outline(value) : its.latest;
    for (K excess = entries.excess(); excess != null; excess = entries.excess()) {
      remove(excess);
      evictions++;
    }
  }

  /** Returns true where the group knows better; clears the group where the value does. */
  private boolean isOutdated(G group, V value) {
    Group<K, V> its = groups.get(group);
    if (its == null) {
      return false;
    }
    V latest = its.latest;
    boolean agrees = latest == null || policy.agree(value, latest);
    if (latest != null && policy.isOlder(value, latest)) {
      return !agrees;
    }
    if (!agrees) {
      clear(its);
    }
    its.latest = policy.outline(value);
    return false;
  }

  private void clear(Group<K, V> group) {
    group.keys.forEach(entries::remove);
    group.keys.clear();
  }

  private void dropUnused(G group, Group<K, V> its) {
    if (its.keys.isEmpty() && its.loads == 0) {
      groups.remove(group, its);
    }
  }

  /** Removes the entry of {@code key} where it is {@code value}. */
  public synchronized void remove(K key, V value) {
    if (entries.peek(key) == value) {
      remove(key);
    }
  }

  private void remove(K key) {
    entries.remove(key);
    G group = policy.groupOf(key);
    Group<K, V> its = groups.get(group);
    if (its != null && its.keys.remove(key)) {
      dropUnused(group, its);
    }
  }

  /** Removes the entries of a group. */
  public synchronized void removeGroup(G group) {
    Group<K, V> removed = groups.get(group);
    if (removed != null) {
      clear(removed);
      removed.latest = null;
      dropUnused(group, removed);
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
    return entries.weight();
  }

  /** Returns the number of loads under way that look-ups may join. */
  public synchronized int underWay() {
    return loads.size();
  }

  /** Returns the number of evicted entries. */
  public synchronized long evictions() {
    return evictions;
  }

  /** A load in flight, and the look-ups that share it. */
  private final class Load implements SharedRequest.Owner<V> {
    private final Question<K> question;
    private final G group;
    private final Group<K, V> its;
    private final long generation;
    private final @Nullable V known; // of the group, when the load began
    private final SharedRequest<V> request;

    Load(Question<K> question, Mono<V> load) {
      this.question = question;
      this.group = policy.groupOf(question.key());
      this.its = groups.computeIfAbsent(group, any -> new Group<>());
      this.its.loads++;
      this.generation = generations.of(group);
      this.known = its.latest;
      this.request = new SharedRequest<>(load, this);
    }

    boolean isOvertaken() {
      V now = its.latest;
      return generations.of(group) != generation
          || (now != null && now != known && (known == null || !policy.agree(known, now)));
    }

    @Override
    public void answered(SharedRequest<V> answered, @Nullable V answer) {
      synchronized (LoadingCache.this) {
        V now = its.latest;
        if (answer != null && (!isOvertaken() || now == null || policy.agree(answer, now))) {
          put(question.key(), answer, generation);
        }
        end();
      }
    }

    @Override
    public void failed(SharedRequest<V> failed) {
      synchronized (LoadingCache.this) {
        end();
      }
    }

    @Override
    public void abandoned(SharedRequest<V> abandoned) {
      failed(abandoned);
    }

    private void end() {
      loads.remove(question, this);
      its.loads--;
      dropUnused(group, its);
    }
  }
}
