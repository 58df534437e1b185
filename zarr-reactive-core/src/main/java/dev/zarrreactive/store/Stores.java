package dev.zarrreactive.store;

/**
 * Decorators: each adds one behaviour to any store, keeps its rules and closes it when closed. They
 * compose; the outermost is asked first.
 */
public final class Stores {
  private Stores() {}

  /** {@code store}, from which everything that changes it is refused. */
  public static Store readOnly(Store store) {
    return new ReadOnlyStore(store);
  }

  /**
   * The part of {@code store} below {@code prefix}, as a store of its own: the prefix is put before
   * keys that go in and taken from keys that come out. Errors name the whole key.
   */
  public static Store prefixed(Store store, StorePrefix prefix) {
    return new PrefixedStore(store, prefix);
  }

  /**
   * {@code store}, which is asked for at most {@code maxConcurrentRequests} things at a time, over
   * all operations and subscribers of the result together. Who comes first is served first; waiting
   * holds no thread, the queue has no bound, and a subscriber that cancels leaves it. A permit is
   * given back when its request completes, fails or is cancelled, before the result is handed on.
   *
   * <p>What takes a permit: each {@code get}, {@code set}, {@code erase} and {@code erasePrefix};
   * each single range of {@code getPartialValues} and each single key of {@code eraseValues}, which
   * go to {@code store} one by one; each key of {@code setPartialValues}; a listing from its first
   * demand to its first element or end. A listing holds no permit longer, for whoever reads each
   * key that it lists would wait for itself for ever.
   *
   * @throws IllegalArgumentException where the number is not positive
   */
  public static Store limited(Store store, int maxConcurrentRequests) {
    return limited(store, RequestLimit.fixed(maxConcurrentRequests));
  }

  /**
   * {@code store}, which is asked for no more things at a time than {@code limit} allows, as in
   * {@link #limited(Store, int)}. Stores that are given the same limit share it.
   */
  public static Store limited(Store store, RequestLimit limit) {
    return new LimitedStore(store, limit);
  }

  /**
   * {@code store}, of which values and ranges that were read are kept in memory: bytes as they are
   * stored, before any codec. Reads of the same value or range at the same time make one request;
   * see {@link CachedStore}.
   */
  public static CachedStore cached(Store store, CacheOptions options) {
    return new CachedStore(store, options);
  }

  /** {@code store}, whose requests {@code observer} is told of. */
  public static Store observed(Store store, StoreObserver observer) {
    return new ObservedStore(store, observer);
  }
}
