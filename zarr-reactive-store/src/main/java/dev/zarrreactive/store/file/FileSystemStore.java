package dev.zarrreactive.store.file;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.internal.threads.FileThreads;
import dev.zarrreactive.store.AbstractStore;
import dev.zarrreactive.store.LeftoverStore;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
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
 * new one; directories are made as needed. Nothing is forced to the disk. On a file system without
 * hard links, such as FAT, a value of {@link Precondition#ABSENT} is seen as empty for an instant.
 * To write a part of a value, the store writes the whole value.
 *
 * <p><b>Conditions</b> hold among all threads and all processes that use this library: each change
 * of a file, also one without a condition, and each erasure, is made under the lock of the file's
 * name, a hidden file {@code .zarr-partial-lock-*} beside it that exists for a few calls to the
 * file system. A change that finds the lock taken waits, without a thread, and is a {@link
 * dev.zarrreactive.error.TransientStoreException} after ten seconds or more. {@link
 * Precondition#ABSENT} is atomic against other programs, too. A program without this library
 * ignores the lock, so its write between the check of a version and the replacement is lost.
 *
 * <p><b>Dead writers</b> leave hidden files. The lock of a dead process is taken over if the
 * operating system reports its death: on the same machine, on a file system with locks. Otherwise
 * it is taken over after a day, and until then changes of the file fail. Erasures and {@link
 * #clean} remove the hidden files of dead writers, and keep the files of live ones; {@link
 * #leftovers} lists them.
 *
 * <p><b>Versions</b> are the file's number, time of change and length. Each write of this store
 * makes a new version. Another program may change a file in place without a new version, if it
 * keeps the length and changes the file within some milliseconds of the last change or turns its
 * time back. Such a change is noticed only during a read.
 *
 * <p><b>Keys.</b> A file system cannot hold a value at {@code a} and one at {@code a/b}; the second
 * to be written is refused. So are keys that the system has no file name for, and those with a
 * segment that begins with {@code .zarr-partial-}. A case-insensitive file system, as macOS and
 * Windows have it, cannot hold both {@code Foo} and {@code foo}: each access to a key refuses it
 * where there is a file of the same name in another case. Names that differ in Unicode
 * normalisation alone may be one key. A base directory that does not exist is an empty store; the
 * first write creates it.
 *
 * <p><b>Missing</b> is a key only if there is no file at its path. A read fails if there is a
 * directory, a pipe, a device or a symbolic link with a missing target, or if the path leads
 * through a file. So a chunk that git-annex has not fetched is an error instead of fill values.
 *
 * <p><b>Symbolic links</b> are followed when reading and listing, even out of the base directory. A
 * key cannot lead out of it, but a link can: {@link #withoutLinksOut} refuses that. A write to a
 * key replaces a link at the key. {@link #erasePrefix} removes the links below the prefix and at
 * it, and enters none; their targets stay. A listing says of a value that a link leads to it
 * ({@link ListEntry.Key#isBehindLink}). The key of such a value is written and erased where the
 * link leads to, as a program would that uses the path. A base that is a link is the directory that
 * it leads to, and stays a link. {@link #move} renames a link itself. A listing omits a link back
 * to one of its parent directories, because the keys below it repeat without end. A dangling link
 * is listed as a key.
 *
 * <p><b>Listings</b> are in the order of the file system and hold nothing but the open directories
 * between the prefix and the current key. A concurrent change may or may not be in them. An erasure
 * removes directories that became empty; {@code listDir} shows directories that were empty before.
 */
public final class FileSystemStore extends AbstractStore implements LeftoverStore {
  private static final Set<StoreCapability> CAPABILITIES =
      Collections.unmodifiableSet(EnumSet.allOf(StoreCapability.class));

  /** The attempts to acquire a lock; with pauses of up to 50 ms they take at least ten seconds. */
  private static final int ATTEMPTS = 600;

  private final FileKeys keys;
  private final URI uri;

  private final int attempts;

  FileSystemStore(Path base, int attempts) {
    this(new FileKeys(base), attempts);
  }

  private FileSystemStore(FileKeys keys, int attempts) {
    this.keys = keys;
    this.uri = FileUris.of(keys.base());
    this.attempts = attempts;
  }

  /**
   * Opens the store in the directory {@code base}, which need not exist. Makes no call to the file
   * system. The path may be of any file system whose provider has file channels.
   */
  public static FileSystemStore open(Path base) {
    return new FileSystemStore(base.toAbsolutePath().normalize(), ATTEMPTS);
  }

  /**
   * Opens the store in the directory that a {@code file:} URI names (RFC 8089), such as {@code
   * file:///data/my%20array.zarr}. Makes no call to the file system.
   *
   * @throws IllegalArgumentException if {@code uri} is no such URI
   */
  public static FileSystemStore open(URI uri) {
    return open(FileUris.path(uri));
  }

  /**
   * Returns a store of the same directory that follows no symbolic link out of it, for directories
   * of others. A key that such a link leads to is an {@link
   * dev.zarrreactive.error.AccessDeniedException}. Such a link is listed as a key, so that no
   * reader takes its values for missing. This holds for reads and listings also while another
   * program changes links. Each access costs two more calls to the file system, and a read or a
   * listing a few for each directory on the way.
   */
  public FileSystemStore withoutLinksOut() {
    return new FileSystemStore(keys.withinBase(), attempts);
  }

  /**
   * The canonical URI: absolute, percent-encoded, without a slash at its end. A directory in a file
   * system that is not this machine's has the URI that its {@link Path} gives.
   */
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
    return FileThreads.read(
        this,
        memory -> FileReads.read(keys, key, null, memory),
        FileErrors.during("read", key.value()));
  }

  @Override
  public Mono<Bytes> get(StoreKey key, ByteRange range) {
    return FileThreads.read(
        this,
        memory -> FileReads.read(keys, key, range, memory),
        FileErrors.during("read", key.value()));
  }

  @Override
  public Mono<VersionedBytes> getVersioned(
      StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
    return FileThreads.read(
        this,
        memory -> FileReads.readVersioned(keys, key, range, condition, memory),
        FileErrors.during("read", key.value()));
  }

  @Override
  public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
    return change(() -> new FileWrite(keys, key, value, precondition), "write", key.value());
  }

  /**
   * {@inheritDoc}
   *
   * <p>Each piece is appended to the hidden file, which takes its place after the last one.
   */
  @Override
  public Mono<Void> set(StoreKey key, Publisher<Bytes> pieces, Precondition precondition) {
    FileThreads.Errors errors = FileErrors.during("write", key.value());
    return FileThreads.attempt(
        () -> new FileWrite(keys, key, null, precondition),
        write -> Flux.from(pieces).concatMap(piece -> append(write, piece, errors), 1).then(),
        attempts,
        errors,
        () -> FileErrors.held("write", key.value()));
  }

  private static Mono<Void> append(FileWrite write, Bytes piece, FileThreads.Errors errors) {
    return FileThreads.call(
        () -> {
          write.append(piece);
          return null;
        },
        errors);
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
  public Flux<StoreKey> listPrefix(StorePrefix prefix) {
    return listValues(prefix).map(ListEntry.Key::key);
  }

  @Override
  public Flux<ListEntry.Key> listValues(StorePrefix prefix) {
    return FileThreads.pull(
        () -> new FileWalk(keys, prefix, true), FileErrors.during("list", prefix.value()));
  }

  /**
   * Lists the values below a prefix as {@link #listValues} does, and enters no symbolic link to a
   * directory: the values that {@link #erasePrefix} removes. A link to a file is among them, and so
   * is one that leads nowhere. Empty where the prefix is a link itself.
   */
  public Flux<ListEntry.Key> listOwnValues(StorePrefix prefix) {
    return FileThreads.pull(
        () -> new FileWalk(keys, prefix, false), FileErrors.during("list", prefix.value()));
  }

  @Override
  public Flux<ListEntry> listDir(StorePrefix prefix) {
    return FileThreads.pull(
        () -> new FileEntries(keys, prefix), FileErrors.during("list", prefix.value()));
  }

  /**
   * Gives all values below a prefix another prefix in one step, by renaming their directory. Values
   * that another program writes meanwhile may end below either prefix.
   *
   * @param from the old prefix, which is not the root
   * @param to the new prefix, which has no values
   * @return false if the file system cannot do it in one step, because both are on different disks;
   *     nothing has changed then. {@link dev.zarrreactive.error.PreconditionFailedException} if the
   *     new prefix has files
   */
  public Mono<Boolean> move(StorePrefix from, StorePrefix to) {
    return FileThreads.call(
        () -> FileMove.move(keys, from, to), FileErrors.during("move", from.value()));
  }

  /**
   * Lists the hidden files of dead writers below the directory. Visits every directory without
   * following links, on a thread of the store, which a cancel interrupts.
   */
  public Flux<Leftover> leftovers() {
    return FileThreads.call(
            () -> FileLeftovers.find(keys.base()), FileErrors.during("look through", ""))
        .flatMapIterable(found -> found);
  }

  /**
   * Removes the {@link #leftovers}, and emits their number. The files of live writers stay, even of
   * other processes. Fails if a directory cannot be read or the removal of a file fails.
   */
  public Mono<Long> clean() {
    return FileThreads.call(() -> FileLeftovers.clean(keys.base()), FileErrors.during("clean", ""));
  }

  /** As {@link #leftovers()}, of any age: the system knows which writers still run. */
  @Override
  public Flux<Leftover> leftovers(Duration age) {
    return leftovers();
  }

  /** As {@link #clean()}, of any age. */
  @Override
  public Mono<Long> clean(Duration age) {
    return clean();
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
