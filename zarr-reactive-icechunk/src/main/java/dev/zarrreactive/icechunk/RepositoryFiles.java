package dev.zarrreactive.icechunk;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MemoryExhaustedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.cache.CachePolicy;
import dev.zarrreactive.internal.cache.Generations;
import dev.zarrreactive.internal.cache.LoadingCache;
import dev.zarrreactive.internal.icechunk.ImmutableFile;
import dev.zarrreactive.internal.icechunk.ManifestFile;
import dev.zarrreactive.internal.icechunk.SnapshotFile;
import dev.zarrreactive.internal.icechunk.TransactionFile;
import dev.zarrreactive.store.Store;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The snapshots and manifests of a repository. They never change: each is kept by its id, and one
 * request serves all who wait for it.
 */
final class RepositoryFiles {
  private final Store store;
  private final IcechunkOptions options;

  /** The size up to which a file of a commit is decoded at once, to be cached. */
  private static final int MOST_KEPT = 64 << 10;

  private final LoadingCache<String, String, ImmutableFile> cache;

  RepositoryFiles(Store store, IcechunkOptions options) {
    this.store = store;
    this.options = options;
    long most = options.cacheBytes();
    this.cache =
        new LoadingCache<>(
            most,
            CachePolicy.of(
                UnaryOperator.identity(),
                file -> Math.min(file.weight(), most),
                UnaryOperator.identity()),
            new Generations());
  }

  /** A function from the bytes of a file to what they are. */
  interface Decoder<T> {
    T decode(Bytes file, String key, long maxBytes);
  }

  Store store() {
    return store;
  }

  IcechunkOptions options() {
    return options;
  }

  /** The snapshot of an id. */
  Mono<SnapshotFile> snapshot(String id) {
    return file("snapshots/" + id, SnapshotFile::read, SnapshotFile.class);
  }

  /** The log of what the commit of a snapshot has changed; empty where there is none. */
  Mono<TransactionFile> transaction(String id) {
    String key = "transactions/" + id;
    return store
        .get(StoreKey.of(key), ByteRange.whole(options.maxFileBytes()))
        .publishOn(IcechunkThreads.decoding())
        .map(file -> decode(file, key, TransactionFile::read));
  }

  /** The manifest of an id. */
  Mono<ManifestFile> manifest(String id) {
    return file("manifests/" + id, ManifestFile::read, ManifestFile.class);
  }

  /** The manifest of an id, where it is cached; otherwise null. */
  @Nullable ManifestFile cachedManifest(String id) {
    return (ManifestFile) cache.find("manifests/" + id);
  }

  /** Caches the small files of a commit that is made: what comes next begins at them. */
  void keep(Map<StoreKey, Bytes> made) {
    made.forEach(
        (key, file) -> {
          String name = key.value();
          Decoder<ImmutableFile> decoder =
              name.startsWith("snapshots/")
                  ? SnapshotFile::read
                  : name.startsWith("manifests/") ? ManifestFile::read : null;
          if (decoder != null && file.size() <= MOST_KEPT) {
            cache.put(name, decode(file, name, decoder), 0);
          }
        });
  }

  private <T extends ImmutableFile> Mono<T> file(
      String key, Decoder<ImmutableFile> decoder, Class<T> type) {
    return Mono.defer(() -> cache.lookUp(key, () -> load(key, decoder)).value()).map(type::cast);
  }

  private Mono<ImmutableFile> load(String key, Decoder<ImmutableFile> decoder) {
    return store
        .get(StoreKey.of(key), ByteRange.whole(options.maxFileBytes()))
        .switchIfEmpty(Mono.error(() -> missing(key)))
        .publishOn(IcechunkThreads.decoding())
        .map(file -> decode(file, key, decoder));
  }

  /** Decodes a file; whatever is wrong with it is an error with its key. */
  <T> T decode(Bytes file, String key, Decoder<T> decoder) {
    Location place = Location.ofKey(key);
    try {
      return decoder.decode(file, key, options.maxFileBytes());
    } catch (ZarrException e) {
      throw e;
    } catch (RuntimeException | StackOverflowError e) {
      throw new StoreException("a damaged file of an Icechunk repository", place, e);
    } catch (OutOfMemoryError e) {
      throw new MemoryExhaustedException(
          "for a file of an Icechunk repository", MemoryExhaustedException.UNKNOWN_SIZE, place, e);
    } catch (LinkageError e) {
      throw new UnsupportedFeatureException(
          "the native library zstd-jni cannot be loaded on "
              + System.getProperty("os.name")
              + " "
              + System.getProperty("os.arch")
              + ": "
              + e.getMessage(),
          place,
          e);
    }
  }

  /** The error of a file that is not there. */
  StoreException missing(String key) {
    return new StoreException(
        "a file of the Icechunk repository in "
            + store
            + " is missing; if its snapshot has expired, garbage collection may have removed it",
        Location.ofKey(key));
  }
}
