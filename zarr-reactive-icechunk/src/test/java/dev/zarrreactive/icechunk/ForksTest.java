package dev.zarrreactive.icechunk;

import static dev.zarrreactive.icechunk.SessionTree.GROUP;
import static dev.zarrreactive.icechunk.SessionTree.array;
import static dev.zarrreactive.icechunk.SessionTree.erase;
import static dev.zarrreactive.icechunk.SessionTree.get;
import static dev.zarrreactive.icechunk.SessionTree.put;
import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.CommitConflictException;
import dev.zarrreactive.error.CommitConflictException.Conflict;
import dev.zarrreactive.error.CommitConflictException.Kind;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** Forks of a session write elsewhere, and what they have changed comes back into it. */
class ForksTest {
  private final Refusing place = new Refusing();
  private final IcechunkRepository repository =
      TestRepositories.create(place, "inline_chunk_threshold_bytes", 4);
  private final IcechunkSession session;

  /** Refuses to replace the info of the repository where it is told to. */
  private static final class Refusing extends DelegatingStore {
    volatile boolean refusesInfo;

    Refusing() {
      super(MemoryStore.create());
    }

    @Override
    public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
      return refusesInfo && key.value().equals("repo")
          ? Mono.error(new AccessDeniedException("403", Location.ofKey(key.value())))
          : super.set(key, value, precondition);
    }
  }

  ForksTest() {
    IcechunkSession first = await(repository.session("main"));
    put(first, "g/zarr.json", GROUP);
    put(first, "g/a/zarr.json", array(9));
    put(first, "g/a/c/0", "0");
    put(first, "g/a/c/1", "an object of one");
    put(first, "b/zarr.json", array(9));
    put(first, "b/c/0", "b");
    await(first.commit("before"));
    session = await(repository.session("main"));
  }

  /** A fork as another machine opens it: of another repository object. */
  private IcechunkSession open(Bytes fork) {
    return await(await(Icechunk.open(place)).openFork(fork));
  }

  private IcechunkSession fork() {
    return open(await(session.fork()));
  }

  private void merge(IcechunkSession fork) {
    await(session.merge(await(fork.changes())));
  }

  private List<Conflict> conflicts(IcechunkSession fork) {
    List<String> before = listing(session);
    Throwable error = errorOf(session.merge(await(fork.changes())));
    if (error == null) {
      return List.of();
    }
    assertThat(error)
        .isInstanceOf(CommitConflictException.class)
        .hasMessageContaining("the changes of a fork contradict other changes of its session");
    assertThat(listing(session)).isEqualTo(before);
    return ((CommitConflictException) error).conflicts();
  }

  private static List<String> listing(Store store) {
    return await(store.list()).stream()
        .map(key -> key + "=" + get(store, key.value()))
        .sorted()
        .toList();
  }

  private void assertConflict(
      Kind kind,
      String path,
      @Nullable List<Long> chunk,
      Consumer<Store> ofSession,
      Consumer<Store> ofFork) {
    IcechunkSession fork = fork();
    ofSession.accept(session);
    ofFork.accept(fork);
    assertThat(conflicts(fork))
        .anySatisfy(
            conflict -> {
              assertThat(conflict.kind()).isEqualTo(kind);
              assertThat(conflict.path()).isEqualTo(path);
              assertThat(conflict.chunk()).isEqualTo(chunk);
            });
  }

  @Test
  void chunks_of_three_forks_become_one_commit() {
    put(session, "new/zarr.json", array(9));
    put(session, "new/c/8", "of the session");
    Bytes bytes = await(session.fork());
    for (int i = 0; i < 3; i++) {
      IcechunkSession fork = open(bytes);
      assertThat(get(fork, "new/c/8")).isEqualTo("of the session");
      put(fork, "new/c/" + i, "chunk " + i);
      put(fork, "g/a/c/" + (3 + i), "" + i);
      merge(fork);
    }
    assertThat(get(session, "new/c/2")).isEqualTo("chunk 2");
    await(session.commit("of forks"));
    IcechunkRepository now = await(repository.refresh());
    Store main = await(now.store(IcechunkVersion.MAIN));
    assertThat(await(main.listPrefix(StorePrefix.of("new/c/"))))
        .map(key -> key + "=" + get(main, key.value()))
        .containsExactlyInAnyOrder(
            "new/c/0=chunk 0", "new/c/1=chunk 1", "new/c/2=chunk 2", "new/c/8=of the session");
    assertThat(get(main, "g/a/c/3") + get(main, "g/a/c/4") + get(main, "g/a/c/5")).isEqualTo("012");
    assertThat(get(main, "g/a/c/0")).isEqualTo("0");
    assertThat(await(now.checkHistory())).isEmpty();
    assertThat(await(now.history(IcechunkVersion.MAIN))).hasSize(3);
  }

  @Test
  void a_fork_shows_what_its_session_showed_and_nothing_later() {
    put(session, "g/a/c/2", "an object of two");
    put(session, "g/a/c/3", "3");
    erase(session, "g/a/c/0");
    erase(session, "b/zarr.json");
    List<String> shown = listing(session);
    IcechunkSession fork = fork();
    put(session, "g/a/c/4", "later");
    assertThat(listing(fork)).isEqualTo(shown);
    assertThat(fork.branch()).isEqualTo("main");
    assertThat(fork.snapshot()).isEqualTo(session.snapshot());
    assertThat(fork.isFork()).isTrue();
    assertThat(session.isFork()).isFalse();
    assertThat(fork).asString().startsWith("a fork of IcechunkSession[branch main");
    assertThat(IcechunkSession.of(fork)).containsSame(fork);
  }

  @Test
  void a_fork_without_changes_changes_nothing() {
    put(session, "g/a/c/2", "an object of two");
    List<String> shown = listing(session);
    merge(fork());
    assertThat(listing(session)).isEqualTo(shown);
  }

  @Test
  void everything_that_a_fork_can_do_comes_back() {
    put(session, "g/a/c/2", "an object of two");
    put(session, "g/a/c/3", "3");
    put(session, "gone/zarr.json", array(3));
    put(session, "again/zarr.json", array(3));
    put(session, "again/c/0", "x");
    IcechunkSession fork = fork();
    erase(fork, "g/a/c/0");
    put(fork, "g/a/c/1", "other bytes of one");
    erase(fork, "g/a/c/2");
    put(fork, "g/a/c/3", "33");
    erase(fork, "b/zarr.json");
    erase(fork, "gone/zarr.json");
    erase(fork, "again/zarr.json");
    put(fork, "again/zarr.json", array(4));
    put(fork, "again/c/1", "y");
    put(fork, "g/zarr.json", GROUP.replace("}", ",\"attributes\":{\"a\":1}}"));
    put(fork, "made/zarr.json", GROUP);
    put(fork, "made/here/c/0", "before its document");
    put(fork, "made/here/zarr.json", array(1));
    List<String> shown = listing(fork);
    merge(fork);
    assertThat(listing(session)).isEqualTo(shown);
    await(session.commit("all"));
    IcechunkRepository now = await(repository.refresh());
    assertThat(listing(await(now.store(IcechunkVersion.MAIN)))).isEqualTo(shown);
    assertThat(await(now.checkHistory())).isEmpty();
  }

  @Test
  void chunks_that_a_smaller_shape_cut_off_in_a_fork_do_not_come_back() {
    IcechunkSession fork = fork();
    put(fork, "g/a/zarr.json", array(1));
    put(fork, "g/a/zarr.json", array(8));
    merge(fork);
    assertThat(get(session, "g/a/c/0") + get(session, "g/a/c/1")).isEqualTo("0nothing");
    await(session.commit("cut"));
    Store main = await(await(repository.refresh()).store(IcechunkVersion.MAIN));
    assertThat(get(main, "g/a/c/0") + get(main, "g/a/c/1")).isEqualTo("0nothing");
  }

  @Test
  void a_chunk_that_two_forks_wrote_is_told_with_its_path() {
    IcechunkSession one = fork();
    IcechunkSession two = fork();
    put(one, "g/a/c/2", "one");
    put(one, "g/a/c/3", "one");
    put(two, "g/a/c/3", "one");
    put(two, "g/a/c/4", "two");
    merge(one);
    Throwable error = errorOf(session.merge(await(two.changes())));
    assertThat(error)
        .isInstanceOf(CommitConflictException.class)
        .hasMessageContaining("/g/a, chunk (3): both have changed the chunk")
        .hasMessageContaining("None of them was merged");
    assertThat(((CommitConflictException) error).conflicts()).hasSize(1);
    assertThat(get(session, "g/a/c/4")).isEqualTo("nothing");
  }

  @Test
  void changes_that_are_merged_twice_contradict_themselves() {
    IcechunkSession fork = fork();
    put(fork, "g/a/c/2", "an object");
    put(fork, "g/a/c/3", "3");
    merge(fork);
    assertThat(conflicts(fork))
        .extracting(Conflict::chunk)
        .containsExactly(List.of(2L), List.of(3L));
  }

  @Test
  void a_chunk_that_the_session_changed_later_is_a_conflict() {
    Consumer<Store> fork = store -> put(store, "g/a/c/1", "of the fork");
    assertConflict(
        Kind.BOTH_CHANGED_CHUNK,
        "/g/a",
        List.of(1L),
        ours -> put(ours, "g/a/c/1", "of the session"),
        fork);
    assertConflict(
        Kind.BOTH_CHANGED_CHUNK, "/g/a", List.of(1L), ours -> erase(ours, "g/a/c/1"), fork);
  }

  @Test
  void a_chunk_that_the_session_changed_before_is_none() {
    put(session, "g/a/c/1", "of the session");
    put(session, "g/a/c/2", "2");
    erase(session, "g/a/c/0");
    IcechunkSession fork = fork();
    put(fork, "g/a/c/0", "of the fork, 0");
    put(fork, "g/a/c/1", "of the fork, 1");
    put(fork, "g/a/c/2", "of the fork, 2");
    assertThat(conflicts(fork)).isEmpty();
    assertThat(get(session, "g/a/c/2")).isEqualTo("of the fork, 2");
  }

  @Test
  void contradictions_of_nodes_are_told() {
    assertConflict(
        Kind.BOTH_CHANGED_METADATA,
        "/g/a",
        null,
        ours -> put(ours, "g/a/zarr.json", array(10)),
        theirs -> put(theirs, "g/a/zarr.json", array(11)));
    assertConflict(
        Kind.CHUNKS_OF_CHANGED_ARRAY,
        "/g/a",
        null,
        ours -> put(ours, "g/a/zarr.json", array(12)),
        theirs -> put(theirs, "g/a/c/3", "3"));
    assertConflict(
        Kind.CHUNKS_OF_CHANGED_ARRAY,
        "/g/a",
        null,
        ours -> put(ours, "g/a/c/4", "4"),
        theirs -> put(theirs, "g/a/zarr.json", array(13)));
    assertConflict(
        Kind.DELETED_NODE_WAS_CHANGED,
        "/b",
        null,
        ours -> put(ours, "b/c/4", "4"),
        theirs -> erase(theirs, "b/zarr.json"));
    assertConflict(
        Kind.CHUNKS_OF_DELETED_ARRAY,
        "/b",
        null,
        ours -> erase(ours, "b/zarr.json"),
        theirs -> put(theirs, "b/c/3", "3"));
  }

  @Test
  void contradictions_about_new_and_deleted_nodes_are_told() {
    assertConflict(
        Kind.METADATA_OF_DELETED_NODE,
        "/b",
        null,
        ours -> erase(ours, "b/zarr.json"),
        theirs -> put(theirs, "b/zarr.json", array(3)));
    assertConflict(
        Kind.NODE_EXISTS,
        "/b",
        null,
        ours -> put(ours, "b/zarr.json", array(3)),
        theirs -> put(theirs, "b/zarr.json", array(4)));
    assertConflict(
        Kind.NODE_BELOW_ARRAY,
        "/x/y",
        null,
        ours -> put(ours, "x/zarr.json", array(3)),
        theirs -> put(theirs, "x/y/zarr.json", array(4)));
    assertConflict(
        Kind.NODE_BELOW_ARRAY,
        "/z/y",
        null,
        ours -> put(ours, "z/y/zarr.json", array(3)),
        theirs -> put(theirs, "z/zarr.json", array(4)));
    assertConflict(
        Kind.NODE_BELOW_DELETED_GROUP,
        "/g/new",
        null,
        ours -> put(ours, "g/new/zarr.json", array(3)),
        theirs -> await(theirs.erasePrefix(StorePrefix.of("g/"))));
    assertConflict(
        Kind.NODE_BELOW_DELETED_GROUP,
        "/g/newer",
        null,
        ours -> await(ours.erasePrefix(StorePrefix.of("g/"))),
        theirs -> put(theirs, "g/newer/zarr.json", array(4)));
  }

  @Test
  void the_same_new_node_of_two_forks_is_one() {
    IcechunkSession one = fork();
    IcechunkSession two = fork();
    for (IcechunkSession fork : List.of(one, two)) {
      put(fork, "new/zarr.json", array(9));
      put(fork, "b/zarr.json", array(10));
    }
    put(one, "new/c/1", "one");
    put(two, "new/c/2", "two");
    put(two, "early/c/2", "two");
    put(one, "early/c/1", "one");
    merge(one);
    merge(two);
    put(session, "early/zarr.json", array(3));
    assertThat(get(session, "new/c/1") + get(session, "new/c/2")).isEqualTo("onetwo");
    assertThat(get(session, "early/c/1") + get(session, "early/c/2")).isEqualTo("onetwo");
    await(session.commit("one array"));
    assertThat(await(await(repository.refresh()).checkHistory())).isEmpty();
  }

  @Test
  void a_node_that_both_have_deleted_is_gone() {
    IcechunkSession fork = fork();
    erase(fork, "b/zarr.json");
    erase(session, "b/zarr.json");
    assertThat(conflicts(fork)).isEmpty();
    assertThat(get(session, "b/zarr.json")).isEqualTo("nothing");
  }

  @Test
  void a_fork_is_forked_and_merged_itself() {
    IcechunkSession fork = fork();
    put(fork, "g/a/c/2", "2");
    IcechunkSession inner = open(await(fork.fork()));
    put(inner, "g/a/c/3", "3");
    await(fork.merge(await(inner.changes())));
    assertThat(errorOf(session.merge(await(inner.changes()))))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("a fork of another session");
    merge(fork);
    assertThat(get(session, "g/a/c/2") + get(session, "g/a/c/3")).isEqualTo("23");
  }

  @Test
  void a_fork_neither_commits_nor_is_committed() {
    IcechunkSession fork = fork();
    put(fork, "g/a/c/2", "2");
    assertThat(errorOf(fork.commit("no")))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("a fork is not committed");
    assertThat(errorOf(session.changes()))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("this session is no fork");
    await(fork.discard());
    assertThat(errorOf(fork.changes())).hasMessageContaining("it is discarded");
    put(session, "b/c/1", "1");
    await(session.commit("done"));
    assertThat(errorOf(session.fork())).hasMessageContaining("it is committed");
    assertThat(errorOf(session.merge(await(open(forkOfAnother()).changes()))))
        .hasMessageContaining("a fork of another session");
  }

  private Bytes forkOfAnother() {
    return await(await(repository.session("main")).fork());
  }

  @Test
  void a_session_that_a_commit_has_put_on_another_snapshot_takes_no_earlier_fork() {
    put(session, "g/a/c/2", "2");
    IcechunkSession fork = fork();
    put(fork, "g/a/c/3", "3");
    IcechunkSession other = await(repository.session("main"));
    put(other, "b/c/3", "3");
    await(other.commit("another one"));
    place.refusesInfo = true;
    assertThat(errorOf(session.commit("refused"))).isInstanceOf(AccessDeniedException.class);
    place.refusesInfo = false;
    assertThat(errorOf(session.merge(await(fork.changes()))))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("make another fork");
  }

  @Test
  void a_store_that_cannot_be_written_takes_no_fork() {
    Bytes fork = await(session.fork());
    Store readOnly = Stores.readOnly(place);
    assertThat(errorOf(await(Icechunk.open(readOnly)).openFork(fork)))
        .isInstanceOf(StoreCapabilityException.class);
  }

  @Test
  void a_fork_of_another_repository_is_refused() {
    Bytes fork = await(session.fork());
    IcechunkRepository other = await(Icechunk.create(MemoryStore.create()));
    assertThat(errorOf(other.openFork(fork)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(session.snapshot());
  }

  @Test
  void the_bytes_say_nothing_of_the_store() {
    put(session, "g/a/c/3", "3");
    IcechunkSession fork = fork();
    put(fork, "g/a/c/4", "an object");
    for (Bytes bytes : List.of(await(session.fork()), await(fork.changes()))) {
      assertThat(new String(bytes.toByteArray(), StandardCharsets.ISO_8859_1))
          .doesNotContain(place.toString())
          .hasSizeLessThan(400);
    }
  }

  @Test
  void signals_come_once_and_a_cancelled_merge_is_whole_or_not_there() {
    IcechunkSession fork = fork();
    put(fork, "g/a/c/4", "4");
    Bytes changes = await(fork.changes());
    StepVerifier.create(session.fork()).expectNextCount(1).verifyComplete();
    StepVerifier.create(session.merge(changes)).verifyComplete();
    IcechunkSession late = fork();
    put(late, "g/a/c/5", "5");
    put(late, "g/a/c/6", "6");
    StepVerifier.create(session.merge(await(late.changes()))).thenCancel().verify();
    assertThat(List.of("56", "nothingnothing"))
        .contains(get(session, "g/a/c/5") + get(session, "g/a/c/6"));
  }

  @Test
  void forks_that_are_merged_at_once_are_all_there() {
    put(session, "many/zarr.json", array(64));
    Bytes fork = await(session.fork());
    List<Bytes> changes = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      IcechunkSession one = open(fork);
      put(one, "many/c/" + i, "chunk " + i);
      changes.add(await(one.changes()));
    }
    await(Flux.fromIterable(changes).flatMap(session::merge, 64));
    for (int i = 0; i < 64; i++) {
      assertThat(get(session, "many/c/" + i)).isEqualTo("chunk " + i);
    }
  }
}
