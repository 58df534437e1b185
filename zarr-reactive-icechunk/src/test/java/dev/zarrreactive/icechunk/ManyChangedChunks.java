package dev.zarrreactive.icechunk;

import static dev.zarrreactive.testing.Waiting.await;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import java.time.Duration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A program that changes many chunks in one session, and commits them. */
final class ManyChangedChunks {
  private ManyChangedChunks() {}

  /** Keeps no chunk, which would fill the memory that the session is measured in. */
  private static final class Forgetful extends DelegatingStore {
    Forgetful(Store delegate) {
      super(delegate);
    }

    @Override
    public Mono<Void> set(StoreKey key, Bytes value) {
      return key.value().startsWith("chunks/") ? Mono.empty() : super.set(key, value);
    }
  }

  /** Takes the number of chunks. */
  public static void main(String[] arguments) {
    int count = Integer.parseInt(arguments[0]);
    IcechunkRepository repository =
        TestRepositories.create(
            new Forgetful(MemoryStore.create()), "inline_chunk_threshold_bytes", 0);
    IcechunkSession session = await(repository.session("main"));
    SessionTree.put(
        session,
        "a/zarr.json",
        SessionTree.array(10).replace("[10]", "[1000," + count + "]").replace("[1]", "[1,1000]"));
    Bytes chunk = Bytes.utf8("chunk");
    Flux.range(0, count)
        .concatMap(i -> session.set(StoreKey.of("a/c/" + i / 1000 + "/" + i % 1000), chunk))
        .then()
        .block(Duration.ofMinutes(5));
    System.out.println("bytes " + session.weight());
    session.commit("many").block(Duration.ofMinutes(5));
    Store now = await(await(repository.refresh()).store(IcechunkVersion.MAIN));
    long listed =
        now.listPrefix(dev.zarrreactive.base.StorePrefix.of("a/c/"))
            .count()
            .block(Duration.ofMinutes(5));
    System.out.println("committed " + listed);
  }
}
