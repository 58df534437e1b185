package dev.zarrreactive.store;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
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
 * <p><b>Laziness.</b> Publishers are cold: each subscription makes its own requests, and a {@code
 * Flux} makes them on demand.
 *
 * <p><b>Threads.</b> Methods and subscriptions never block. Signals arrive on the subscriber's
 * thread or on threads of the store, which a subscriber must not occupy.
 *
 * <p><b>Cancel</b> ends waiting requests and requests in flight, and no further request is made. A
 * cancelled write has taken place whole or not at all; the outcome is unknown.
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
  /** The capabilities of this store, which never change. */
  Set<StoreCapability> capabilities();

  /** The value at {@code key}; empty where there is none. */
  Mono<Bytes> get(StoreKey key);

  /**
   * A part of the value at {@code key}; empty if the value is missing. An empty range of a value
   * has zero bytes. Fails with {@link dev.zarrreactive.error.RangeOutOfBoundsException} if the
   * value is too short for the range.
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
   * <p>A store without {@link StoreCapability#VERSIONS} answers {@link ReadCondition#ALWAYS} alone,
   * with a null version. Otherwise the version is null only for a value whose version is unknown.
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
   * Emits parts of values, one for each range and in the same order; a key may repeat. The part of
   * a missing value says so; the first error ends all. By default each part is a {@link
   * #get(StoreKey, ByteRange)} of its own, made on demand, at most 64 at a time.
   */
  default Flux<PartialValue> getPartialValues(List<KeyRange> ranges) {
    return Fallbacks.partialValues(this, ranges);
  }

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
   * Stores a value that arrives in pieces, one after the other, for values larger than the memory:
   * whole or not at all, where the precondition holds at the end. Pieces are demanded as the store
   * takes them; a store that lacks uploads in pieces joins them in memory first, and refuses 2 GiB.
   * No piece is a value of zero bytes.
   *
   * <p>An error of {@code pieces} is signalled as it is, and nothing is stored. After a cancel no
   * piece is demanded. The publisher is subscribed to once for each attempt; one that cannot repeat
   * its pieces signals {@link IllegalStateException} to a second attempt, and the error of the
   * first one is signalled. It must not wait for another request that this one holds up.
   */
  Mono<Void> set(StoreKey key, Publisher<Bytes> pieces, Precondition precondition);

  /**
   * Writes parts of values (specification: "Abstract store interface", {@code set_partial_values}).
   * A value that is missing, or too short, grows to where its last part ends; bytes in between are
   * zero. All parts of one key are written at once, or none; the keys change one by one, in any
   * order. Completes after the last one; the first error ends all, and other keys may have changed.
   *
   * <p>By default each value is read with its version, and stored whole on condition that it still
   * has it; a value that another writer has changed meanwhile is read again, up to 32 times. At
   * most 64 values are in memory. So a store that lacks {@link StoreCapability#VERSIONS} or {@link
   * StoreCapability#CONDITIONAL_WRITE} refuses this: a write in between would be lost.
   *
   * @throws IllegalArgumentException if parts of one key overlap
   */
  default Mono<Void> setPartialValues(List<KeyStartValue> parts) {
    return Fallbacks.setPartialValues(this, parts);
  }

  /** Removes the value at {@code key}; completes if it is missing. */
  Mono<Void> erase(StoreKey key);

  /**
   * Removes the value at {@code key} if it has this version; completes if it is missing. Fails with
   * {@link dev.zarrreactive.error.PreconditionFailedException} if it has another version.
   */
  Mono<Void> erase(StoreKey key, Version version);

  /**
   * Removes the values at the keys as they arrive, in any order; ignores missing values. Demands
   * keys as fast as it erases them; an error of {@code keys} ends it. By default each value is an
   * {@link #erase(StoreKey)} of its own, at most 64 at a time.
   */
  default Mono<Void> eraseValues(Publisher<StoreKey> keys) {
    return Fallbacks.eraseValues(this, keys);
  }

  /** Removes every value whose key begins with {@code prefix}. */
  Mono<Void> erasePrefix(StorePrefix prefix);

  /** Every key once, in no particular order. */
  Flux<StoreKey> list();

  /**
   * Every key that begins with {@code prefix} once, in no particular order; empty where none does.
   */
  Flux<StoreKey> listPrefix(StorePrefix prefix);

  /**
   * Every value whose key begins with {@code prefix}, with its size where the listing tells it;
   * otherwise as {@link #listPrefix}. Costs the same requests.
   */
  default Flux<ListEntry.Key> listValues(StorePrefix prefix) {
    return listPrefix(prefix).map(ListEntry.Key::new);
  }

  /** The entries directly below {@code prefix}, in no particular order; empty if there are none. */
  Flux<ListEntry> listDir(StorePrefix prefix);

  /** Releases the resources that this store has created; a decorator closes its delegate. */
  Mono<Void> close();
}
