package dev.zarrreactive.cli.location;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.VersionedBytes;
import dev.zarrreactive.store.memory.MemoryStore;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A directory that is no node, but holds hierarchies, as a group of them: it has the document of a
 * group of Zarr v2, below which nodes of both formats are found.
 */
public final class DirectoryOfStores extends DelegatingStore {
  private static final StoreKey DOCUMENT = StoreKey.of(NodePath.V2_GROUP);

  private final Store document;

  private DirectoryOfStores(Store directory, Store document) {
    super(directory);
    this.document = document;
  }

  /** Emits the group, if the directory at the root of a store holds hierarchies; else empty. */
  public static Mono<Store> of(Store directory) {
    return MissingNode.nodesIn(directory, NodePath.ROOT)
        .flatMap(
            names -> {
              Store document = MemoryStore.create();
              return document
                  .set(DOCUMENT, Bytes.utf8("{\"zarr_format\": 2}"))
                  .thenReturn(new DirectoryOfStores(directory, document));
            });
  }

  /** Emits the names of the hierarchies that a directory holds; empty for none. */
  public static Mono<List<String>> names(Store directory) {
    return MissingNode.nodesIn(directory, NodePath.ROOT);
  }

  private Store of(StoreKey key) {
    return key.equals(DOCUMENT) ? document : delegate();
  }

  @Override
  public Mono<Bytes> get(StoreKey key) {
    return of(key).get(key);
  }

  @Override
  public Mono<Bytes> get(StoreKey key, ByteRange range) {
    return of(key).get(key, range);
  }

  @Override
  public Mono<VersionedBytes> getVersioned(
      StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
    return of(key).getVersioned(key, range, condition);
  }
}
