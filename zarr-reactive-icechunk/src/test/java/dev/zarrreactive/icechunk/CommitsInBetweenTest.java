package dev.zarrreactive.icechunk;

import static dev.zarrreactive.icechunk.SessionTree.GROUP;
import static dev.zarrreactive.icechunk.SessionTree.array;
import static dev.zarrreactive.icechunk.SessionTree.erase;
import static dev.zarrreactive.icechunk.SessionTree.get;
import static dev.zarrreactive.icechunk.SessionTree.put;
import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.CommitConflictException;
import dev.zarrreactive.error.CommitConflictException.Conflict;
import dev.zarrreactive.error.CommitConflictException.Kind;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A session whose branch has got another commit goes on from it, or tells what contradicts it. */
class CommitsInBetweenTest {
  private final Store place = MemoryStore.create();
  private final IcechunkRepository repository = await(Icechunk.create(place));

  CommitsInBetweenTest() {
    commit(
        session -> {
          put(session, "g/zarr.json", GROUP);
          put(session, "g/a/zarr.json", array(9));
          put(session, "g/a/c/0", "0");
          put(session, "g/a/c/1", "1");
          put(session, "b/zarr.json", array(9));
        });
  }

  private String commit(Consumer<Store> changes) {
    IcechunkSession session = await(repository.session("main"));
    changes.accept(session);
    return await(session.commit("a change"));
  }

  /** Commits ours after theirs; returns the conflicts, none where both hold. */
  private List<Conflict> conflicts(
      Consumer<Store> theirs, Consumer<Store> ours, IcechunkCommit how) {
    IcechunkSession session = await(repository.session("main"));
    ours.accept(session);
    String other = commit(theirs);
    Throwable error = errorOf(session.commit(how));
    if (error == null) {
      return List.of();
    }
    assertThat(error).isInstanceOf(CommitConflictException.class).hasMessageContaining(other);
    assertThat(session.hasChanges()).isTrue();
    List<Conflict> found = ((CommitConflictException) error).conflicts();
    assertThat(found).allSatisfy(each -> assertThat(each.snapshot()).isEqualTo(other));
    assertThat(history()).doesNotContain("ours");
    return found;
  }

  private List<Conflict> conflicts(Consumer<Store> theirs, Consumer<Store> ours) {
    return conflicts(theirs, ours, IcechunkCommit.of("ours"));
  }

  private void assertConflict(
      Kind kind,
      String path,
      @Nullable List<Long> chunk,
      Consumer<Store> theirs,
      Consumer<Store> ours) {
    assertThat(conflicts(theirs, ours))
        .anySatisfy(
            conflict -> {
              assertThat(conflict.kind()).isEqualTo(kind);
              assertThat(conflict.path()).isEqualTo(path);
              assertThat(conflict.chunk()).isEqualTo(chunk);
            });
  }

  private List<String> history() {
    return await(await(repository.refresh()).history(IcechunkVersion.MAIN)).stream()
        .map(IcechunkSnapshot::message)
        .toList();
  }

  private Store now() {
    return await(await(repository.refresh()).store(IcechunkVersion.MAIN));
  }

  @Test
  void changes_of_other_chunks_and_nodes_go_on_from_the_other_commit() {
    assertThat(
            conflicts(
                theirs -> {
                  put(theirs, "g/a/c/0", "x");
                  put(theirs, "new/zarr.json", GROUP);
                },
                ours -> {
                  put(ours, "g/a/c/1", "y");
                  put(ours, "g/a/c/2", "z");
                  put(ours, "g/more/zarr.json", GROUP);
                }))
        .isEmpty();
    assertThat(history()).startsWith("ours", "a change", "a change");
    assertThat(get(now(), "g/a/c/0") + get(now(), "g/a/c/1") + get(now(), "g/a/c/2"))
        .isEqualTo("xyz");
    assertThat(get(now(), "new/zarr.json")).isEqualTo(GROUP);
    assertThat(get(now(), "g/more/zarr.json")).isEqualTo(GROUP);
    assertThat(await(await(repository.refresh()).checkHistory())).isEmpty();
  }

  @Test
  void several_commits_in_between_are_looked_at() {
    IcechunkSession session = await(repository.session("main"));
    put(session, "g/a/c/3", "3");
    commit(other -> put(other, "g/a/c/4", "4"));
    commit(other -> put(other, "g/a/c/3", "5"));
    commit(other -> put(other, "g/a/c/6", "6"));
    CommitConflictException error = (CommitConflictException) errorOf(session.commit("ours"));
    assertThat(error.conflicts()).hasSize(1);
    assertThat(error)
        .hasMessageContaining("/g/a, chunk (3): both have changed the chunk")
        .hasMessageContaining("withChunkConflicts(OURS)");
  }

  @Test
  void a_chunk_that_both_changed_is_ours_or_theirs_by_choice() {
    Consumer<Store> theirs = store -> put(store, "g/a/c/0", "x");
    Consumer<Store> ours =
        store -> {
          put(store, "g/a/c/0", "y");
          put(store, "g/a/c/5", "5");
        };
    assertConflict(Kind.BOTH_CHANGED_CHUNK, "/g/a", List.of(0L), theirs, ours);
    assertThat(
            conflicts(
                theirs, ours, IcechunkCommit.of("ours").withChunkConflicts(ChunkConflicts.OURS)))
        .isEmpty();
    assertThat(get(now(), "g/a/c/0") + get(now(), "g/a/c/5")).isEqualTo("y5");
    assertThat(
            conflicts(
                store -> put(store, "g/a/c/0", "v"),
                store -> {
                  put(store, "g/a/c/0", "w");
                  put(store, "g/a/c/6", "6");
                },
                IcechunkCommit.of("ours").withChunkConflicts(ChunkConflicts.THEIRS)))
        .isEmpty();
    assertThat(get(now(), "g/a/c/0") + get(now(), "g/a/c/6")).isEqualTo("v6");
    assertThat(await(await(repository.refresh()).checkHistory())).isEmpty();
  }

  @Test
  void a_chunk_that_one_erased_and_the_other_wrote_is_a_conflict() {
    assertConflict(
        Kind.BOTH_CHANGED_CHUNK,
        "/g/a",
        List.of(1L),
        theirs -> erase(theirs, "g/a/c/1"),
        ours -> put(ours, "g/a/c/1", "y"));
  }

  @Test
  void a_node_that_both_made_is_a_conflict() {
    assertConflict(
        Kind.NODE_EXISTS,
        "/n",
        null,
        theirs -> put(theirs, "n/zarr.json", GROUP),
        ours -> put(ours, "n/zarr.json", array(1)));
  }

  @Test
  void a_node_that_was_deleted_and_made_anew_takes_the_place_of_the_old_one() {
    assertThat(
            conflicts(
                theirs -> put(theirs, "g/a/c/0", "x"),
                ours -> {
                  erase(ours, "b/zarr.json");
                  put(ours, "b/zarr.json", GROUP);
                }))
        .isEmpty();
    assertThat(get(now(), "b/zarr.json")).isEqualTo(GROUP);
  }

  @Test
  void a_node_below_a_new_array_of_theirs_is_a_conflict() {
    assertConflict(
        Kind.NODE_BELOW_ARRAY,
        "/n/m",
        null,
        theirs -> put(theirs, "n/zarr.json", array(1)),
        ours -> put(ours, "n/m/zarr.json", GROUP));
  }

  @Test
  void a_node_below_a_group_that_the_other_one_deleted_is_a_conflict() {
    assertConflict(
        Kind.NODE_BELOW_DELETED_GROUP,
        "/g/n",
        null,
        theirs -> await(theirs.erasePrefix(StorePrefix.of("g/"))),
        ours -> put(ours, "g/n/zarr.json", GROUP));
    commit(store -> put(store, "h/zarr.json", GROUP));
    assertConflict(
        Kind.NODE_BELOW_DELETED_GROUP,
        "/h/n",
        null,
        theirs -> put(theirs, "h/n/zarr.json", GROUP),
        ours -> await(ours.erasePrefix(StorePrefix.of("h/"))));
  }

  @Test
  void metadata_that_both_changed_are_a_conflict() {
    assertConflict(
        Kind.BOTH_CHANGED_METADATA,
        "/g/a",
        null,
        theirs -> put(theirs, "g/a/zarr.json", array(10)),
        ours -> put(ours, "g/a/zarr.json", array(11)));
  }

  @Test
  void metadata_and_chunks_of_a_deleted_node_are_a_conflict() {
    assertConflict(
        Kind.METADATA_OF_DELETED_NODE,
        "/g/a",
        null,
        theirs -> erase(theirs, "g/a/zarr.json"),
        ours -> put(ours, "g/a/zarr.json", array(11)));
    assertConflict(
        Kind.CHUNKS_OF_DELETED_ARRAY,
        "/b",
        null,
        theirs -> erase(theirs, "b/zarr.json"),
        ours -> put(ours, "b/c/0", "y"));
  }

  @Test
  void chunks_of_an_array_whose_metadata_they_changed_are_a_conflict() {
    assertConflict(
        Kind.CHUNKS_OF_CHANGED_ARRAY,
        "/g/a",
        null,
        theirs -> put(theirs, "g/a/zarr.json", array(10)),
        ours -> put(ours, "g/a/c/3", "y"));
  }

  @Test
  void chunks_that_they_wrote_stay_where_this_one_changes_the_metadata() {
    assertThat(
            conflicts(
                theirs -> put(theirs, "g/a/c/7", "x"),
                ours -> put(ours, "g/a/zarr.json", array(10))))
        .isEmpty();
    assertThat(get(now(), "g/a/c/7")).isEqualTo("x");
    assertThat(get(now(), "g/a/zarr.json")).isEqualTo(array(10));
  }

  @Test
  void a_deleted_node_that_they_changed_is_a_conflict_unless_it_is_deleted_anyway() {
    assertConflict(
        Kind.DELETED_NODE_WAS_CHANGED,
        "/g/a",
        null,
        theirs -> put(theirs, "g/a/c/0", "x"),
        ours -> erase(ours, "g/a/zarr.json"));
    assertThat(
            conflicts(
                theirs -> put(theirs, "g/a/c/0", "y"),
                ours -> erase(ours, "g/a/zarr.json"),
                IcechunkCommit.of("ours").withDeletionOfUpdatedNodes(true)))
        .isEmpty();
    assertThat(get(now(), "g/a/zarr.json")).isEqualTo("nothing");
  }

  @Test
  void a_branch_that_was_reset_is_a_conflict() {
    IcechunkSession session = await(repository.session("main"));
    put(session, "n/zarr.json", GROUP);
    await(repository.resetBranch("main", IcechunkVersion.snapshot("1CECHNKREP0F1RSTCMT0")));
    assertThat(errorOf(session.commit("ours")))
        .isInstanceOf(CommitConflictException.class)
        .hasMessageContaining("the branch was reset");
  }

  @Test
  void a_session_that_failed_can_be_committed_by_another_choice() {
    IcechunkSession session = await(repository.session("main"));
    put(session, "g/a/c/0", "y");
    commit(other -> put(other, "g/a/c/0", "x"));
    assertThat(errorOf(session.commit("ours"))).isInstanceOf(CommitConflictException.class);
    put(session, "g/a/c/8", "8");
    String id =
        await(session.commit(IcechunkCommit.of("ours").withChunkConflicts(ChunkConflicts.OURS)));
    assertThat(history()).startsWith("ours");
    assertThat(get(now(), "g/a/c/0") + get(now(), "g/a/c/8")).isEqualTo("y8");
    assertThat(
            await(repository.refresh().flatMap(each -> each.snapshot(IcechunkVersion.MAIN))).id())
        .isEqualTo(id);
    assertThat(
            errorOf(
                session.set(
                    dev.zarrreactive.base.StoreKey.of("g/a/c/1"),
                    dev.zarrreactive.base.Bytes.utf8("z"))))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("committed");
  }

  @Test
  void a_session_without_changes_has_nothing_to_commit() {
    IcechunkSession session = await(repository.session("main"));
    put(session, "b/c/0", "x");
    erase(session, "b/c/0");
    put(session, "g/zarr.json", GROUP);
    assertThat(session.hasChanges()).isFalse();
    assertThat(errorOf(session.commit("ours"))).hasMessageContaining("nothing to commit");
  }
}
