package dev.zarrreactive.icechunk;

import static dev.zarrreactive.testing.Waiting.await;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.RangeOutOfBoundsException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.ValueTooLargeException;
import dev.zarrreactive.store.AbstractStore;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testkit.StoreContract;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A session keeps the contract of a store. Its keys are those of nodes: the value at {@code a/b} of
 * the contract is the only chunk of the array {@code /a/b}.
 */
class SessionStoreContractTest {
  @Nested
  class OverAnEmptySnapshot extends OfChunks {
    OverAnEmptySnapshot() {
      super(512);
    }
  }

  @Nested
  class WithChunksInObjects extends OfChunks {
    WithChunksInObjects() {
      super(0);
    }
  }

  /** What the contract puts there is committed, so that it lies in the base of a session. */
  @Nested
  class OverACommit extends OfChunks {
    OverACommit() {
      super(4);
    }

    @Override
    protected void seed(Store store, Map<StoreKey, Bytes> values) {
      super.seed(store, values);
      ((Chunks) store).commit();
    }
  }

  /** What the contract puts there is in a session, of which the store is a fork. */
  @Nested
  class AFork extends OfChunks {
    AFork() {
      super(4);
    }

    @Override
    protected Store createStore() {
      Chunks chunks = (Chunks) super.createStore();
      chunks.fork();
      return chunks;
    }

    @Override
    protected void seed(Store store, Map<StoreKey, Bytes> values) {
      super.seed(store, values);
      ((Chunks) store).fork();
    }
  }

  abstract static class OfChunks extends StoreContract {
    private final int mostInline;

    OfChunks(int mostInline) {
      this.mostInline = mostInline;
    }

    @Override
    protected Store createStore() {
      return new Chunks(
          TestRepositories.create(
              MemoryStore.create(), "inline_chunk_threshold_bytes", mostInline));
    }

    @Override
    protected boolean keysMayBePrefixes() {
      return false;
    }
  }

  /** The chunks of arrays without dimensions, by the paths of the arrays. */
  private static final class Chunks extends AbstractStore {
    private static final Bytes DOCUMENT =
        Bytes.utf8(
            """
            {"zarr_format":3,"node_type":"array","shape":[],"data_type":"uint8","fill_value":0,
            "chunk_grid":{"name":"regular","configuration":{"chunk_shape":[]}},
            "chunk_key_encoding":{"name":"default"},"codecs":[{"name":"bytes"}]}""");

    private final IcechunkRepository repository;
    private IcechunkSession session;

    Chunks(IcechunkRepository repository) {
      this.repository = repository;
      this.session = await(repository.session("main"));
    }

    void commit() {
      await(session.commit("values"));
      session = await(repository.session("main"));
    }

    void fork() {
      session = await(repository.openFork(await(session.fork())));
    }

    private static StoreKey inner(StoreKey key) {
      return StoreKey.of(key + "/c");
    }

    @Override
    public Set<StoreCapability> capabilities() {
      return session.capabilities();
    }

    @Override
    public Mono<Bytes> get(StoreKey key) {
      return session.get(inner(key));
    }

    @Override
    public Mono<Bytes> get(StoreKey key, ByteRange range) {
      return session.get(inner(key), range).onErrorMap(StoreException.class, e -> outer(e, key));
    }

    @Override
    public Mono<VersionedBytes> getVersioned(
        StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
      return session
          .getVersioned(inner(key), range, condition)
          .onErrorMap(StoreException.class, e -> outer(e, key));
    }

    @Override
    public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
      return session
          .set(StoreKey.of(key + "/zarr.json"), DOCUMENT)
          .then(Mono.defer(() -> session.set(inner(key), value, precondition)))
          .onErrorMap(StoreException.class, e -> outer(e, key));
    }

    @Override
    public Mono<Void> erase(StoreKey key) {
      return session.erase(inner(key));
    }

    @Override
    public Mono<Void> erase(StoreKey key, Version version) {
      return session
          .erase(inner(key), version)
          .onErrorMap(StoreException.class, e -> outer(e, key));
    }

    /**
     * Returns the error of a value with the key of the contract; it must have that of the store.
     */
    private static Throwable outer(StoreException error, StoreKey key) {
      if (!inner(key).value().equals(error.location().storeKey())) {
        return error;
      }
      Location place = Location.ofKey(key.value());
      if (error instanceof RangeOutOfBoundsException shorter) {
        return new RangeOutOfBoundsException("a range", shorter.size(), place);
      }
      if (error instanceof ValueTooLargeException larger) {
        return new ValueTooLargeException(larger.size(), larger.maxBytes(), place);
      }
      return error instanceof PreconditionFailedException
          ? new PreconditionFailedException(error.statement(), place, error)
          : error;
    }

    @Override
    public Flux<ListEntry.Key> listValues(StorePrefix prefix) {
      return session
          .listValues(prefix)
          .filter(
              entry ->
                  entry.key().value().endsWith("/c")
                      && outer(entry.key()).startsWith(prefix.value()))
          .map(entry -> new ListEntry.Key(StoreKey.of(outer(entry.key())), entry.size()));
    }

    private static String outer(StoreKey key) {
      return key.value().substring(0, key.value().length() - 2);
    }

    @Override
    public Flux<StoreKey> listPrefix(StorePrefix prefix) {
      return listValues(prefix).map(ListEntry.Key::key);
    }

    @Override
    public String toString() {
      return "chunks of " + session;
    }
  }
}
