package dev.zarrreactive.kerchunk;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.store.ListEntry;
import java.util.List;
import java.util.Optional;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A set of references, by key. Publishers are cold. */
interface References {
  /** The reference of a key; empty where there is none. */
  Mono<KerchunkReference> find(StoreKey key);

  /**
   * The references of several keys, one answer for each and in the same order; empty where there is
   * none, or where {@link #find(StoreKey)} would fail.
   */
  Mono<List<Optional<KerchunkReference>>> find(List<StoreKey> keys);

  /** Every key that begins with {@code prefix}, with the size of its value where it is known. */
  Flux<ListEntry.Key> values(StorePrefix prefix);

  /** The entries directly below {@code prefix}. */
  Flux<ListEntry> entries(StorePrefix prefix);
}
