package dev.zarrreactive.internal.hierarchy;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MemoryExhaustedException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.metadata.MetadataLimits;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.Store;
import java.util.function.Function;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/** The metadata documents in a store, none larger than the limits allow. */
record Documents(Store store, MetadataLimits limits) {
  /** Emits the document. A document over the limit is an error before it is read. */
  Mono<Bytes> get(StoreKey key) {
    return store.get(key, limits.range());
  }

  /**
   * Reads a node from its documents. An error of a document makes the node unreadable; the search
   * goes on. A document that exhausts the heap ends the operation, and the thread survives.
   *
   * @param size of the documents in bytes
   * @param unreadable makes the metadata of a node that cannot be opened
   */
  static NodeMetadata read(
      NodePath path,
      long size,
      Supplier<NodeMetadata> reading,
      Function<ZarrException, NodeMetadata> unreadable) {
    Location node = Location.ofNode(path.value());
    try {
      return reading.get();
    } catch (ZarrException e) {
      return unreadable.apply(e.at(node));
    } catch (OutOfMemoryError e) {
      return unreadable.apply(
          new MemoryExhaustedException("of metadata and for the values in them", size, node, e));
    }
  }
}
