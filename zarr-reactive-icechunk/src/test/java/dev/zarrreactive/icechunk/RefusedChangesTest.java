package dev.zarrreactive.icechunk;

import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.memory.MemoryStore;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** What a repository does not take is refused by name, before it has an effect. */
class RefusedChangesTest {
  private final Store place = MemoryStore.create();
  private final IcechunkRepository repository = await(Icechunk.create(place));

  private static void assertRefused(Mono<?> change, Class<?> type, String... words) {
    assertThat(errorOf(change)).isInstanceOf(type);
    assertThat(errorOf(change)).hasMessageContainingAll(words);
  }

  private Mono<Void> put(String key, String value) {
    return repository
        .session("main")
        .flatMap(session -> session.set(StoreKey.of(key), Bytes.utf8(value)));
  }

  @Test
  void a_repository_is_not_made_where_there_is_one() {
    assertRefused(Icechunk.create(place), StoreException.class, "there is an Icechunk repository");
    assertRefused(
        Icechunk.create(WrittenRepository.oldHistory(1)),
        StoreException.class,
        "there is an Icechunk repository");
  }

  @Test
  void a_repository_of_version_1_is_read_alone() {
    IcechunkRepository old = await(Icechunk.open(WrittenRepository.oldHistory(2)));
    assertRefused(
        old.session("main"), UnsupportedFeatureException.class, "version 1", "read alone");
    assertRefused(
        old.createTag("v1", IcechunkVersion.MAIN), UnsupportedFeatureException.class, "version 1");
  }

  @Test
  void a_repository_that_is_read_only_says_why_it_takes_no_change() {
    Store readOnly =
        new WrittenRepository().group("/", SessionTree.GROUP).status(1, "in the archive").store();
    IcechunkRepository archive = await(Icechunk.open(readOnly));
    assertRefused(
        archive.session("main"), StoreException.class, "read-only since", "in the archive");
    assertRefused(
        archive.createBranch("dev", IcechunkVersion.MAIN), StoreException.class, "in the archive");
  }

  @Test
  void a_repository_that_became_read_only_takes_no_commit() {
    IcechunkSession session = await(repository.session("main"));
    SessionTree.put(session, "a/zarr.json", SessionTree.GROUP);
    Bytes archived =
        await(
            new WrittenRepository()
                .group("/", SessionTree.GROUP)
                .status(1, "closed")
                .store()
                .get(StoreKey.of("repo")));
    await(place.set(StoreKey.of("repo"), java.util.Objects.requireNonNull(archived)));
    assertRefused(session.commit("late"), StoreException.class, "the commit to branch", "closed");
  }

  @Test
  void a_store_without_conditional_writes_takes_no_session() {
    Store plain =
        new DelegatingStore(place) {
          @Override
          public Set<StoreCapability> capabilities() {
            EnumSet<StoreCapability> all = EnumSet.copyOf(delegate().capabilities());
            all.remove(StoreCapability.CONDITIONAL_WRITE);
            return all;
          }
        };
    assertRefused(
        Icechunk.open(plain).flatMap(opened -> opened.session("main")),
        StoreCapabilityException.class,
        "commit to an Icechunk repository",
        "CONDITIONAL_WRITE");
    assertRefused(Icechunk.create(plain), StoreCapabilityException.class, "CONDITIONAL_WRITE");
  }

  @Test
  void names_that_cannot_be_are_refused() {
    assertRefused(repository.session("dev"), StoreException.class, "no branch \"dev\"");
    assertRefused(
        repository.createBranch("main", IcechunkVersion.MAIN),
        StoreException.class,
        "there is a branch \"main\"");
    assertRefused(
        repository.createBranch("a/b", IcechunkVersion.MAIN), StoreException.class, "slash");
    assertRefused(repository.deleteBranch("main"), StoreException.class, "cannot be deleted");
    assertRefused(repository.deleteBranch("dev"), StoreException.class, "no branch \"dev\"");
    assertRefused(repository.deleteTag("v1"), StoreException.class, "no tag \"v1\"");
    assertRefused(
        repository.createTag("v1", IcechunkVersion.snapshot("00000000000000000000")),
        StoreException.class,
        "no snapshot 0000");
  }

  @Test
  void a_tag_never_moves_and_its_name_is_never_used_again() {
    IcechunkRepository tagged = await(repository.createTag("v1", IcechunkVersion.MAIN));
    assertRefused(
        tagged.createTag("v1", IcechunkVersion.MAIN), StoreException.class, "a tag never moves");
    IcechunkRepository deleted = await(tagged.deleteTag("v1"));
    assertRefused(
        deleted.createTag("v1", IcechunkVersion.MAIN), StoreException.class, "was deleted");
    assertRefused(deleted.deleteTag("v1"), StoreException.class, "which was deleted");
  }

  @Test
  void what_is_no_node_and_no_chunk_of_an_array_is_refused_with_its_key() {
    assertRefused(put(".zgroup", "{}"), StoreException.class, ".zgroup", "Zarr v2");
    assertRefused(put("a/b", "x"), StoreException.class, "a/b", "no value at such a key");
    assertRefused(put("a/zarr.json", "{"), MetadataException.class, "a/zarr.json");
    assertRefused(
        put("a/zarr.json", SessionTree.array(1).replace(":3,", ":2,")),
        MetadataException.class,
        "zarr_format");
    assertRefused(
        put("a/zarr.json", SessionTree.array(1).replace("\"default\"", "\"v2\"")),
        MetadataException.class,
        "chunk_key_encoding",
        "c/0/1");
    IcechunkSession session = await(repository.session("main"));
    SessionTree.put(session, "a/zarr.json", SessionTree.array(1));
    SessionTree.put(session, "g/zarr.json", SessionTree.GROUP);
    assertRefused(
        session.set(StoreKey.of("a/c/0/0"), Bytes.utf8("x")),
        StoreException.class,
        "1 dimensions",
        "a chunk of 2");
    assertRefused(
        session.set(StoreKey.of("g/c/0"), Bytes.utf8("x")), StoreException.class, "a group");
    assertRefused(
        session.set(StoreKey.of("a/b/zarr.json"), Bytes.utf8(SessionTree.GROUP)),
        StoreException.class,
        "below the array /a");
  }

  @Test
  void chunks_may_come_before_their_array_and_wait_for_it() {
    IcechunkSession session = await(repository.session("main"));
    SessionTree.put(session, "a/c/0", "x");
    assertThat(SessionTree.get(session, "a/c/0")).isEqualTo("x");
    assertThat(SessionTree.get(session, "a/zarr.json")).isEqualTo("nothing");
    assertThat(await(session.listDir(StorePrefix.of("a/")))).hasSize(1);
    assertRefused(
        session.commit("one"), StoreException.class, "chunks of /a", "no zarr.json", "erase");
    assertRefused(
        session.set(StoreKey.of("a/zarr.json"), Bytes.utf8(SessionTree.GROUP)),
        StoreException.class,
        "an array of 1 dimensions");
    SessionTree.put(session, "a/zarr.json", SessionTree.array(1));
    await(session.commit("one"));
    Store now = await(await(repository.refresh()).store(IcechunkVersion.MAIN));
    assertThat(SessionTree.get(now, "a/c/0")).isEqualTo("x");
    assertThat(await(await(repository.refresh()).checkHistory())).isEmpty();
  }

  @Test
  void a_discarded_session_leaves_nothing_but_objects_of_chunks() {
    IcechunkSession session = await(repository.session("main"));
    SessionTree.put(session, "a/zarr.json", SessionTree.array(1));
    SessionTree.put(session, "a/c/0", "x".repeat(600));
    int before = await(place.list()).size();
    await(session.discard());
    assertThat(await(place.list())).hasSize(before);
    assertThat(await(place.listPrefix(StorePrefix.of("chunks/")))).hasSize(1);
    assertThat(await(session.list())).isEmpty();
    assertRefused(session.commit("one"), StoreException.class, "discarded");
    assertRefused(
        session.set(StoreKey.of("a/zarr.json"), Bytes.utf8(SessionTree.GROUP)),
        StoreException.class,
        "discarded");
  }

  private void disable(int feature) {
    StoreKey key = StoreKey.of("repo");
    Bytes repo = java.util.Objects.requireNonNull(await(place.get(key)));
    await(
        place.set(
            key, dev.zarrreactive.internal.icechunk.ConfiguredRepository.disabled(repo, feature)));
  }

  private Mono<String> commit(java.util.function.Consumer<Store> changes) {
    IcechunkSession session = await(repository.session("main"));
    changes.accept(session);
    return session.commit("a change");
  }

  @Test
  void a_feature_that_is_switched_off_refuses_its_changes() {
    await(
        commit(
            store -> {
              SessionTree.put(store, "a/zarr.json", SessionTree.array(9));
              SessionTree.put(store, "g/zarr.json", SessionTree.GROUP);
            }));
    await(repository.createTag("t", IcechunkVersion.MAIN));
    await(repository.createBranch("b", IcechunkVersion.MAIN));
    assertOff(1, "commit", commit(store -> SessionTree.put(store, "a/c/0", "x")));
    assertOff(
        7, "create_new_nodes", commit(s -> SessionTree.put(s, "n/zarr.json", SessionTree.GROUP)));
    assertOff(8, "delete_nodes", commit(store -> SessionTree.erase(store, "a/zarr.json")));
    assertOff(9, "update_chunks", commit(store -> SessionTree.put(store, "a/c/0", "x")));
    assertOff(
        10,
        "update_array_metadata",
        commit(store -> SessionTree.put(store, "a/zarr.json", SessionTree.array(8))));
    assertOff(
        11,
        "update_group_metadata",
        commit(store -> SessionTree.put(store, "g/zarr.json", SessionTree.GROUP + " ")));
    assertOff(4, "create_tag", repository.createTag("u", IcechunkVersion.MAIN));
    assertOff(5, "delete_tag", repository.deleteTag("t"));
    assertOff(12, "create_branch", repository.createBranch("c", IcechunkVersion.MAIN));
    assertOff(13, "delete_branch", repository.deleteBranch("b"));
    assertOff(14, "reset_branch", repository.resetBranch("b", IcechunkVersion.MAIN));
    IcechunkSession amending = await(repository.session("main"));
    SessionTree.put(amending, "a/c/0", "x");
    assertOff(2, "amend", amending.commit(IcechunkCommit.amendment("better")));
    IcechunkSession late = await(repository.session("main"));
    SessionTree.put(late, "a/c/1", "late");
    await(commit(store -> SessionTree.put(store, "a/c/0", "first")));
    assertOff(6, "rebase", late.commit("late"));
    disable(99);
    await(late.commit("late"));
    assertThat(await(await(repository.refresh()).checkHistory())).isEmpty();
  }

  @Test
  void a_repository_that_went_offline_takes_no_commit() {
    IcechunkSession session = await(repository.session("main"));
    SessionTree.put(session, "a/zarr.json", SessionTree.GROUP);
    StoreKey key = StoreKey.of("repo");
    Bytes online = java.util.Objects.requireNonNull(await(place.get(key)));
    Store offline =
        new WrittenRepository().group("/", SessionTree.GROUP).status(2, "it moves").store();
    await(place.set(key, java.util.Objects.requireNonNull(await(offline.get(key)))));
    assertRefused(session.commit("late"), StoreException.class, "offline since", "it moves");
    assertRefused(
        repository.createTag("t", IcechunkVersion.MAIN), StoreException.class, "it moves");
    await(place.set(key, online));
    await(session.commit("on time"));
  }

  private void assertOff(int feature, String name, Mono<?> change) {
    disable(feature);
    assertRefused(change, StoreException.class, "its feature " + name + " is switched off");
  }
}
