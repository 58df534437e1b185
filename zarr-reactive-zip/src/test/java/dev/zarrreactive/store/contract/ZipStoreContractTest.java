package dev.zarrreactive.store.contract;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.store.AbstractStore;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.store.zip.NewZipStore;
import dev.zarrreactive.store.zip.ZipStore;
import dev.zarrreactive.testing.Waiting;
import dev.zarrreactive.testkit.StoreContract;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Archives in place, and new ones, keep the contract of a store. */
class ZipStoreContractTest {
  private static final StoreKey KEY = StoreKey.of("data/a.zip");

  @TempDir Path directory;

  @Nested
  class New extends StoreContract {
    @Override
    protected Store createStore() {
      return ZipStore.create(directory.resolve("new.zip"));
    }
  }

  @Nested
  class StoredInMemory extends Reopened {
    @Override
    Store place() {
      return MemoryStore.create();
    }

    @Override
    byte[] zip(Map<StoreKey, Bytes> values) {
      return written(values, directory.resolve("written.zip"));
    }
  }

  @Nested
  class StoredInAFile extends Reopened {
    @Override
    Store place() {
      return FileSystemStore.open(directory.resolve("files"));
    }

    @Override
    byte[] zip(Map<StoreKey, Bytes> values) {
      return written(values, directory.resolve("written.zip"));
    }
  }

  @Nested
  class Deflated extends Reopened {
    @Override
    Store place() {
      return MemoryStore.create();
    }

    @Override
    byte[] zip(Map<StoreKey, Bytes> values) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
        for (Map.Entry<StoreKey, Bytes> value : values.entrySet()) {
          zip.putNextEntry(new ZipEntry(value.getKey().value()));
          zip.write(value.getValue().toByteArray());
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return bytes.toByteArray();
    }
  }

  /** An archive does not change: each request opens it again, as it is then. */
  abstract static class Reopened extends StoreContract {
    private final Map<StoreKey, Bytes> values = new LinkedHashMap<>();
    private Store place;

    abstract Store place();

    abstract byte[] zip(Map<StoreKey, Bytes> values);

    @Override
    protected Store createStore() {
      place = place();
      seed(place, Map.of());
      return new Opening(ZipStore.open(place, KEY));
    }

    @Override
    protected void seed(Store store, Map<StoreKey, Bytes> more) {
      values.putAll(more);
      Waiting.await(place.set(KEY, Bytes.wrap(zip(values))));
    }
  }

  private static byte[] written(Map<StoreKey, Bytes> values, Path file) {
    NewZipStore zip = ZipStore.create(file);
    Waiting.await(
        Flux.fromIterable(values.entrySet())
            .concatMap(value -> zip.set(value.getKey(), value.getValue()))
            .then(zip.close()));
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Opening extends AbstractStore {
    private final Mono<ZipStore> zip;

    Opening(Mono<ZipStore> zip) {
      this.zip = zip;
    }

    @Override
    public Set<StoreCapability> capabilities() {
      return Set.of(StoreCapability.READ, StoreCapability.LIST);
    }

    @Override
    public Mono<Bytes> get(StoreKey key) {
      return zip.flatMap(opened -> opened.get(key));
    }

    @Override
    public Mono<Bytes> get(StoreKey key, ByteRange range) {
      return zip.flatMap(opened -> opened.get(key, range));
    }

    @Override
    public Flux<StoreKey> listPrefix(StorePrefix prefix) {
      return zip.flatMapMany(opened -> opened.listPrefix(prefix));
    }

    @Override
    public Flux<ListEntry> listDir(StorePrefix prefix) {
      return zip.flatMapMany(opened -> opened.listDir(prefix));
    }

    @Override
    public String toString() {
      return "a zip opened for each request";
    }
  }
}
