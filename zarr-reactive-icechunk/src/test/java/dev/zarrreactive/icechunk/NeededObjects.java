package dev.zarrreactive.icechunk;

import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.internal.icechunk.ChunkReference;
import dev.zarrreactive.internal.icechunk.ManifestFile;
import dev.zarrreactive.internal.icechunk.RepoState;
import dev.zarrreactive.internal.icechunk.SnapshotFile;
import dev.zarrreactive.store.Store;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** The objects that the snapshots in the info of a repository need, found in the plainest way. */
final class NeededObjects {
  private NeededObjects() {}

  /** The keys of the objects that all snapshots of the history need. */
  static Set<String> of(Store place) {
    RepositoryFiles files = new RepositoryFiles(place, IcechunkOptions.defaults());
    RepoState state =
        RepoState.read(Objects.requireNonNull(await(place.get(StoreKey.of("repo")))), 1 << 26);
    Set<String> needed = new TreeSet<>(Set.of("repo"));
    state.logs().forEach(id -> needed.add("transactions/" + id));
    if (await(files.transaction(RepoState.FIRST_SNAPSHOT)) == null) {
      needed.remove("transactions/" + RepoState.FIRST_SNAPSHOT); // a migrated one has none
    }
    for (String id : state.snapshots()) {
      needed.add("snapshots/" + id);
      SnapshotFile snapshot = await(files.snapshot(id));
      for (int rank = 0; rank < snapshot.size(); rank++) {
        if (snapshot.isArray(rank)) {
          addArray(needed, files, snapshot.array(rank));
        }
      }
    }
    return needed;
  }

  private static void addArray(
      Set<String> needed, RepositoryFiles files, SnapshotFile.ArrayNode array) {
    for (int i = 0; i < array.manifests(); i++) {
      needed.add("manifests/" + array.manifest(i));
      ManifestFile manifest = await(files.manifest(array.manifest(i)));
      ManifestFile.References references = manifest.of(array.id());
      for (int at = 0; references != null && at < references.size(); at++) {
        if (references.reference(at) instanceof ChunkReference.Native chunk) {
          needed.add("chunks/" + chunk.chunk());
        }
      }
    }
  }

  /** Fails where an object is missing that is needed. */
  static void assertAllThere(Store place, IcechunkRepository repository) {
    assertThat(keys(place)).as("%s", repository).containsAll(of(place));
  }

  /** Fails where an object is missing that is needed, or one is there that is not. */
  static void assertNoOther(Store place) {
    Set<String> there = keys(place);
    there.removeIf(key -> key.startsWith("overwritten/"));
    assertThat(there).isEqualTo(of(place));
  }

  private static Set<String> keys(Store place) {
    Set<String> keys = new TreeSet<>();
    await(place.listPrefix(StorePrefix.ROOT)).forEach(key -> keys.add(key.value()));
    return keys;
  }
}
