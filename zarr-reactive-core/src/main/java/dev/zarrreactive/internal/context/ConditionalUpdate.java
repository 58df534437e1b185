package dev.zarrreactive.internal.context;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.Version;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * A compare-and-set of one value: reads it, and stores it on condition that its version is the
 * same. In a store without conditional writes, the value is stored unconditionally.
 */
public final class ConditionalUpdate {
  private static final Set<StoreCapability> GUARDING =
      Set.of(StoreCapability.VERSIONS, StoreCapability.CONDITIONAL_WRITE);

  /** The range that tells the version of a value and none of its bytes. */
  private static final ByteRange NO_BYTES = new ByteRange.Suffix(0);

  /**
   * The most attempts to change a value that other writers keep changing. Of two equally quick
   * writers one loses each round, so that eight losses in a row are common.
   */
  static final int ATTEMPTS = 32;

  /** The first back-off after a lost round. The jitter lets a slow writer win a round, too. */
  private static final Duration FIRST_PAUSE = Duration.ofMillis(1);

  private static final Duration LONGEST_PAUSE = Duration.ofMillis(50);

  private final Store store;
  private final StoreKey key;
  private final boolean isGuarded;

  private volatile boolean isFound;
  private volatile boolean isLost;
  private volatile @Nullable Version version;

  private ConditionalUpdate(Store store, StoreKey key, boolean isGuarded) {
    this.store = store;
    this.key = key;
    this.isGuarded = isGuarded;
  }

  /** Returns an update that replaces the value unconditionally. */
  public static ConditionalUpdate unguarded(Store store, StoreKey key) {
    return new ConditionalUpdate(store, key, false);
  }

  /**
   * Returns an update that stores the value only if there is none; fails with {@link
   * PreconditionFailedException} otherwise. The store must have conditional writes.
   */
  public static ConditionalUpdate ofMissing(Store store, StoreKey key) {
    return new ConditionalUpdate(store, key, true);
  }

  /** Returns true if a store has versions, and stores on condition of them. */
  public static boolean canGuard(Store store) {
    return store.capabilities().containsAll(GUARDING);
  }

  /**
   * Runs {@code change}, and repeats it after a lost round; fails after {@link #ATTEMPTS} rounds.
   */
  public static <T> Mono<T> attempt(
      Store store, StoreKey key, Function<ConditionalUpdate, Mono<T>> change) {
    boolean isGuarded = canGuard(store);
    return Mono.defer(
            () -> {
              ConditionalUpdate update = new ConditionalUpdate(store, key, isGuarded);
              return change.apply(update).onErrorMap(e -> update.isLost ? new LostRound(e) : e);
            })
        .retryWhen(Retry.from(losses -> losses.concatMap(lost -> pause(key, lost), 1)));
  }

  /** Completes after the back-off before the next attempt, or signals the error. */
  private static Mono<Long> pause(StoreKey key, Retry.RetrySignal lost) {
    if (!(lost.failure() instanceof LostRound round)) {
      return Mono.error(lost.failure());
    }
    if (lost.totalRetries() >= ATTEMPTS - 1) {
      return Mono.error(overtaken(key, round.getCause()));
    }
    long usual = FIRST_PAUSE.toNanos() << Math.min(lost.totalRetries(), 10);
    long least = FIRST_PAUSE.toNanos();
    long most = Math.min(LONGEST_PAUSE.toNanos(), 2 * usual);
    Duration pause = Duration.ofNanos(Environment.current().random(least, most + 1));
    return Mono.delay(pause, Environment.current().codecScheduler());
  }

  /** Looks at the version of the value, where that is needed; completes empty. */
  public Mono<Void> look() {
    return isGuarded ? read(NO_BYTES).then() : Mono.empty();
  }

  /** Reads the value; empty if it is missing. */
  public Mono<Bytes> read(ByteRange whole) {
    return isGuarded
        ? store
            .getVersioned(key, whole, ReadCondition.ALWAYS)
            .map(
                answer -> {
                  isFound = true;
                  version = answer.version();
                  return Objects.requireNonNull(answer.bytes());
                })
        : store.get(key, whole);
  }

  /** Reads another part of the value that was read; another version of it loses the round. */
  public Mono<Bytes> readMore(ByteRange range) {
    Version read = version;
    Mono<Bytes> part =
        read == null
            ? store.get(key, range)
            : store
                .getVersioned(key, range, ReadCondition.ifMatch(read))
                .map(answer -> Objects.requireNonNull(answer.bytes()));
    return noteLoss(
        part.switchIfEmpty(
            Mono.error(
                () ->
                    new PreconditionFailedException(
                        "the value was erased while it was read", Location.ofKey(key.value())))));
  }

  /** Stores the value, if it is still the one that was read. */
  public Mono<Void> set(Bytes value) {
    Precondition precondition = precondition();
    return precondition.equals(Precondition.NONE)
        ? store.set(key, value)
        : noteLoss(store.set(key, value, precondition));
  }

  /** Stores the value that these pieces are, if it is still the one that was read. */
  public Mono<Void> set(Publisher<Bytes> pieces) {
    return noteLoss(store.set(key, pieces, precondition()));
  }

  private Precondition precondition() {
    Version read = version;
    if (!isGuarded || (isFound && read == null)) {
      return Precondition.NONE;
    }
    return read == null ? Precondition.ABSENT : Precondition.matches(read);
  }

  private <T> Mono<T> noteLoss(Mono<T> conditional) {
    return conditional.doOnError(PreconditionFailedException.class, e -> isLost = true);
  }

  /** Returns true if the store can erase exactly the value that was read. */
  public boolean canErase() {
    Set<StoreCapability> capabilities = store.capabilities();
    return capabilities.contains(StoreCapability.ERASE)
        && (version == null || capabilities.contains(StoreCapability.CONDITIONAL_ERASE));
  }

  /** Erases the value that was read; completes at once if it was missing. */
  public Mono<Void> erase() {
    Version read = version;
    if (read != null) {
      return noteLoss(store.erase(key, read));
    }
    return isGuarded && !isFound ? Mono.empty() : store.erase(key);
  }

  /** Another writer has changed the value since it was read. */
  private static final class LostRound extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LostRound(Throwable cause) {
      super(null, cause, false, false);
    }
  }

  private static Throwable overtaken(StoreKey key, @Nullable Throwable last) {
    return new PreconditionFailedException(
        "another writer changed the value between read and write in each of "
            + ATTEMPTS
            + " attempts",
        Location.ofKey(key.value()),
        last);
  }
}
