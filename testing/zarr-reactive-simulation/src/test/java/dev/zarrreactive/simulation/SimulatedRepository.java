package dev.zarrreactive.simulation;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.icechunk.Icechunk;
import dev.zarrreactive.icechunk.IcechunkRepository;
import dev.zarrreactive.icechunk.IcechunkVersion;
import dev.zarrreactive.icechunk.WrittenCommits;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * An Icechunk repository that is far away. Another program commits to its branch, in no time; each
 * operation opens the snapshot that the branch has when its request arrives.
 */
final class SimulatedRepository {
  private final Store values;
  private final MemoryStore files = MemoryStore.create();
  private final WrittenCommits commits = new WrittenCommits(files);
  private final List<Snapshot> snapshots = new ArrayList<>();
  private final List<ZarrHierarchy> opened = new ArrayList<>();
  private @Nullable IcechunkRepository repository;

  /** What was committed: the elements of each array, and all keys. */
  private record Snapshot(List<int[]> arrays, Set<String> keys) {}

  /** A repository of what is in {@code values} at each commit. */
  SimulatedRepository(Store values) {
    this.values = values;
  }

  /** The files, which need no time. */
  Store files() {
    return files;
  }

  /** Commits what is there now. */
  void commit(List<int[]> arrays) {
    commits.commit(values);
    Set<String> keys = new TreeSet<>();
    for (StoreKey key : Objects.requireNonNull(Immediately.get(values.list().collectList()))) {
      keys.add(key.value());
    }
    snapshots.add(new Snapshot(arrays, keys));
  }

  /** Opens the branch of now in a store of the files. */
  Mono<ZarrHierarchy> open(Store far, ZarrOptions options) {
    return Mono.defer(
            () -> {
              IcechunkRepository known = repository;
              return known == null ? Icechunk.open(far) : known.refresh();
            })
        .doOnNext(found -> repository = found)
        .flatMap(found -> found.store(IcechunkVersion.MAIN))
        .map(store -> Zarr.hierarchy(store, options))
        .doOnNext(opened::add);
  }

  /** The hierarchies that operations have opened. */
  List<ZarrHierarchy> opened() {
    return opened;
  }

  /** Returns true where one snapshot has all of these elements. */
  boolean hasElements(int array, int[] indices, int[] elements) {
    return snapshots.stream()
        .anyMatch(
            snapshot ->
                Arrays.stream(indices)
                    .allMatch(i -> snapshot.arrays().get(array)[i] == elements[i]));
  }

  /** Returns true where one snapshot has exactly these values, besides documents of groups. */
  boolean hasKeys(Set<String> keys) {
    return snapshots.stream()
        .anyMatch(
            snapshot ->
                keys.containsAll(snapshot.keys())
                    && keys.stream()
                        .allMatch(key -> snapshot.keys().contains(key) || key.equals("zarr.json")));
  }
}
