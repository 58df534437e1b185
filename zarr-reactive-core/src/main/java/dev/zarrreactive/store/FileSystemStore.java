package dev.zarrreactive.store;

import java.net.URI;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A directory as a store: the value of key {@code a/b} is the file {@code a/b} below it.
 *
 * <p><b>Threads.</b> All calls to the file system are made by daemon threads of their own, shared
 * by all file-system stores of the process, and signals arrive on them. A cancel drops a call that
 * waits for a thread and interrupts one that is running. Any other interrupt is an error. A value
 * that does not fit into the heap is a {@link dev.zarrreactive.error.MemoryExhaustedException}.
 *
 * <p><b>Writing.</b> A value is written to a hidden file {@code .zarr-partial-*} next to its own
 * and then takes its place in one step, so that a reader in any process sees the old value or the
 * new one; directories are made as needed. Nothing is forced to the disk. Where the file system has
 * no hard links, such as FAT, a value of {@link Precondition#ABSENT} is seen as empty for an
 * instant. A part of a value is written by writing all of it.
 *
 * <p><b>Conditions</b> hold among all threads and all processes that use this library: each change
 * of a file, also one without a condition, and each erasure, is made under the lock of the file's
 * name, a hidden file {@code .zarr-partial-lock-*} beside it that exists for a few calls to the
 * file system. A change that finds the lock taken waits, without a thread, and is a {@link
 * dev.zarrreactive.error.TransientStoreException} after ten seconds or more. {@link
 * Precondition#ABSENT} is atomic against other programs, too. Any other condition is not: a program
 * that does not use this library sees no lock, and what it writes between the look at the version
 * and the replacement is lost.
 *
 * <p><b>Writers that die</b> leave hidden files. The lock of a process that died is taken over
 * where the operating system tells that it died: on the same machine, on a file system with locks.
 * Otherwise it is taken over after a day, and until then changes of the file are errors. Erasures
 * and {@link #clean} remove what dead writers left, and no file of a live one; {@link #leftovers}
 * lists it.
 *
 * <p><b>Versions</b> are the file's number, time of change and length. What this store writes has a
 * new one each time. A program that changes a file in place, keeps its length, and does so within
 * some milliseconds of the last change, or turns its time back, is not noticed; one that does so
 * during a read is.
 *
 * <p><b>Keys.</b> A file system cannot hold a value at {@code a} and one at {@code a/b}; the second
 * to be written is refused. So are keys that the system has no file name for, and those with a
 * segment that begins with {@code .zarr-partial-}. A file system that knows no upper and lower case
 * takes {@code Foo} and {@code foo} for one key. A base directory that does not exist is an empty
 * store, made by the first write.
 *
 * <p><b>Missing</b> is a key only where nothing is. To read one where a directory, a pipe or a
 * device is, or a symbolic link whose target is missing, or whose way leads through a file, is an
 * error: chunks that were not fetched do not read as fill values.
 *
 * <p><b>Symbolic links</b> are followed when reading and listing, also out of the base directory: a
 * key cannot lead out of it, but whoever may make a link there can. Do not open directories in
 * which someone you do not trust made links. A write replaces a link, an erase removes it, and what
 * it leads to stays. A listing leaves out a link back to a directory that it stands in, with all
 * keys below it: they have no end, and are listed under another name. A link that leads nowhere is
 * listed as a key.
 *
 * <p><b>Listings</b> are in the order of the file system and hold nothing but the open directories
 * between the prefix and the current key. What changes meanwhile may or may not be in them. Erasing
 * removes directories that became empty; one that something else left empty is shown by {@code
 * listDir}.
 */
public final class FileSystemStore extends AbstractStore {
  private static final Set<StoreCapability> CAPABILITIES =
      Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.of(StoreCapability.PARTIAL_WRITE)));

  /** With pauses of up to 50 ms, at least ten seconds. */
  private static final int ATTEMPTS = 600;

  private final FileKeys keys;
  private final URI uri;

  private final int attempts;

  FileSystemStore(Path base, int attempts) {
    this.keys = new FileKeys(base);
    this.uri = FileUris.of(base);
    this.attempts = attempts;
  }

  /** The store in the directory {@code base}, which need not exist. Does not touch it. */
  public static FileSystemStore open(Path base) {
    return new FileSystemStore(base.toAbsolutePath().normalize(), ATTEMPTS);
  }

  /**
   * The store in the directory that a {@code file:} URI names (RFC 8089), such as {@code
   * file:///data/my%20array.zarr}. Does not touch it.
   *
   * @throws IllegalArgumentException where {@code uri} is no such URI
   */
  public static FileSystemStore open(URI uri) {
    return open(FileUris.path(uri));
  }

  /** The canonical URI: absolute, percent-encoded, without a slash at its end. */
  public URI uri() {
    return uri;
  }

  /** The base directory, absolute. */
  public Path directory() {
    return keys.base();
  }

  @Override
  public Set<StoreCapability> capabilities() {
    return CAPABILITIES;
  }

  @Override
  public Mono<Bytes> get(StoreKey key) {
    return FileThreads.call(
        () -> FileReads.read(keys, key, null), FileErrors.during("read", key.value()));
  }

  @Override
  public Mono<Bytes> get(StoreKey key, ByteRange range) {
    return FileThreads.call(
        () -> FileReads.read(keys, key, range), FileErrors.during("read", key.value()));
  }

  @Override
  public Mono<VersionedBytes> getVersioned(
      StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
    return FileThreads.call(
        () -> FileReads.readVersioned(keys, key, range, condition),
        FileErrors.during("read", key.value()));
  }

  @Override
  public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
    return change(() -> new FileWrite(keys, key, value, precondition), "write", key.value());
  }

  @Override
  public Mono<Void> erase(StoreKey key) {
    return change(() -> new FileErase(keys, key, null), "erase", key.value());
  }

  @Override
  public Mono<Void> erase(StoreKey key, Version version) {
    return change(() -> new FileErase(keys, key, version), "erase", key.value());
  }

  @Override
  public Mono<Void> erasePrefix(StorePrefix prefix) {
    return change(() -> new FileErasePrefix(keys, prefix), "erase", prefix.value());
  }

  @Override
  public Flux<StoreKey> list() {
    return listPrefix(StorePrefix.ROOT);
  }

  @Override
  public Flux<StoreKey> listPrefix(StorePrefix prefix) {
    return FileThreads.pull(
        () -> new FileWalk(keys, prefix), FileErrors.during("list", prefix.value()));
  }

  @Override
  public Flux<ListEntry> listDir(StorePrefix prefix) {
    return FileThreads.pull(
        () -> new FileEntries(keys, prefix), FileErrors.during("list", prefix.value()));
  }

  /**
   * Tells what writers that died have left below the directory: hidden files that are no values.
   * Looks at every directory, and follows no links. The thread is one of the store's; a cancel
   * interrupts it.
   */
  public Flux<Leftover> leftovers() {
    return FileThreads.call(
            () -> FileLeftovers.find(keys.base()), FileErrors.during("look through", ""))
        .flatMapIterable(found -> found);
  }

  /**
   * Removes the {@link #leftovers}, and emits how many there were. The files of live writers, also
   * of other processes, stay. An error where a directory cannot be read or a file not be removed.
   */
  public Mono<Long> clean() {
    return FileThreads.call(() -> FileLeftovers.clean(keys.base()), FileErrors.during("clean", ""));
  }

  private Mono<Void> change(Supplier<FileThreads.Task> task, String doing, String key) {
    return FileThreads.attempt(
        task, attempts, FileErrors.during(doing, key), () -> FileErrors.held(doing, key));
  }

  /** The URI. */
  @Override
  public String toString() {
    return "FileSystemStore[" + uri + "]";
  }
}
