package dev.zarrreactive.store;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A map from keys to values (specification: "Abstract store interface"). Implementations are
 * thread-safe.
 *
 * <p><b>Laziness.</b> Publishers are cold: nothing happens before a subscription, each subscription
 * asks anew, and a {@code Flux} does no more than is demanded.
 *
 * <p><b>Threads.</b> No method and no subscription blocks. Signals arrive on the subscriber's
 * thread or on threads of the store, which must not be kept.
 *
 * <p><b>Cancel</b> gives up what waits and what is under way, and nothing new is asked for. A write
 * that is cancelled has happened as a whole or not at all; which, is not known.
 *
 * <p><b>Errors.</b> A missing key is an empty result, never an error; anything else that goes wrong
 * is a {@link dev.zarrreactive.error.StoreException} with the key in its location, never an empty
 * result. An operation that the store has no {@link StoreCapability} for ends in {@link
 * dev.zarrreactive.error.StoreCapabilityException} before it has any effect. Wrong arguments throw
 * {@link IllegalArgumentException} at once.
 *
 * <p>{@code toString} names the store and shows no secret.
 *
 * <p>Implement a store by extending {@link AbstractStore}, a decorator by extending {@link
 * DelegatingStore}.
 */
public interface Store {
  /** What this store can do; never changes. */
  Set<StoreCapability> capabilities();

  /** The value at {@code key}; empty where there is none. */
  Mono<Bytes> get(StoreKey key);

  /**
   * A part of the value at {@code key}; empty where there is no value, zero bytes where the range
   * has none. {@link dev.zarrreactive.error.RangeOutOfBoundsException} where the value is too short
   * for the range.
   *
   * <p>{@link ByteRange.Whole} is the whole value up to a size. The store refuses a larger one with
   * {@link dev.zarrreactive.error.ValueTooLargeException} before it allocates or collects more than
   * that, as far as it can know: by the size that it is told first, or by counting what arrives.
   */
  Mono<Bytes> get(StoreKey key, ByteRange range);

  /**
   * The value at {@code key}, or a part of it, with the {@link Version} of the whole value that the
   * bytes are of: never bytes of one state with the version of another. Empty where there is no
   * value, under every condition.
   *
   * <p>Without {@link StoreCapability#VERSIONS}, {@link ReadCondition#ALWAYS} alone is answered,
   * with bytes that have no version. With it, a version is missing only where the store knows none
   * of this value.
   *
   * @param range the part; null for all of the value
   * @param condition where it asks for one version and the value has another, {@link
   *     dev.zarrreactive.error.PreconditionFailedException}; where it names the version that is
   *     known and the value has it, an answer that {@linkplain VersionedBytes#isUnchanged says so}.
   *     It is looked at before the range
   */
  Mono<VersionedBytes> getVersioned(
      StoreKey key, @Nullable ByteRange range, ReadCondition condition);

  /**
   * Parts of values, in the order asked for; a key may repeat. One for each range: where the key is
   * missing, one that says so. No request is made that is not demanded.
   */
  Flux<PartialValue> getPartialValues(List<KeyRange> keyRanges);

  /** Stores {@code value} at {@code key}, whole or not at all. */
  default Mono<Void> set(StoreKey key, Bytes value) {
    return set(key, value, Precondition.NONE);
  }

  /**
   * Stores {@code value} at {@code key}, whole or not at all, where the precondition holds; {@link
   * dev.zarrreactive.error.PreconditionFailedException} where it does not.
   */
  Mono<Void> set(StoreKey key, Bytes value, Precondition precondition);

  /**
   * Writes parts of values. A value that is missing or too short grows to where its last part ends;
   * bytes that nobody wrote are zero. Each value changes whole or not at all, but not all of them
   * at once, and in no particular order.
   *
   * @throws IllegalArgumentException where parts of one key overlap
   */
  Mono<Void> setPartialValues(List<KeyStartValue> values);

  /** Removes the value at {@code key}; no error where there is none. */
  Mono<Void> erase(StoreKey key);

  /**
   * Removes the value at {@code key} where it has this version; {@link
   * dev.zarrreactive.error.PreconditionFailedException} where it has another one, no error where
   * there is none.
   */
  Mono<Void> erase(StoreKey key, Version version);

  /**
   * Removes the values at the keys as they arrive, in no particular order; no error where there is
   * none. Demands keys as fast as it erases them; an error of {@code keys} ends it.
   */
  Mono<Void> eraseValues(Publisher<StoreKey> keys);

  /** Removes every value whose key begins with {@code prefix}. */
  Mono<Void> erasePrefix(StorePrefix prefix);

  /** Every key once, in no particular order. */
  Flux<StoreKey> list();

  /**
   * Every key that begins with {@code prefix} once, in no particular order; empty where none does.
   */
  Flux<StoreKey> listPrefix(StorePrefix prefix);

  /** What is directly below {@code prefix}, in no particular order; empty where nothing is. */
  Flux<ListEntry> listDir(StorePrefix prefix);

  /** Gives back what this store itself created; a decorator closes the store that it decorates. */
  Mono<Void> close();
}
