package dev.zarrreactive.store;

import java.util.List;
import java.util.Set;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A map from keys to values (specification: "Abstract store interface"). Implementations are
 * thread-safe; their publishers are cold and lazy: nothing happens before a subscription, each
 * subscription asks anew, and a cancel gives up what is under way. No method blocks. Signals may
 * arrive on any thread of the store's own.
 *
 * <p>A missing key is an empty result, never an error; anything else that goes wrong is a {@link
 * dev.zarrreactive.error.StoreException}, never an empty result. An operation that the store has no
 * {@link StoreCapability} for ends in {@link dev.zarrreactive.error.StoreCapabilityException}
 * before it has any effect. {@code toString} names the store and shows no secret.
 *
 * <p>Implement a store by extending {@code AbstractStore}, a decorator by extending {@code
 * DelegatingStore}.
 */
public interface Store {
  /** What this store can do; never changes. */
  Set<StoreCapability> capabilities();

  /** The value at {@code key}; empty where there is none. */
  Mono<Bytes> get(StoreKey key);

  /**
   * A part of the value at {@code key}; empty where there is no value. An error where the value is
   * too short for the range.
   */
  Mono<Bytes> get(StoreKey key, ByteRange range);

  /** Parts of values, in the order asked for; a key may repeat. Requests are made under demand. */
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
   * Writes parts of values; parts of one key may not overlap. A value that is missing or too short
   * grows; bytes that nobody wrote are zero.
   */
  Mono<Void> setPartialValues(List<KeyStartValue> values);

  /** Removes the value at {@code key}; no error where there is none. */
  Mono<Void> erase(StoreKey key);

  /** Removes the values at the keys as they arrive; no error where there is none. */
  Mono<Void> eraseValues(Publisher<StoreKey> keys);

  /** Removes every value whose key begins with {@code prefix}. */
  Mono<Void> erasePrefix(StorePrefix prefix);

  /** Every key, in no particular order. */
  Flux<StoreKey> list();

  /** Every key that begins with {@code prefix}, in no particular order; empty where none does. */
  Flux<StoreKey> listPrefix(StorePrefix prefix);

  /** What is directly below {@code prefix}, in no particular order; empty where nothing is. */
  Flux<ListEntry> listDir(StorePrefix prefix);

  /** Gives back what this store itself created; a decorator closes the store that it decorates. */
  Mono<Void> close();
}
