package dev.zarrreactive.icechunk;

import static dev.zarrreactive.testing.Waiting.await;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.internal.icechunk.ObjectIds;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A program that changes many chunks in a fork of a session, merges and commits them, and then
 * collects the garbage of a place that has as many chunks again that nothing refers to.
 */
final class ManyForkedChunks {
  private ManyForkedChunks() {}

  /** Keeps the ids of chunks alone, which would fill the memory that the rest is measured in. */
  private static final class Forgetful extends DelegatingStore {
    private final long[] first;
    private final int[] last;
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicInteger erased = new AtomicInteger();

    Forgetful(Store delegate, int most) {
      super(delegate);
      first = new long[most];
      last = new int[most];
    }

    private void note(String id) {
      int at = count.getAndIncrement();
      first[at] = ObjectIds.first(id);
      last[at] = ObjectIds.last(id);
    }

    @Override
    public Mono<Void> set(StoreKey key, Bytes value) {
      return key.value().startsWith("chunks/")
          ? Mono.fromRunnable(() -> note(key.value().substring("chunks/".length())))
          : super.set(key, value);
    }

    @Override
    public Flux<ListEntry.Key> listValues(StorePrefix prefix) {
      return prefix.value().equals("chunks/")
          ? Flux.range(0, count.get())
              .map(
                  at ->
                      new ListEntry.Key(
                              StoreKey.of("chunks/" + ObjectIds.text(first[at], last[at])), 5)
                          .modifiedAt(Instant.EPOCH))
          : super.listValues(prefix);
    }

    @Override
    public Mono<Void> eraseValues(Publisher<StoreKey> keys) {
      return Flux.from(keys)
          .doOnNext(key -> erased.addAndGet(key.value().startsWith("chunks/") ? 1 : 0))
          .then();
    }
  }

  /** Takes the number of chunks. */
  public static void main(String[] arguments) {
    int count = Integer.parseInt(arguments[0]);
    Duration patience = Duration.ofMinutes(10);
    Forgetful place = new Forgetful(MemoryStore.create(), 2 * count);
    IcechunkRepository repository =
        TestRepositories.create(place, "inline_chunk_threshold_bytes", 0);
    IcechunkSession session = await(repository.session("main"));
    SessionTree.put(
        session,
        "a/zarr.json",
        SessionTree.array(10).replace("[10]", "[1000," + count + "]").replace("[1]", "[1,1000]"));
    IcechunkSession fork = await(repository.openFork(await(session.fork())));
    Bytes chunk = Bytes.utf8("chunk");
    Flux.range(0, count)
        .concatMap(i -> fork.set(StoreKey.of("a/c/" + i / 1000 + "/" + i % 1000), chunk))
        .then()
        .block(patience);
    Bytes changes = fork.changes().block(patience);
    System.out.println("bytes " + changes.size());
    await(fork.discard());
    session.merge(changes).block(patience);
    session.commit("many").block(patience);
    ObjectIds others = await(Sessions.ids());
    for (int i = 0; i < count; i++) {
      place.note(others.object());
    }
    IcechunkCleaned cleaned =
        await(repository.refresh())
            .clean(
                IcechunkCleanup.nothing().withCollection(Instant.now().minus(Duration.ofDays(2))))
            .block(patience);
    System.out.println(
        "erased " + cleaned.objects().get("chunks").count() + " of which " + place.erased.get());
  }
}
