package dev.zarrreactive.store.zip;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MemoryExhaustedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.store.SortedListing;
import dev.zarrreactive.store.AbstractStore;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.file.FileSystemStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A zip archive as a store that is read: the value of key {@code a/b} is the entry {@code a/b}. The
 * archive is a value of another store and stays there; what is read of it is read by ranges, never
 * all of it.
 *
 * <p><b>Requests.</b> Opening asks for the last 66,560 bytes, and once more where the central
 * directory is longer. An archive of at most 66,560 bytes needs no further request. Otherwise a
 * whole value is one request, and a range of a stored one is one request of just these bytes; but
 * the first range of an entry brings along what is before it, or is two requests where that is more
 * than 64 KiB. A local header with unusually long extra fields costs one request more, once. A
 * range of a deflated entry reads all of it. The directory is kept: some forty bytes and the name
 * for each entry.
 *
 * <p><b>Supported archives.</b> Stored and deflated entries, zip64, comments, data descriptors,
 * archives behind a program of up to 16 MiB. Names are UTF-8 where they say so, or can be and were
 * made on Unix or macOS, and code page 437 otherwise. Of several entries with one name the last
 * counts. Directories are no values. Entries that are encrypted or compressed otherwise are listed,
 * and refused when read. A name that is no key is read as other programs unpack it: without a slash
 * at its start, empty segments and {@code .}; and with slashes for backslashes where it has no
 * slash. An entry whose name is the key itself goes before. Zeros and white space may follow the
 * archive.
 *
 * <p><b>Refusals.</b> A whole archive: where a name is in no known encoding; where a directory,
 * count or offset is not what it should be. A key, and every listing of it: where an entry may hold
 * its value whose name cannot be a key, such as {@code ../a} for {@code a}, for a missing key would
 * read as fill values; {@link #skippedEntries} tells the names. An entry: where its local header is
 * another's; where its data differ from the directory in size or CRC-32 (ranges of stored entries
 * are not checked); before anything is allocated, where it says that it inflates to more than 2 GiB
 * or than deflating can do, or from more than twice its size and 64 KiB. A read with a bound looks
 * at the size in the directory; an entry that inflates to more than that is refused when it does,
 * and nothing is allocated for the rest. The error is a {@link StoreException} with the key of the
 * entry, or of the archive. Errors of the other store are passed on as they are.
 *
 * <p><b>Threads.</b> Directories are read, and values inflated and checked, by daemon threads of
 * their own, one for each core, shared by all zip stores of the process.
 *
 * <p><b>Listings</b> are in the order of the keys' UTF-8 bytes and ask for nothing. Closing leaves
 * the other store open, for the caller to close.
 */
public final class ZipStore extends AbstractStore {
  private static final Set<StoreCapability> WITH_RANGES =
      Set.of(StoreCapability.READ, StoreCapability.LIST, StoreCapability.PARTIAL_READ);
  private static final Set<StoreCapability> WITHOUT_RANGES =
      Set.of(StoreCapability.READ, StoreCapability.LIST);

  private final ZipSource source;
  private final ZipDirectory directory;
  private final EntryReader reader;

  private ZipStore(ZipSource source, ZipDirectory directory) {
    this.source = source;
    this.directory = directory;
    this.reader = new EntryReader(source, directory.slots());
  }

  /**
   * Opens the archive that is the value of {@code key} in {@code store}; an error where there is
   * none. Each subscription opens it anew.
   */
  public static Mono<ZipStore> open(Store store, StoreKey key) {
    return store
        .get(key, new ByteRange.Suffix(DirectoryEnd.TAIL))
        .switchIfEmpty(Mono.error(() -> missing(store, key)))
        .publishOn(ZipThreads.computing())
        .flatMap(tail -> open(ZipSource.of(store, key, tail), tail));
  }

  /**
   * Opens the archive that is the file {@code file}, as {@link #open(Store, StoreKey)}.
   *
   * @throws IllegalArgumentException where the path has no file name
   */
  public static Mono<ZipStore> open(Path file) {
    Path absolute = file.toAbsolutePath().normalize();
    Path directory = absolute.getParent();
    if (directory == null) {
      throw new IllegalArgumentException("not a file: " + file);
    }
    return open(
        FileSystemStore.open(directory), StoreKey.of(String.valueOf(absolute.getFileName())));
  }

  /** A new archive in the file {@code file}; does not touch it. */
  public static NewZipStore create(Path file) {
    return new NewZipStore(new ArchiveFile(file.toAbsolutePath().normalize(), 0));
  }

  private static Mono<ZipStore> open(ZipSource source, Bytes tail) {
    DirectoryEnd end = source.end();
    DirectoryReader reader = new DirectoryReader(end, source.place());
    Bytes near = end.directoryIn(tail);
    Mono<Bytes> directory =
        near != null
            ? Mono.just(near)
            : source
                .locate(
                    () ->
                        source
                            .read(end.offset(), end.size())
                            .filter(bytes -> bytes.getInt(0) == CentralRecord.SIGNATURE))
                .switchIfEmpty(Mono.error(() -> noDirectory(source)))
                .publishOn(ZipThreads.computing());
    return directory.map(bytes -> new ZipStore(source, read(source, reader, bytes)));
  }

  private static ZipDirectory read(ZipSource source, DirectoryReader reader, Bytes directory) {
    try {
      return reader.read(directory);
    } catch (OutOfMemoryError e) {
      throw new MemoryExhaustedException(
          "for the directory of a zip", MemoryExhaustedException.UNKNOWN_SIZE, source.place(), e);
    }
  }

  /** Includes {@link StoreCapability#PARTIAL_READ} only if an entry is stored uncompressed. */
  @Override
  public Set<StoreCapability> capabilities() {
    return directory.isAllCompressed() ? WITHOUT_RANGES : WITH_RANGES;
  }

  @Override
  public Mono<Bytes> get(StoreKey key) {
    return Mono.defer(
        () -> {
          Entry entry = directory.find(key);
          return entry == null ? missing(key) : reader.whole(key, entry);
        });
  }

  @Override
  public Mono<Bytes> get(StoreKey key, ByteRange range) {
    return Mono.defer(
        () -> {
          Entry entry = directory.find(key);
          return entry == null ? missing(key) : reader.part(key, entry, range);
        });
  }

  @Override
  public Flux<StoreKey> listPrefix(StorePrefix prefix) {
    return listValues(prefix).map(ListEntry.Key::key);
  }

  @Override
  public Flux<ListEntry.Key> listValues(StorePrefix prefix) {
    return Flux.defer(
        () -> {
          refuseUnlisted(prefix);
          String from = prefix.value();
          int first = directory.rank(from);
          int end =
              from.isEmpty() ? directory.size() : directory.rank(SortedListing.firstAfter(from));
          return Flux.range(first, end - first)
              .map(
                  rank ->
                      new ListEntry.Key(
                          StoreKey.of(directory.key(rank)), directory.valueSize(rank)));
        });
  }

  @Override
  public Flux<ListEntry> listDir(StorePrefix prefix) {
    return Flux.defer(
        () -> {
          refuseUnlisted(prefix);
          return SortedListing.entries(
              prefix,
              from -> {
                int rank = directory.rank(from);
                return rank < directory.size() ? directory.key(rank) : null;
              },
              key -> directory.valueSize(directory.rank(key)));
        });
  }

  /**
   * The names of the entries that mean no key for certain: names with a segment {@code ..}, a NUL,
   * a drive of Windows, or both a slash and a backslash. A listing of keys that the entries may
   * hold fails. The names are in quotes, for people.
   */
  public List<String> skippedEntries() {
    return directory.unusable().all();
  }

  /** Nothing; an error where an entry that cannot be a key may hold the value. */
  private Mono<Bytes> missing(StoreKey key) {
    String name = directory.unusable().of(key);
    return name == null
        ? Mono.empty()
        : Mono.error(() -> unusable(name, key.value(), Location.ofKey(key.value())));
  }

  /** Fails where an entry that cannot be a key may hold a value below the prefix. */
  private void refuseUnlisted(StorePrefix prefix) {
    for (Map.Entry<String, String> unlisted : directory.unusable().below(prefix)) {
      if (!directory.has(unlisted.getKey())) {
        throw unusable(unlisted.getValue(), unlisted.getKey(), source.place());
      }
    }
  }

  private StoreException unusable(String name, String key, Location place) {
    return new StoreException(
        "the zip "
            + source
            + " has an entry "
            + name
            + ", which cannot be a key and may hold a value; write it again as \""
            + key
            + "\"",
        place);
  }

  /** The archive's key and store. */
  @Override
  public String toString() {
    return "ZipStore[" + source + "]";
  }

  private static StoreException missing(Store store, StoreKey key) {
    return new StoreException("there is no zip to open in " + store, Location.ofKey(key.value()));
  }

  private static StoreException noDirectory(ZipSource source) {
    return new StoreException(
        "not a zip that can be read: its central directory is not where its end says",
        source.place());
  }
}
