package dev.zarrreactive.icechunk;

import static dev.zarrreactive.icechunk.SessionTree.array;
import static dev.zarrreactive.icechunk.SessionTree.get;
import static dev.zarrreactive.icechunk.SessionTree.put;
import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.VersionedBytes;
import dev.zarrreactive.store.decorator.RetryOptions;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.memory.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.test.scheduler.VirtualTimeScheduler;

/**
 * Each step of a commit meets each fault: the commit is there whole or not at all, and its writer
 * learns which. The commit is one on top of another one that came first, so that it has all steps.
 */
class CommitFaultsTest {
  private static final String LARGE = "x".repeat(600);

  /** The requests of a commit. */
  private enum Step {
    CHUNK("store a chunk, before the commit", "chunks/", true),
    READ_INFO("read `repo`", "repo", false),
    READ_SNAPSHOT("read the snapshot of the other commit", "snapshots/", false),
    READ_LOG("read its log", "transactions/", false),
    READ_MANIFEST("read a manifest", "manifests/", false),
    MANIFEST("store a manifest", "manifests/", true),
    SNAPSHOT("store the snapshot", "snapshots/", true),
    LOG("store the log", "transactions/", true),
    COPY("copy `repo`", "overwritten/", true),
    INFO("replace `repo`", "repo", true);

    final String words;
    final String key;
    final boolean isWrite;

    Step(String words, String key, boolean isWrite) {
      this.words = words;
      this.key = key;
      this.isWrite = isWrite;
    }

    boolean isOf(StoreKey asked, boolean isWrite) {
      return isWrite == this.isWrite && asked.value().startsWith(key);
    }
  }

  /** When a request has its effect. */
  private enum Effect {
    NEVER,
    BEFORE_THE_ERROR,
    /** With the next write, when its writer has been told of the error. */
    LATE
  }

  /** What happens to a request. */
  private enum Fault {
    REFUSED("403", Effect.NEVER, () -> new AccessDeniedException("403", Location.UNKNOWN)),
    UNAVAILABLE("503", Effect.NEVER, () -> new TransientStoreException("503", Location.UNKNOWN)),
    CUT("cut", Effect.NEVER, () -> new TransientStoreException("cut", Location.UNKNOWN)),
    CONFLICT("409", Effect.NEVER, () -> new PreconditionFailedException("409", Location.UNKNOWN)),
    FAILED("412", Effect.NEVER, () -> new PreconditionFailedException("412", Location.UNKNOWN)),
    RESPONSE_LOST(
        "response lost",
        Effect.BEFORE_THE_ERROR,
        () -> new TransientStoreException("lost", Location.UNKNOWN)),
    SENT_TWICE(
        "response lost, then 412",
        Effect.BEFORE_THE_ERROR,
        () -> new PreconditionFailedException("412", Location.UNKNOWN)),
    LATE("arrives late", Effect.LATE, () -> new TransientStoreException("late", Location.UNKNOWN));

    final String words;
    final Effect effect;
    final Supplier<StoreException> error;

    Fault(String words, Effect effect, Supplier<StoreException> error) {
      this.words = words;
      this.effect = effect;
      this.error = error;
    }

    /** Returns true for what a request of this kind can meet. */
    boolean befalls(Step step) {
      return step.isWrite
          ? step == Step.INFO || !(error.get() instanceof PreconditionFailedException)
          : this == REFUSED || this == UNAVAILABLE || this == CUT;
    }
  }

  /** Lets requests of a step meet a fault. */
  private static final class Faulty extends DelegatingStore {
    volatile @Nullable Step step;
    volatile Fault fault = Fault.REFUSED;
    volatile boolean readsFail;
    volatile boolean readsFailAfterLoss;
    final AtomicInteger left = new AtomicInteger();
    final AtomicReference<Mono<Void>> late = new AtomicReference<>(Mono.empty());

    Faulty(Store delegate) {
      super(delegate);
    }

    private boolean meets(StoreKey key, boolean isWrite) {
      Step at = step;
      return at != null && at.isOf(key, isWrite) && left.getAndDecrement() > 0;
    }

    @Override
    public Mono<Bytes> get(StoreKey key, ByteRange range) {
      return Mono.defer(() -> meets(key, false) ? Mono.error(fault.error) : super.get(key, range));
    }

    @Override
    public Mono<Void> set(StoreKey key, Bytes value) {
      return faulty(key, super.set(key, value));
    }

    @Override
    public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
      return faulty(key, super.set(key, value, precondition));
    }

    @Override
    public Mono<VersionedBytes> getVersioned(
        StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
      return Mono.defer(
          () ->
              readsFail && key.value().equals("repo")
                  ? Mono.error(Fault.UNAVAILABLE.error.get())
                  : meets(key, false)
                      ? Mono.error(fault.error)
                      : super.getVersioned(key, range, condition));
    }

    private Mono<Void> faulty(StoreKey key, Mono<Void> request) {
      return Mono.defer(
          () -> {
            Mono<Void> earlier = late.getAndSet(Mono.empty());
            Mono<Void> then = earlier.onErrorComplete();
            if (!meets(key, true)) {
              return then.then(request);
            }
            readsFail = readsFailAfterLoss;
            if (fault.effect == Effect.LATE) {
              late.set(request);
            }
            Mono<Void> now = fault.effect == Effect.BEFORE_THE_ERROR ? request : Mono.empty();
            return then.then(now).then(Mono.error(fault.error));
          });
    }
  }

  /** What comes of a commit. */
  private enum End {
    DONE("done"),
    ERROR("error");

    final String words;

    End(String words) {
      this.words = words;
    }
  }

  /** One fault does no harm where another attempt is made; a fault that stays is an error. */
  private static End expected(Step step, Fault fault, boolean isAlways) {
    boolean isOfInfo = step == Step.INFO;
    boolean isStored = fault.effect == Effect.BEFORE_THE_ERROR;
    boolean mayTryAgain = fault != Fault.REFUSED;
    if (!isOfInfo) {
      return End.ERROR;
    }
    return isStored || (mayTryAgain && (!isAlways || fault == Fault.LATE)) ? End.DONE : End.ERROR;
  }

  @TestFactory
  Stream<DynamicTest> a_commit_that_meets_a_fault_is_there_whole_or_not_at_all() {
    List<DynamicTest> tests = new ArrayList<>();
    for (Step step : Step.values()) {
      for (Fault fault : Fault.values()) {
        for (int times : List.of(1, 1_000)) {
          boolean isHundredRaces =
              times > 1
                  && fault.effect == Effect.NEVER
                  && fault.error.get() instanceof PreconditionFailedException;
          if (fault.befalls(step) && !isHundredRaces) { // with pauses; see below
            tests.add(
                DynamicTest.dynamicTest(
                    step.words + ": " + fault.words + (times == 1 ? ", once" : ", always"),
                    () ->
                        assertThat(meet(step, fault, times, false))
                            .isEqualTo(expected(step, fault, times > 1))));
          }
        }
      }
    }
    return tests.stream();
  }

  @TestFactory
  Stream<DynamicTest> over_a_store_that_retries_a_fault_that_passes_does_no_harm() {
    return Stream.of(Step.values())
        .flatMap(
            step ->
                Stream.of(Fault.values())
                    .filter(fault -> fault.befalls(step))
                    .filter(fault -> fault.error.get() instanceof TransientStoreException)
                    .map(
                        fault ->
                            DynamicTest.dynamicTest(
                                step.words + ": " + fault.words,
                                () -> assertThat(meet(step, fault, 1, true)).isEqualTo(End.DONE))));
  }

  /** Commits on top of another commit while a step meets a fault. */
  private static End meet(Step step, Fault fault, int times, boolean isRetried) {
    Store memory = MemoryStore.create();
    Faulty place = new Faulty(memory);
    RetryOptions retries =
        RetryOptions.defaults().withBackoff(Duration.ofMillis(1), Duration.ofMillis(1));
    Store used = isRetried ? Stores.retrying(place, retries) : place;
    IcechunkRepository repository =
        TestRepositories.create(used, "inline_chunk_threshold_bytes", 16);
    IcechunkSession first = await(repository.session("main"));
    put(first, "a/zarr.json", array(4));
    put(first, "a/c/0", LARGE + "0");
    await(first.commit("first"));
    IcechunkSession session = await(Icechunk.open(used).flatMap(r -> r.session("main")));
    put(session, "g/zarr.json", SessionTree.GROUP);
    put(session, "a/c/1", "1");
    IcechunkSession theirs = await(repository.session("main"));
    put(theirs, "a/c/2", "2");
    await(theirs.commit("theirs"));
    place.left.set(times);
    place.fault = fault;
    place.step = step;
    Throwable error = errorOf(session.set(StoreKey.of("a/c/3"), Bytes.utf8(LARGE + "3")));
    boolean hasChunk = error == null;
    assertThat(hasChunk).isEqualTo(isRetried || step != Step.CHUNK);
    if (hasChunk) {
      error = errorOf(session.commit("one"));
    }
    assertThat(place.left.get()).as("the fault befalls the commit").isLessThan(times);
    place.step = null;
    IcechunkRepository after = await(Icechunk.open(memory));
    List<String> history =
        await(after.history(IcechunkVersion.MAIN)).stream().map(IcechunkSnapshot::message).toList();
    assertThat(await(after.checkHistory())).isEmpty();
    if (error == null) {
      assertThat(history).containsExactly("one", "theirs", "first", "Repository initialized");
      assertValues(after, hasChunk);
      return End.DONE;
    }
    assertThat(history).containsExactly("theirs", "first", "Repository initialized");
    assertThat(error).isInstanceOf(StoreException.class);
    assertThat(error.getMessage()).doesNotContain("may have taken place");
    await(session.commit("again"));
    IcechunkRepository last = await(Icechunk.open(memory));
    assertThat(await(last.history(IcechunkVersion.MAIN)).stream().map(IcechunkSnapshot::message))
        .containsExactly("again", "theirs", "first", "Repository initialized");
    assertValues(last, hasChunk);
    return End.ERROR;
  }

  private static void assertValues(IcechunkRepository repository, boolean hasChunk) {
    Store now = await(repository.store(IcechunkVersion.MAIN));
    assertThat(get(now, "a/c/0")).isEqualTo(LARGE + "0");
    assertThat(get(now, "a/c/1")).isEqualTo("1");
    assertThat(get(now, "a/c/2")).isEqualTo("2");
    assertThat(get(now, "a/c/3")).isEqualTo(hasChunk ? LARGE + "3" : "nothing");
    assertThat(get(now, "g/zarr.json")).isEqualTo(SessionTree.GROUP);
  }

  /** The table of docs/icechunk.md is what the tests above expect. */
  @Test
  void the_page_has_the_table_of_steps_and_faults() throws IOException {
    StringBuilder table = new StringBuilder("| a request to |");
    for (Fault fault : Fault.values()) {
      table.append(' ').append(fault.words).append(" |");
    }
    table.append("\n|---|").append("---|".repeat(Fault.values().length)).append('\n');
    for (Step step : Step.values()) {
      table.append("| ").append(step.words).append(" |");
      for (Fault fault : Fault.values()) {
        table.append(' ').append(fault.befalls(step) ? cell(step, fault) : "").append(" |");
      }
      table.append('\n');
    }
    String shown = table.toString().replace("|  |", "| |").replace("|  |", "| |");
    assertThat(Files.readString(Path.of("../docs/icechunk.md"))).contains(shown);
  }

  private static String cell(Step step, Fault fault) {
    End once = expected(step, fault, false);
    End always = expected(step, fault, true);
    return once == always ? once.words : once.words + " / " + always.words;
  }

  @Test
  void a_commit_whose_answers_are_all_lost_says_that_it_is_unknown() {
    Store memory = MemoryStore.create();
    Faulty place = new Faulty(memory);
    IcechunkRepository repository = await(Icechunk.create(place));
    IcechunkSession session = await(repository.session("main"));
    put(session, "a/zarr.json", array(4));
    place.left.set(1);
    place.fault = Fault.RESPONSE_LOST;
    place.step = Step.INFO;
    place.readsFailAfterLoss = true;
    assertThat(errorOf(session.commit("one"))).hasMessageContaining("may have taken place or not");
    place.readsFail = false;
    assertThat(
            await(await(Icechunk.open(memory)).history(IcechunkVersion.MAIN)).stream()
                .map(IcechunkSnapshot::message))
        .containsExactly("one", "Repository initialized");
  }

  /** Eight races, three of them with pauses. */
  @Test
  void a_lost_race_is_run_again() {
    Store memory = MemoryStore.create();
    Faulty place = new Faulty(memory);
    IcechunkRepository repository = await(Icechunk.create(place));
    IcechunkSession session = await(repository.session("main"));
    put(session, "a/zarr.json", array(4));
    place.fault = Fault.CONFLICT;
    place.step = Step.INFO;
    place.left.set(8);
    await(session.commit("one"));
    assertThat(place.left.get()).isLessThanOrEqualTo(0);
  }

  /** Time passes as soon as somebody waits for it. */
  private static final class Hasty extends Environment {
    final VirtualTimeScheduler time = VirtualTimeScheduler.create();

    @Override
    public long nanoTime() {
      return time.now(TimeUnit.NANOSECONDS);
    }

    @Override
    public long random(long least, long bound) {
      return bound - 1;
    }

    @Override
    public int processors() {
      return 1;
    }

    @Override
    public Scheduler codecScheduler() {
      return time;
    }

    @Override
    public Scheduler blockingThreads(Supplier<Scheduler> own) {
      return time;
    }

    @Override
    public Scheduler timer() {
      return time;
    }
  }

  @Test
  void a_commit_gives_up_after_a_hundred_lost_races_and_leaves_nothing() {
    Store memory = MemoryStore.create();
    Faulty place = new Faulty(memory);
    IcechunkRepository repository = await(Icechunk.create(place));
    IcechunkSession session = await(repository.session("main"));
    put(session, "a/zarr.json", array(4));
    place.fault = Fault.FAILED;
    place.step = Step.INFO;
    place.left.set(1_000);
    Hasty hasty = new Hasty();
    AtomicReference<Throwable> error = new AtomicReference<>();
    long waited =
        hasty.within(
            () -> {
              session.commit("one").subscribe(id -> {}, error::set);
              while (error.get() == null && hasty.nanoTime() < Duration.ofHours(1).toNanos()) {
                hasty.time.advanceTimeBy(Duration.ofMillis(10));
              }
              return hasty.nanoTime();
            });
    assertThat(error.get())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("lost the race against other writers 100 times")
        .hasMessageContaining("nothing of it is in the repository");
    assertThat(place.left.get()).isEqualTo(900);
    assertThat(Duration.ofNanos(waited))
        .as("95 pauses of at most a second, of which the first ones are short")
        .isBetween(Duration.ofSeconds(80), Duration.ofSeconds(100));
    place.step = null;
    await(session.commit("one"));
    assertThat(await(await(Icechunk.open(memory)).history(IcechunkVersion.MAIN))).hasSize(2);
  }
}
