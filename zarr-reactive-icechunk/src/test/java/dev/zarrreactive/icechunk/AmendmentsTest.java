package dev.zarrreactive.icechunk;

import static dev.zarrreactive.icechunk.SessionTree.GROUP;
import static dev.zarrreactive.icechunk.SessionTree.array;
import static dev.zarrreactive.icechunk.SessionTree.erase;
import static dev.zarrreactive.icechunk.SessionTree.get;
import static dev.zarrreactive.icechunk.SessionTree.put;
import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.error.CommitConflictException;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A commit takes the place of the one before, and tells the changes of both. */
class AmendmentsTest {
  private final IcechunkRepository repository = await(Icechunk.create(MemoryStore.create()));

  private String commit(IcechunkCommit how, Consumer<Store> changes) {
    IcechunkSession session = await(repository.session("main"));
    changes.accept(session);
    return await(session.commit(how));
  }

  private IcechunkRepository now() {
    return await(repository.refresh());
  }

  private List<String> history() {
    return await(now().history(IcechunkVersion.MAIN)).stream()
        .map(IcechunkSnapshot::message)
        .toList();
  }

  @Test
  void an_amendment_has_the_changes_of_both_commits() {
    commit(
        IcechunkCommit.of("begin"),
        store -> {
          put(store, "old/zarr.json", array(9));
          put(store, "gone/zarr.json", GROUP);
        });
    String amended =
        commit(
            IcechunkCommit.of("first"),
            store -> {
              put(store, "a/zarr.json", array(9));
              put(store, "a/c/0", "0");
              put(store, "b/zarr.json", array(9));
              put(store, "b/c/0", "0");
              put(store, "old/c/1", "1");
            });
    commit(
        IcechunkCommit.amendment("second"),
        store -> {
          put(store, "a/c/2", "2");
          put(store, "a/zarr.json", array(10));
          erase(store, "b/zarr.json");
          erase(store, "gone/zarr.json");
          put(store, "old/c/3", "3");
        });
    assertThat(history()).containsExactly("second", "begin", "Repository initialized");
    IcechunkChanges changes = await(now().changes(IcechunkVersion.MAIN));
    assertThat(changes)
        .isEqualTo(
            new IcechunkChanges(
                List.of("/a"),
                List.of("/gone"),
                List.of(),
                new TreeMap<>(Map.of("/a", 2L, "/old", 2L)),
                new TreeMap<>()));
    Store store = await(now().store(IcechunkVersion.MAIN));
    assertThat(get(store, "a/c/0") + get(store, "a/c/2") + get(store, "old/c/1")).isEqualTo("021");
    assertThat(get(await(now().store(IcechunkVersion.snapshot(amended))), "b/c/0")).isEqualTo("0");
    assertThat(await(now().checkHistory())).isEmpty();
  }

  @Test
  void an_amendment_without_changes_has_another_message() {
    commit(IcechunkCommit.of("frist"), store -> put(store, "a/zarr.json", array(9)));
    commit(IcechunkCommit.amendment("first"), store -> {});
    assertThat(history()).containsExactly("first", "Repository initialized");
    assertThat(await(now().changes(IcechunkVersion.MAIN)).created()).containsExactly("/a");
  }

  @Test
  void only_the_last_commit_of_a_branch_is_amended() {
    IcechunkSession early = await(repository.session("main"));
    put(early, "b/zarr.json", array(9));
    assertThat(errorOf(early.commit(IcechunkCommit.amendment("x"))))
        .hasMessageContaining("the first snapshot");
    commit(IcechunkCommit.of("first"), store -> put(store, "a/zarr.json", array(9)));
    assertThat(errorOf(early.commit(IcechunkCommit.amendment("x"))))
        .isInstanceOf(CommitConflictException.class)
        .hasMessageContaining("no longer the last one");
    assertThat(history()).containsExactly("first", "Repository initialized");
  }
}
