package dev.zarrreactive.webflux;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.chunkkey.ChunkKeyEncoding;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.StoreSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The state of the stored values that a selection reads, as one hash of their versions. */
final class SliceVersions {
  /** The most stored values that are asked for their versions. */
  private static final int MOST = 256;

  private static final ByteRange NOTHING = new ByteRange.Slice(0, 0);

  private SliceVersions() {}

  /**
   * Returns the state of a slice of a snapshot, whose values never change; null in any other store.
   * A format of the application's own may change with the application, and has none, either.
   */
  static @Nullable String snapshotHash(ArraySlice slice) {
    StoreSnapshot snapshot =
        slice.encoding() == null ? StoreSnapshot.of(slice.array().store()) : null;
    return snapshot == null
        ? null
        : RequestConditions.hash(
            snapshot.id() + "\n" + slice.array().path().value() + "\n" + slice.resolved());
  }

  /**
   * Asks the store for the version of each chunk or shard of a selection, a request for each.
   *
   * @return empty for more than 256 of them, and in a store without versions
   */
  static Mono<String> hash(ZarrArray array, Selection selection) {
    return Mono.defer(
        () -> {
          Store store = array.store();
          Optional<List<StoreKey>> keys = keys(array, selection);
          if (keys.isEmpty() || !store.capabilities().contains(StoreCapability.VERSIONS)) {
            return Mono.empty();
          }
          String state = array.metadata().document() + "\n" + selection.resolve(array.shape());
          return Concurrently.mapInOrder(
                  Flux.fromIterable(keys.get()),
                  array.options().maxConcurrency(),
                  key -> version(store, key))
              .collectList()
              .filter(versions -> versions.stream().allMatch(Optional::isPresent))
              .map(versions -> RequestConditions.hash(state + versions));
        });
  }

  /** Emits the version of a key, which may be missing; nothing in it if the store knows none. */
  private static Mono<Optional<String>> version(Store store, StoreKey key) {
    return store
        .getVersioned(key, NOTHING, ReadCondition.ALWAYS)
        .map(
            read ->
                Optional.ofNullable(read.version())
                    .map(version -> key.value() + " " + version.tag()))
        .defaultIfEmpty(Optional.of(key.value()));
  }

  private static Optional<List<StoreKey>> keys(ZarrArray array, Selection selection) {
    ChunkKeyEncoding encoding = ChunkKeyEncoding.of(array.metadata().chunkKeyEncoding());
    List<StoreKey> keys = new ArrayList<>();
    for (ChunkProjection chunk :
        ChunkPlan.of(selection.resolve(array.shape()), array.chunkGrid())) {
      if (keys.size() == MOST) {
        return Optional.empty();
      }
      keys.add(array.metadata().chunkKey(array.path(), encoding.encode(chunk.chunkIndex())));
    }
    return Optional.of(keys);
  }
}
