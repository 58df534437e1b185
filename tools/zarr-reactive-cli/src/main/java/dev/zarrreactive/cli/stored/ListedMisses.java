package dev.zarrreactive.cli.stored;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.LocatedValues;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.VersionedBytes;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A store that lists the keys below a prefix once most requests there find nothing, and answers for
 * missing keys by itself then. A key that is stored after the listing is missing here: for one read
 * of a command, not for a store that is kept.
 *
 * <p>A listing costs about as much as the requests before it that found nothing. It begins after
 * {@link #FIRST} such requests more than others, and ends unfinished at {@link #KEYS_FOR_EACH} keys
 * for each of them. The next one begins after eight times as many. So where nearly every key is
 * stored, nothing is listed.
 */
public final class ListedMisses extends DelegatingStore {
  /** The requests without a value, less those with one, after which keys are listed first. */
  static final int FIRST = 64;

  /** The keys that are listed at most for each of those requests; a page of S3 has 1,000. */
  static final int KEYS_FOR_EACH = 16;

  /** The most requests after which another listing begins: it would have half a million keys. */
  private static final int LAST = FIRST * 8 * 8 * 8;

  private final StorePrefix prefix;
  private final Predicate<StoreKey> concerned;
  private final AtomicLong excess = new AtomicLong();
  private final AtomicBoolean isListing = new AtomicBoolean();
  private volatile long next = FIRST;
  private volatile @Nullable Set<StoreKey> listed;

  /**
   * Creates the store.
   *
   * @param delegate a store that can list
   * @param prefix of the keys that are listed
   * @param concerned chooses of them the keys that are often missing
   */
  public ListedMisses(Store delegate, StorePrefix prefix, Predicate<StoreKey> concerned) {
    super(delegate);
    this.prefix = prefix;
    this.concerned = concerned;
  }

  /** Returns true if a store can be asked for its keys. */
  public static boolean canList(Store store) {
    return store.capabilities().contains(StoreCapability.LIST);
  }

  /** A value that is located is not missing. */
  @Override
  public @Nullable LocatedValues located() {
    return LocatedValues.of(delegate());
  }

  @Override
  public Mono<Bytes> get(StoreKey key) {
    return unlessMissing(key, super.get(key));
  }

  @Override
  public Mono<Bytes> get(StoreKey key, ByteRange range) {
    return unlessMissing(key, super.get(key, range));
  }

  @Override
  public Mono<VersionedBytes> getVersioned(
      StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
    return unlessMissing(key, super.getVersioned(key, range, condition));
  }

  private <T> Mono<T> unlessMissing(StoreKey key, Mono<T> request) {
    return !key.value().startsWith(prefix.value()) || !concerned.test(key)
        ? request
        : Mono.defer(
            () -> {
              Set<StoreKey> known = listed;
              if (known != null) {
                return known.contains(key) ? request : Mono.empty();
              }
              Mono<T> counted = request.doOnSuccess(this::count);
              return excess.get() >= next && isListing.compareAndSet(false, true)
                  ? listing().then(unlessMissing(key, request))
                  : counted;
            });
  }

  private void count(@Nullable Object value) {
    if (value == null) {
      excess.incrementAndGet();
    } else {
      excess.updateAndGet(count -> Math.max(0, count - 1));
    }
  }

  /** Completes when the keys are known, or when they are too many, or cannot be listed. */
  private Mono<Void> listing() {
    long most = next * KEYS_FOR_EACH;
    return delegate()
        .listPrefix(prefix)
        .filter(concerned)
        .take(most + 1)
        .collect(HashSet<StoreKey>::new, Set::add)
        .doOnNext(
            keys -> {
              if (keys.size() <= most) {
                listed = keys;
              } else {
                next = next >= LAST ? Long.MAX_VALUE : next * 8;
              }
            })
        .doOnError(StoreException.class, error -> next = Long.MAX_VALUE)
        .onErrorResume(StoreException.class, error -> Mono.empty())
        .doFinally(end -> isListing.set(false))
        .then();
  }
}
