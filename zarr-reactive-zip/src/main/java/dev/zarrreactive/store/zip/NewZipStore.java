package dev.zarrreactive.store.zip;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.store.SortedListing;
import dev.zarrreactive.store.AbstractStore;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.StagedStore;
import dev.zarrreactive.store.StoreCapability;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ConcurrentNavigableMap;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A new zip archive in a local file, as a store that is written and, until it is closed, read.
 * {@link ZipStore#create} makes one.
 *
 * <p><b>Closing makes the archive.</b> Values go to a hidden file {@code .zarr-partial-*} next to
 * the archive's own; {@link #close()} writes the central directory, forces all to the disk and lets
 * the file take its place in one step, also that of an older file. Until then there is no archive.
 * {@link #discard()} removes the hidden file instead. After either call every request is an error.
 *
 * <p><b>The archive</b> has stored entries, for chunks are compressed already, with names in UTF-8
 * and no times; zip64 where it needs to be. Entries are in the order in which they were written,
 * the central directory in that of the keys.
 *
 * <p><b>Changing values.</b> An archive only grows: a value that is set again is written again, and
 * the bytes of the one it replaces, or of one that was erased, stay in the file, where nothing
 * leads to them. Write whole chunks. Keys with a backslash are refused, and names above 65,535
 * bytes.
 *
 * <p><b>Threads.</b> All calls to the file system are made by daemon threads of their own, shared
 * by all zip stores of the process, and signals arrive on them. Values are written one after the
 * other. A cancel drops a call that waits for a thread; one that is running runs to its end.
 *
 * <p><b>Listings</b> are in the order of the keys' code units; what changes meanwhile may or may
 * not be in them. {@link Precondition#ABSENT} is atomic among all writers of this store.
 */
public final class NewZipStore extends AbstractStore implements StagedStore {
  private static final Set<StoreCapability> CAPABILITIES =
      Collections.unmodifiableSet(
          EnumSet.complementOf(
              EnumSet.of(StoreCapability.VERSIONS, StoreCapability.CONDITIONAL_ERASE)));

  private final ArchiveFile archive;

  NewZipStore(ArchiveFile archive) {
    this.archive = archive;
  }

  @Override
  public Set<StoreCapability> capabilities() {
    return CAPABILITIES;
  }

  @Override
  public Mono<Bytes> get(StoreKey key) {
    return get(key, new ByteRange.From(0));
  }

  @Override
  public Mono<Bytes> get(StoreKey key, ByteRange range) {
    Location place = Location.ofKey(key.value());
    return ZipThreads.<Bytes>call(() -> archive.read(key, range))
        .onErrorMap(IOException.class, error -> during("read", place, error));
  }

  @Override
  public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
    if (precondition.version() != null) {
      return Mono.error(() -> refusal(StoreCapability.VERSIONS, "set on a version", key));
    }
    return call(
        "write", Location.ofKey(key.value()), () -> archive.write(key, value, precondition));
  }

  @Override
  public Mono<Void> erase(StoreKey key) {
    return Mono.fromRunnable(() -> open(key.value()).remove(key.value()));
  }

  @Override
  public Flux<StoreKey> listPrefix(StorePrefix prefix) {
    String from = prefix.value();
    return Flux.defer(
            () -> {
              ConcurrentNavigableMap<String, ArchiveFile.Entry> all = open(from);
              return Flux.fromIterable(
                  from.isEmpty()
                      ? all.keySet()
                      : all.subMap(from, SortedListing.firstAfter(from)).keySet());
            })
        .map(StoreKey::of);
  }

  @Override
  public Flux<ListEntry> listDir(StorePrefix prefix) {
    return SortedListing.entries(prefix, from -> open(prefix.value()).ceilingKey(from));
  }

  /** Finishes the archive. Only the first of this and {@link #discard} has an effect. */
  @Override
  public Mono<Void> close() {
    return call("finish", Location.UNKNOWN, archive::finish);
  }

  /** Gives up the archive and removes what was written; the file that it was for stays as it is. */
  @Override
  public Mono<Void> discard() {
    return call("discard", Location.UNKNOWN, archive::discard);
  }

  /** The file's path. */
  @Override
  public String toString() {
    return "NewZipStore[" + archive + "]";
  }

  private interface Act {
    void run() throws IOException;
  }

  private Mono<Void> call(String doing, Location place, Act act) {
    return ZipThreads.<Void>call(
            () -> {
              act.run();
              return null;
            })
        .onErrorMap(IOException.class, error -> during(doing, place, error));
  }

  private StoreException during(String doing, Location place, IOException error) {
    String what = "cannot " + doing + " the zip " + archive + ": ";
    if (error instanceof java.nio.file.AccessDeniedException) {
      return new AccessDeniedException(
          what + "the file system does not let this user", place, error);
    }
    String reason = error instanceof FileSystemException at ? at.getReason() : null;
    return new StoreException(what + (reason == null ? error : reason), place, error);
  }

  private ConcurrentNavigableMap<String, ArchiveFile.Entry> open(String key) {
    archive.refuseClosed(Location.ofKey(key));
    return archive.entries();
  }
}
