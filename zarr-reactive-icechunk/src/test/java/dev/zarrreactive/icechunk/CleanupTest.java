package dev.zarrreactive.icechunk;

import static dev.zarrreactive.icechunk.DatedStore.BOUND;
import static dev.zarrreactive.icechunk.DatedStore.YOUNG;
import static dev.zarrreactive.icechunk.SessionTree.GROUP;
import static dev.zarrreactive.icechunk.SessionTree.array;
import static dev.zarrreactive.icechunk.SessionTree.get;
import static dev.zarrreactive.icechunk.SessionTree.put;
import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** Snapshots expire, and objects that no snapshot needs are erased: all of them, and no other. */
class CleanupTest {
  private static final IcechunkCleanup COLLECT = IcechunkCleanup.nothing().withCollection(BOUND);

  private final DatedStore place = new DatedStore();
  private final List<String> ids = new ArrayList<>();

  /** Five commits, each of which replaces a chunk, after the first snapshot. */
  CleanupTest() {
    TestRepositories.create(place, "inline_chunk_threshold_bytes", 4);
    for (int i = 0; i < 5; i++) {
      int number = i;
      ids.add(
          commit(
              "main",
              session -> {
                if (number == 0) {
                  put(session, "g/zarr.json", GROUP);
                  put(session, "g/a/zarr.json", array(9));
                  put(session, "g/a/c/0", "the same in all");
                }
                put(session, "g/a/c/1", "of commit " + number);
              }));
    }
  }

  private IcechunkRepository now() {
    return await(Icechunk.open(place));
  }

  private String commit(String branch, Consumer<Store> changes) {
    IcechunkSession session = await(now().session(branch));
    changes.accept(session);
    return await(session.commit("a change"));
  }

  private Instant time(String snapshot) {
    return await(now().snapshot(IcechunkVersion.snapshot(snapshot))).time();
  }

  private IcechunkCleanup expire(int first) {
    return IcechunkCleanup.nothing().withExpiration(time(ids.get(first)));
  }

  private List<String> history(IcechunkVersion version) {
    return await(now().history(version)).stream().map(IcechunkSnapshot::id).toList();
  }

  private IcechunkCleaned clean(IcechunkCleanup wanted) {
    return await(now().clean(wanted));
  }

  private void assertSound() {
    assertThat(await(now().checkHistory())).isEmpty();
    NeededObjects.assertAllThere(place, now());
  }

  private List<String> listing(String prefix) {
    return place.content().keySet().stream().filter(key -> key.startsWith(prefix)).toList();
  }

  @Test
  void old_snapshots_leave_the_history() {
    IcechunkCleaned cleaned = clean(expire(3));
    assertThat(cleaned.snapshots()).containsExactlyInAnyOrderElementsOf(ids.subList(0, 3));
    assertThat(cleaned.objects()).isEmpty();
    assertThat(history(IcechunkVersion.MAIN))
        .containsExactly(ids.get(4), ids.get(3), "1CECHNKREP0F1RSTCMT0");
    assertSound();
    assertThat(clean(expire(3)).snapshots()).isEmpty();
  }

  @Test
  void the_last_snapshot_of_main_never_expires() {
    IcechunkCleanup all =
        IcechunkCleanup.nothing()
            .withExpiration(Instant.MAX)
            .withExpiredBranches(true)
            .withExpiredTags(true);
    assertThat(clean(all).branches()).isEmpty();
    assertThat(history(IcechunkVersion.MAIN)).containsExactly(ids.get(4), "1CECHNKREP0F1RSTCMT0");
    assertThat(clean(IcechunkCleanup.nothing().withExpiration(Instant.MIN)).snapshots()).isEmpty();
    assertSound();
  }

  @Test
  void branches_and_tags_keep_their_snapshots_or_are_deleted_with_them() {
    IcechunkVersion second = IcechunkVersion.snapshot(ids.get(1));
    await(now().createTag("kept", second).then(Mono.defer(() -> now().createBranch("b", second))));
    IcechunkCleaned kept = clean(expire(3));
    assertThat(kept.snapshots()).containsExactlyInAnyOrder(ids.get(0), ids.get(2));
    assertThat(history(IcechunkVersion.tag("kept")))
        .containsExactly(ids.get(1), "1CECHNKREP0F1RSTCMT0");
    IcechunkCleaned gone = clean(expire(3).withExpiredBranches(true).withExpiredTags(true));
    assertThat(gone.snapshots()).containsExactly(ids.get(1));
    assertThat(gone.branches()).containsExactly("b");
    assertThat(gone.tags()).containsExactly("kept");
    assertThat(errorOf(now().createTag("kept", IcechunkVersion.MAIN)))
        .hasMessageContaining("never used again");
    assertSound();
  }

  @Test
  void a_dry_run_tells_what_a_run_does_and_changes_nothing() {
    TreeMap<String, Integer> before = place.content();
    IcechunkCleanup both = expire(3).withCollection(BOUND);
    IcechunkCleaned told = clean(both.withDryRun(true));
    assertThat(place.content()).isEqualTo(before);
    IcechunkCleaned done = clean(both);
    assertThat(done.snapshots()).isEqualTo(told.snapshots());
    assertThat(done.objects().get("chunks")).isEqualTo(new IcechunkCleaned.Erased(3, 33));
    assertThat(done.objects().get("snapshots").count()).isEqualTo(3);
    assertThat(done.objects().get("manifests").count()).isEqualTo(3);
    // the copy that the expiration itself has made is needed by the log
    assertThat(done.objects()).isEqualTo(told.objects());
    assertThat(done.all().count()).isEqualTo(before.size() + 1 - place.content().size());
    assertSound();
  }

  @Test
  void logs_of_expired_snapshots_stay_for_those_who_rebase() {
    IcechunkSession late = await(now().session("main"));
    put(late, "g/a/c/7", "7");
    clean(expire(3).withCollection(BOUND));
    for (String id : ids) {
      assertThat(place.content()).containsKey("transactions/" + id);
    }
    await(late.commit("late"));
    assertSound();
  }

  @Test
  void what_a_reset_leaves_behind_is_collected_when_it_is_old() {
    await(now().resetBranch("main", IcechunkVersion.snapshot(ids.get(1))));
    place.now = YOUNG;
    String young = commit("main", session -> put(session, "g/a/c/5", "an object of now"));
    await(now().resetBranch("main", IcechunkVersion.snapshot(ids.get(1))));
    IcechunkCleaned cleaned = clean(COLLECT);
    assertThat(cleaned.snapshots()).isEmpty();
    assertThat(cleaned.objects().get("snapshots").count()).isEqualTo(3);
    assertThat(cleaned.objects().get("transactions").count()).isEqualTo(3);
    assertThat(get(await(now().store(IcechunkVersion.snapshot(young))), "g/a/c/5"))
        .isEqualTo("an object of now");
    assertThat(errorOf(now().createTag("t", IcechunkVersion.snapshot(ids.get(4))))).isNotNull();
    assertSound();
    assertThat(clean(COLLECT).all().count()).isZero();
    IcechunkCleaned later = clean(IcechunkCleanup.nothing().withCollection(YOUNG.plusSeconds(1)));
    assertThat(later.objects().get("snapshots").count()).isEqualTo(1);
    assertThat(later.objects().get("chunks").count()).isEqualTo(1);
  }

  @Test
  void a_young_snapshot_over_collected_ones_comes_from_the_last_that_stays() {
    place.now = YOUNG;
    String young = commit("main", session -> put(session, "g/a/c/5", "an object of now"));
    await(now().createBranch("other", IcechunkVersion.snapshot(ids.get(1))));
    await(now().resetBranch("main", IcechunkVersion.snapshot(ids.get(1))));
    assertThat(clean(COLLECT).objects().get("snapshots").count()).isEqualTo(3);
    assertThat(history(IcechunkVersion.snapshot(young)))
        .containsExactly(young, ids.get(1), ids.get(0), "1CECHNKREP0F1RSTCMT0");
    for (String id : ids) {
      assertThat(place.content()).containsKey("transactions/" + id);
    }
    assertSound();
  }

  @Test
  void chunks_of_a_session_and_of_a_fork_are_committed_after_a_collection() {
    place.now = YOUNG;
    IcechunkSession session = await(now().session("main"));
    put(session, "g/a/c/2", "an object of a session");
    IcechunkSession fork = await(now().openFork(await(session.fork())));
    put(fork, "g/a/c/3", "an object of a fork");
    clean(expire(4).withCollection(BOUND));
    await(session.merge(await(fork.changes())));
    await(session.commit("later"));
    Store main = await(now().store(IcechunkVersion.MAIN));
    assertThat(get(main, "g/a/c/2") + get(main, "g/a/c/3"))
        .isEqualTo("an object of a sessionan object of a fork");
    assertSound();
  }

  @Test
  void objects_of_a_dropped_session_are_collected() {
    IcechunkSession session = await(now().session("main"));
    put(session, "g/a/c/2", "an object of a session");
    await(session.discard());
    assertThat(clean(COLLECT).objects().get("chunks")).isEqualTo(new IcechunkCleaned.Erased(1, 22));
    assertSound();
  }

  @Test
  void other_files_in_the_place_stay() {
    List<String> others =
        List.of("chunks/notes.txt", "snapshots/old/1", "overwritten/mine", "README", "refs/x");
    others.forEach(key -> put(place, key, "x"));
    put(place, "attributes/000G40R40M30E209185G", "x");
    put(place, "overwritten/repo.00000000000000.LOST", "of a lost race");
    assertThat(clean(COLLECT).objects().get("attributes").count()).isEqualTo(1);
    assertThat(place.content()).containsKeys(others.toArray(String[]::new));
    assertThat(place.content()).doesNotContainKey("overwritten/repo.00000000000000.LOST");
    assertSound();
  }

  @Test
  void a_bound_of_the_last_day_is_refused_unless_it_is_wanted() {
    Instant hour = Instant.now().minus(Duration.ofHours(1));
    IcechunkCleanup young = IcechunkCleanup.nothing().withCollection(hour);
    IcechunkRepository repository = now();
    assertThatThrownBy(() -> repository.clean(young))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a session of the last day may still commit")
        .hasMessageContaining("withYoungObjects(true)");
    place.now = hour.minusSeconds(1);
    IcechunkSession dropped = await(now().session("main"));
    put(dropped, "g/a/c/2", "an object of a session");
    assertThat(clean(young.withYoungObjects(true)).objects().get("chunks").count()).isEqualTo(1);
    assertSound();
  }

  @Test
  void where_a_file_that_is_needed_is_missing_nothing_is_erased() {
    await(now().resetBranch("main", IcechunkVersion.snapshot(ids.get(3))));
    List<String> needed = new ArrayList<>(listing("manifests/"));
    ids.subList(0, 4).forEach(id -> needed.add("snapshots/" + id));
    int refused = 0;
    for (String key : needed) {
      Bytes bytes = await(place.get(StoreKey.of(key)));
      await(place.erase(StoreKey.of(key)));
      TreeMap<String, Integer> before = place.content();
      Throwable error = errorOf(now().clean(COLLECT.withDryRun(true)));
      if (error != null) {
        refused++;
        assertThat(error).isInstanceOf(StoreException.class).hasMessageContaining(key);
        assertThat(errorOf(now().clean(COLLECT))).hasMessageContaining(key);
        assertThat(place.content()).isEqualTo(before);
      }
      await(place.set(StoreKey.of(key), bytes));
    }
    assertThat(refused).isEqualTo(8); // all but the manifest of the commit that was given up
  }

  @Test
  void a_store_without_times_is_refused() {
    place.now = null;
    await(now().resetBranch("main", IcechunkVersion.snapshot(ids.get(3))));
    TreeMap<String, Integer> before = place.content();
    assertThat(errorOf(now().clean(COLLECT)))
        .isInstanceOf(StoreCapabilityException.class)
        .hasMessageContaining("does not tell when its values were written");
    assertThat(place.content()).isEqualTo(before);
  }

  @Test
  void a_store_that_cannot_erase_is_refused_and_looked_at() {
    IcechunkSession dropped = await(now().session("main"));
    put(dropped, "g/a/c/2", "an object of a session");
    Store readOnly = dev.zarrreactive.store.decorator.Stores.readOnly(place);
    IcechunkRepository repository = await(Icechunk.open(readOnly));
    assertThat(errorOf(repository.clean(COLLECT))).isInstanceOf(StoreCapabilityException.class);
    assertThat(await(repository.clean(COLLECT.withDryRun(true))).all().count()).isEqualTo(1);
    assertThat(readOnly.capabilities()).doesNotContain(StoreCapability.ERASE);
  }

  @Test
  void chunks_that_do_not_fit_into_memory_are_looked_at_in_parts() {
    commit(
        "main",
        session ->
            IntStream.range(0, 9).forEach(i -> put(session, "g/a/c/" + i, "an object " + i)));
    for (int i = 0; i < 20; i++) {
      IcechunkSession dropped = await(now().session("main"));
      put(dropped, "g/a/c/2", "dropped " + i);
    }
    RepositoryFiles files = new RepositoryFiles(place, IcechunkOptions.defaults());
    Map<String, IcechunkCleaned.Erased> told =
        await(
            new RepoUpdates(files, await(Sessions.ids()))
                .read()
                .flatMap(read -> new Garbage(files, BOUND, 3).look(read.state())));
    assertThat(told).isEqualTo(clean(COLLECT).objects());
    assertThat(told.get("chunks").count()).isEqualTo(20);
    assertSound();
  }

  @Test
  void nothing_is_asked_before_somebody_subscribes() {
    AtomicInteger steps = new AtomicInteger();
    place.step = () -> Mono.fromRunnable(steps::incrementAndGet);
    Mono<IcechunkCleaned> cleaned = now().clean(COLLECT);
    assertThat(steps).hasValue(0);
    StepVerifier.create(cleaned).expectNextCount(1).verifyComplete();
    assertThat(steps.get()).isPositive();
  }

  // ---- what others do meanwhile

  private record Meanwhile(String name, Runnable action) {}

  private List<Meanwhile> meanwhile() {
    IcechunkVersion dropped = IcechunkVersion.snapshot(ids.get(3));
    return List.of(
        new Meanwhile(
            "a commit", () -> commit("main", session -> put(session, "g/a/c/6", "of meanwhile"))),
        new Meanwhile(
            "an amendment",
            () -> {
              IcechunkSession session = await(now().session("main"));
              put(session, "g/a/c/6", "of meanwhile");
              await(session.commit(IcechunkCommit.amendment("amended")));
            }),
        new Meanwhile("a tag of garbage", () -> await(now().createTag("saved", dropped))),
        new Meanwhile("a branch to garbage", () -> await(now().resetBranch("main", dropped))),
        new Meanwhile(
            "a commit on garbage",
            () -> {
              await(now().createBranch("saved", dropped));
              commit("saved", session -> put(session, "g/a/c/6", "of meanwhile"));
            }));
  }

  /** Whatever others do between two steps of a collection, all that they have done is there. */
  @TestFactory
  Stream<DynamicTest> what_others_do_meanwhile_stays() {
    return IntStream.range(0, 5)
        .boxed()
        .flatMap(
            which ->
                IntStream.range(0, 12)
                    .mapToObj(
                        at ->
                            DynamicTest.dynamicTest(
                                new CleanupTest().meanwhile().get(which).name() + " at step " + at,
                                () -> new CleanupTest().cleanWhile(which, at))));
  }

  private void cleanWhile(int which, int at) {
    await(now().resetBranch("main", IcechunkVersion.snapshot(ids.get(1))));
    List<Throwable> errors = new ArrayList<>();
    AtomicInteger steps = new AtomicInteger();
    place.step =
        () ->
            steps.getAndIncrement() == at
                ? Mono.<Void>fromRunnable(
                        () -> {
                          place.step = Mono::empty;
                          place.now = YOUNG;
                          try {
                            meanwhile().get(which).action().run();
                          } catch (RuntimeException | AssertionError e) {
                            errors.add(e);
                          }
                        })
                    .subscribeOn(reactor.core.scheduler.Schedulers.boundedElastic())
                : Mono.empty();
    clean(COLLECT);
    place.step = Mono::empty;
    assertSound();
    for (Throwable error : errors) {
      // too late: what was wanted is no longer in the history
      assertThat(error).hasStackTraceContaining("has no snapshot " + ids.get(3));
    }
    if (errors.isEmpty() && steps.get() > at) {
      Set<String> names = new TreeSet<>();
      await(now().branches()).forEach(ref -> names.add(ref.name() + ref.snapshot()));
      await(now().tags()).forEach(ref -> names.add(ref.name() + ref.snapshot()));
      assertThat(names).isNotEqualTo(Set.of("main" + ids.get(1)));
    }
    clean(COLLECT);
    assertSound();
  }

  /** A collection that is cut off at any step leaves a sound repository, and the next one ends. */
  @Test
  void a_collection_that_is_cut_off_anywhere_is_taken_up_by_the_next_one() {
    TreeMap<String, Integer> expected = null;
    for (int at = 0; ; at++) {
      CleanupTest each = new CleanupTest();
      boolean isWhole = each.cutOffAt(at);
      each.clean(COLLECT);
      each.assertSound();
      TreeMap<String, Integer> kinds = new TreeMap<>();
      each.place
          .content()
          .keySet()
          .forEach(key -> kinds.merge(key.replaceAll("/.*", ""), 1, Integer::sum));
      kinds.remove("overwritten"); // an attempt more has a copy more
      assertThat(kinds).isEqualTo(expected == null ? kinds : expected);
      expected = kinds;
      if (isWhole) {
        assertThat(at).isGreaterThan(15);
        return;
      }
    }
  }

  private boolean cutOffAt(int at) {
    await(now().resetBranch("main", IcechunkVersion.snapshot(ids.get(1))));
    AtomicInteger steps = new AtomicInteger();
    place.step =
        () ->
            steps.getAndIncrement() >= at
                ? Mono.error(new StoreException("the power is gone", Location.UNKNOWN))
                : Mono.empty();
    Throwable error = errorOf(now().clean(COLLECT));
    place.step = Mono::empty;
    assertSound();
    return error == null;
  }
}
