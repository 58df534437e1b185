package dev.zarrreactive.internal.write;

import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.internal.context.StoredChunkSize;
import dev.zarrreactive.internal.flow.CodecScheduler;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.store.ByteRange;
import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.StoreKey;
import dev.zarrreactive.store.Version;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * A compare-and-set of one value: reads it, and stores it on condition that its version is the
 * same. In a store without conditional writes, the value is stored unconditionally.
 */
final class ConditionalUpdate {
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
  private volatile @Nullable Version version;

  private ConditionalUpdate(Store store, StoreKey key, boolean isGuarded) {
    this.store = store;
    this.key = key;
    this.isGuarded = isGuarded;
  }

  /** Returns an update that replaces the value unconditionally. */
  static ConditionalUpdate unguarded(Store store, StoreKey key) {
    return new ConditionalUpdate(store, key, false);
  }

  /**
   * Runs {@code change}, and repeats it after a lost round; fails after {@link #ATTEMPTS} rounds.
   */
  static <T> Mono<T> attempt(
      Store store, StoreKey key, Function<ConditionalUpdate, Mono<T>> change) {
    Set<StoreCapability> capabilities = store.capabilities();
    boolean isGuarded =
        capabilities.contains(StoreCapability.VERSIONS)
            && capabilities.contains(StoreCapability.CONDITIONAL_WRITE);
    return Mono.defer(() -> change.apply(new ConditionalUpdate(store, key, isGuarded)))
        .retryWhen(Retry.from(losses -> losses.concatMap(lost -> pause(key, lost), 1)));
  }

  /** Completes after the back-off before the next attempt, or signals the error. */
  private static Mono<Long> pause(StoreKey key, Retry.RetrySignal lost) {
    if (!(lost.failure() instanceof PreconditionFailedException)) {
      return Mono.error(lost.failure());
    }
    if (lost.totalRetries() >= ATTEMPTS - 1) {
      return Mono.error(overtaken(key, lost.failure()));
    }
    long usual = FIRST_PAUSE.toNanos() << Math.min(lost.totalRetries(), 10);
    long least = FIRST_PAUSE.toNanos();
    long most = Math.min(LONGEST_PAUSE.toNanos(), 2 * usual);
    Duration pause = Duration.ofNanos(Environment.current().random(least, most + 1));
    return Mono.delay(pause, CodecScheduler.shared());
  }

  /**
   * Reads the value, which is a chunk; empty if it is missing. Fails if it has more bytes than the
   * codecs can need.
   */
  Mono<Bytes> read(ChunkCodec codec) {
    return StoredChunkSize.checked(codec, read(StoredChunkSize.range(codec)));
  }

  private Mono<Bytes> read(ByteRange whole) {
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

  Mono<Void> set(Bytes value) {
    Version read = version;
    if (!isGuarded || (isFound && read == null)) {
      return store.set(key, value);
    }
    return store.set(key, value, read == null ? Precondition.ABSENT : Precondition.matches(read));
  }

  /** Returns true if the store can erase exactly the value that was read. */
  boolean canErase() {
    Set<StoreCapability> capabilities = store.capabilities();
    return capabilities.contains(StoreCapability.ERASE)
        && (version == null || capabilities.contains(StoreCapability.CONDITIONAL_ERASE));
  }

  /** Erases the value that was read; completes at once if it was missing. */
  Mono<Void> erase() {
    Version read = version;
    if (read != null) {
      return store.erase(key, read);
    }
    return isGuarded && !isFound ? Mono.empty() : store.erase(key);
  }

  private static Throwable overtaken(StoreKey key, Throwable last) {
    return new PreconditionFailedException(
        "another writer changed the value between read and write in each of "
            + ATTEMPTS
            + " attempts",
        Location.ofKey(key.value()),
        last);
  }
}
