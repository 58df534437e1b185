package dev.zarrreactive.store.batch;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.store.Store;
import java.util.List;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A store with the operations of the specification on several values ("Abstract store interface":
 * {@code get_partial_values}, {@code set_partial_values}, {@code erase_values}). The library itself
 * makes one request for each value or range, so that each is limited, retried and cancelled alone.
 * An operation that a store does not override is composed of {@code get}, {@code set} and {@code
 * erase}, at most 64 at a time. Parts of a value are then written by reading and storing the value;
 * another write of the key in between is lost.
 */
public interface BatchStore extends Store {
  /**
   * Returns {@code store} itself if it is one, or else a view of it with composed operations. A
   * decorator has such a view: each single request passes it.
   */
  static BatchStore of(Store store) {
    return store instanceof BatchStore batches ? batches : new ComposedBatches(store);
  }

  /**
   * Returns parts of values, one for each range and in the same order; a key may repeat. The part
   * of a missing key says so. Requests are made on demand.
   */
  default Flux<PartialValue> getPartialValues(List<KeyRange> keyRanges) {
    return ComposedBatches.partialValues(this, keyRanges);
  }

  /**
   * Writes parts of values. A value that is missing or too short grows to where its last part ends;
   * bytes in between are zero. Several values change one by one, in any order.
   *
   * @throws IllegalArgumentException if parts of one key overlap
   */
  default Mono<Void> setPartialValues(List<KeyStartValue> values) {
    return ComposedBatches.setPartialValues(this, values);
  }

  /**
   * Removes the values at the keys as they arrive, in any order; missing values are ignored.
   * Demands keys as fast as it erases them; an error of {@code keys} ends it.
   */
  default Mono<Void> eraseValues(Publisher<StoreKey> keys) {
    return ComposedBatches.eraseValues(this, keys);
  }
}
