package dev.zarrreactive.icechunk;

import static dev.zarrreactive.icechunk.SessionTree.array;
import static dev.zarrreactive.icechunk.SessionTree.get;
import static dev.zarrreactive.icechunk.SessionTree.put;
import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import reactor.core.publisher.Mono;

/**
 * Each step of a commit meets each fault: the commit is there whole or not at all, and its writer
 * learns which.
 */
class CommitFaultsTest {
  private static final List<String> STEPS =
      List.of("manifests/", "snapshots/", "transactions/", "overwritten/", "repo");

  /** What happens to a request. */
  private enum Fault {
    REFUSED(false, () -> new AccessDeniedException("403", Location.UNKNOWN)),
    UNAVAILABLE(false, () -> new TransientStoreException("503", Location.UNKNOWN)),
    CONFLICT(false, () -> new PreconditionFailedException("409 or 412", Location.UNKNOWN)),
    RESPONSE_LOST(true, () -> new TransientStoreException("cut", Location.UNKNOWN)),
    RETRIED_AFTER_LOSS(true, () -> new PreconditionFailedException("412", Location.UNKNOWN));

    final boolean hasEffect;
    final Supplier<StoreException> error;

    Fault(boolean hasEffect, Supplier<StoreException> error) {
      this.hasEffect = hasEffect;
      this.error = error;
    }
  }

  /** Lets writes of a step meet a fault. */
  private static final class Faulty extends DelegatingStore {
    volatile @Nullable String step;
    volatile Fault fault = Fault.REFUSED;
    volatile boolean readsFail;
    volatile boolean readsFailAfterLoss;
    final AtomicInteger left = new AtomicInteger();

    Faulty(Store delegate) {
      super(delegate);
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
    public Mono<dev.zarrreactive.store.VersionedBytes> getVersioned(
        StoreKey key,
        dev.zarrreactive.base.@Nullable ByteRange range,
        dev.zarrreactive.store.ReadCondition condition) {
      return readsFail && key.value().equals("repo")
          ? Mono.error(Fault.UNAVAILABLE.error.get())
          : super.getVersioned(key, range, condition);
    }

    private Mono<Void> faulty(StoreKey key, Mono<Void> request) {
      return Mono.defer(
          () -> {
            String at = step;
            if (at == null || !key.value().startsWith(at) || left.getAndDecrement() <= 0) {
              return request;
            }
            readsFail = readsFailAfterLoss;
            return (fault.hasEffect ? request : Mono.<Void>empty()).then(Mono.error(fault.error));
          });
    }
  }

  @TestFactory
  Stream<DynamicTest> a_commit_that_meets_a_fault_is_there_whole_or_not_at_all() {
    List<DynamicTest> tests = new ArrayList<>();
    for (String step : STEPS) {
      for (Fault fault : Fault.values()) {
        for (int times : List.of(1, 1_000)) {
          if (step.equals("repo") && fault == Fault.CONFLICT && times > 1) {
            continue; // a hundred lost races, with pauses
          }
          tests.add(
              DynamicTest.dynamicTest(
                  step + " " + fault + " " + (times == 1 ? "once" : "always"),
                  () -> meet(step, fault, times)));
        }
      }
    }
    return tests.stream();
  }

  private static void meet(String step, Fault fault, int times) {
    Store memory = MemoryStore.create();
    Faulty place = new Faulty(memory);
    IcechunkRepository repository = await(Icechunk.create(place));
    IcechunkSession session = await(repository.session("main"));
    put(session, "a/zarr.json", array(4));
    put(session, "a/c/1", "1");
    place.left.set(times);
    place.fault = fault;
    place.step = step;
    Throwable error = errorOf(session.commit("one"));
    place.step = null;
    IcechunkRepository after = await(Icechunk.open(memory));
    List<String> history =
        await(after.history(IcechunkVersion.MAIN)).stream().map(IcechunkSnapshot::message).toList();
    assertThat(await(after.checkHistory())).isEmpty();
    if (error == null) {
      assertThat(history).containsExactly("one", "Repository initialized");
      assertThat(get(await(after.store(IcechunkVersion.MAIN)), "a/c/1")).isEqualTo("1");
      return;
    }
    assertThat(history).containsExactly("Repository initialized");
    assertThat(error).isInstanceOf(StoreException.class);
    await(session.commit("again"));
    assertThat(
            await(await(Icechunk.open(memory)).history(IcechunkVersion.MAIN)).stream()
                .map(IcechunkSnapshot::message))
        .containsExactly("again", "Repository initialized");
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
    place.step = "repo";
    place.readsFailAfterLoss = true;
    assertThat(errorOf(session.commit("one"))).hasMessageContaining("may have taken place or not");
    place.readsFail = false;
    assertThat(
            await(await(Icechunk.open(memory)).history(IcechunkVersion.MAIN)).stream()
                .map(IcechunkSnapshot::message))
        .containsExactly("one", "Repository initialized");
  }

  @Test
  void a_lost_race_is_run_again() {
    Store memory = MemoryStore.create();
    Faulty place = new Faulty(memory);
    IcechunkRepository repository = await(Icechunk.create(place));
    IcechunkSession session = await(repository.session("main"));
    put(session, "a/zarr.json", array(4));
    place.fault = Fault.CONFLICT;
    place.step = "repo";
    place.left.set(8);
    await(session.commit("one"));
    assertThat(place.left.get()).isLessThanOrEqualTo(0);
  }
}
