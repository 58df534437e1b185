package dev.zarrreactive.kerchunk;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.cache.CachePolicy;
import dev.zarrreactive.internal.cache.Generations;
import dev.zarrreactive.internal.cache.LoadingCache;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * References in Parquet: metadata in memory, and record files that are read when one of their
 * chunks is asked for, once for all who ask.
 */
final class ParquetReferences implements References {
  private static final String FILE_START = "refs.";
  private static final String FILE_END = ".parq";

  /** The keys that are looked up at the same time. */
  private static final int TOGETHER = 64;

  private final Store store;
  private final StorePrefix directory;
  private final ParquetDocument document;
  private final KerchunkOptions options;
  private final LoadingCache<StoreKey, StoreKey, RecordFile> files;

  ParquetReferences(
      Store store, StorePrefix directory, ParquetDocument document, KerchunkOptions options) {
    this.store = store;
    this.directory = directory;
    this.document = document;
    this.options = options;
    this.files =
        new LoadingCache<>(
            options.cacheBytes(),
            CachePolicy.of(key -> key, RecordFile::weight, file -> file),
            new Generations());
  }

  /** A chunk of an array. */
  private record Chunk(ChunkedArray array, long number) {}

  @Override
  public Mono<KerchunkReference> find(StoreKey key) {
    Chunk chunk = chunk(key.value());
    if (chunk == null) {
      return document.metadata().find(key);
    }
    long recordSize = document.recordSize();
    return Mono.defer(() -> file(chunk.array(), chunk.number() / recordSize))
        .mapNotNull(file -> reference(chunk, (int) (chunk.number() % recordSize), file));
  }

  /** Reads the record files of the keys, some at the same time, each once. */
  @Override
  public Mono<List<Optional<KerchunkReference>>> find(List<StoreKey> keys) {
    return Concurrently.mapInOrder(
            Flux.fromIterable(keys),
            TOGETHER,
            key ->
                find(key)
                    .map(Optional::of)
                    .onErrorResume(ZarrException.class, e -> Mono.empty())
                    .defaultIfEmpty(Optional.empty()))
        .collectList();
  }

  private @Nullable KerchunkReference reference(Chunk chunk, int row, RecordFile file) {
    if (file == RecordFile.MISSING) {
      return null;
    }
    StoreKey name = name(chunk.array(), chunk.number() / document.recordSize());
    Location place = Location.ofKey(name.value());
    if (row >= file.rows()) {
      throw new StoreException(
          "the record file has "
              + file.rows()
              + " rows, and chunk "
              + chunk.number()
              + " of \""
              + chunk.array().path()
              + "\" is row "
              + row,
          place);
    }
    return file.reference(row, place);
  }

  /** The chunk of a key; null where it is none of an array, or metadata. */
  private @Nullable Chunk chunk(String key) {
    for (int slash = key.lastIndexOf('/'); slash > 0; slash = key.lastIndexOf('/', slash - 1)) {
      Chunk chunk = chunk(key.substring(0, slash), key.substring(slash + 1));
      if (chunk != null) {
        return chunk;
      }
    }
    return chunk("", key);
  }

  private @Nullable Chunk chunk(String path, String name) {
    ChunkedArray array = document.arrays().get(path);
    long number = array == null ? -1 : array.number(name);
    return array == null || number < 0 ? null : new Chunk(array, number);
  }

  private StoreKey name(ChunkedArray array, long record) {
    return directory.key(array.prefix() + FILE_START + record + FILE_END);
  }

  /** The record file of a number, from memory or by one request. */
  private Mono<RecordFile> file(ChunkedArray array, long record) {
    StoreKey name = name(array, record);
    return files.lookUp(name, () -> load(name)).value();
  }

  private Mono<RecordFile> load(StoreKey name) {
    int mostRows = (int) Math.min(document.recordSize(), options.maxReferences());
    return store
        .get(name, ByteRange.whole(options.maxBytes()))
        .publishOn(KerchunkThreads.computing())
        .map(
            bytes ->
                KerchunkThreads.guard(
                    Location.ofKey(name.value()),
                    () -> RecordFile.read(bytes, mostRows, options, Location.ofKey(name.value()))))
        .defaultIfEmpty(RecordFile.MISSING);
  }

  @Override
  public Flux<ListEntry.Key> values(StorePrefix prefix) {
    return Flux.concat(
        List.of(
            document.metadata().values(prefix),
            Flux.fromIterable(document.arrays().values())
                .filter(array -> isUnder(prefix, array))
                .concatMap(array -> chunks(array, prefix), 1)));
  }

  private static boolean isUnder(StorePrefix prefix, ChunkedArray array) {
    return array.prefix().startsWith(prefix.value()) || prefix.value().startsWith(array.prefix());
  }

  private Flux<ListEntry.Key> chunks(ChunkedArray array, StorePrefix prefix) {
    return records(array)
        .concatMap(
            record ->
                Mono.defer(() -> file(array, record))
                    .flatMapMany(file -> chunks(array, record, file)),
            1)
        .filter(entry -> prefix.contains(entry.key()));
  }

  private Flux<ListEntry.Key> chunks(ChunkedArray array, long record, RecordFile file) {
    long first = record * document.recordSize();
    int rows = (int) Math.min(file.rows(), array.count() - first);
    return Flux.range(0, rows)
        .filter(file::has)
        .map(row -> new ListEntry.Key(StoreKey.of(array.key(first + row)), file.valueSize(row)));
  }

  /** The numbers of the record files, by a listing where the store has one. */
  private Flux<Long> records(ChunkedArray array) {
    long count = array.count() == 0 ? 0 : (array.count() - 1) / document.recordSize() + 1;
    if (count > 2 && store.capabilities().contains(StoreCapability.LIST)) {
      return store
          .listDir(StorePrefix.of(directory.value() + array.prefix()))
          .collect(TreeSet<Long>::new, (found, entry) -> addRecord(found, entry, count))
          .flatMapIterable(found -> found);
    }
    return Flux.generate(
        () -> 0L,
        (next, sink) -> {
          if (next == count) {
            sink.complete();
          } else {
            sink.next(next);
          }
          return next + 1;
        });
  }

  private static void addRecord(Set<Long> found, ListEntry entry, long count) {
    String name = entry.name();
    if (entry instanceof ListEntry.Key
        && name.startsWith(FILE_START)
        && name.endsWith(FILE_END)
        && name.length() > FILE_START.length() + FILE_END.length()) {
      String digits = name.substring(FILE_START.length(), name.length() - FILE_END.length());
      if (digits.length() <= 18 && digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
        long record = Long.parseLong(digits);
        if (record < count) {
          found.add(record);
        }
      }
    }
  }

  @Override
  public Flux<ListEntry> entries(StorePrefix prefix) {
    List<Flux<ListEntry>> parts = new ArrayList<>();
    parts.add(document.metadata().entries(prefix));
    for (ChunkedArray array : document.arrays().values()) {
      if (prefix.value().startsWith(array.prefix())) {
        parts.add(chunks(array, prefix).map(entry -> entry(entry, prefix)).distinctUntilChanged());
      }
    }
    return Flux.concat(parts);
  }

  /** What a chunk is in the listing of a prefix: chunks of one prefix come one after the other. */
  private static ListEntry entry(ListEntry.Key chunk, StorePrefix prefix) {
    int slash = chunk.key().value().indexOf('/', prefix.value().length());
    return slash < 0
        ? chunk
        : new ListEntry.Prefix(StorePrefix.of(chunk.key().value().substring(0, slash + 1)));
  }
}
