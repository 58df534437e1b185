package dev.zarrreactive.store;

import java.net.URI;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A directory as a store: the value of key {@code a/b} is the file {@code a/b} below it.
 *
 * <p><b>Threads.</b> All calls to the file system are made by daemon threads of their own, shared
 * by all file-system stores of the process, and signals arrive on them. A cancel drops a call that
 * waits for a thread and interrupts one that is running.
 *
 * <p><b>Writing.</b> A value is written to a hidden file {@code .zarr-partial-*} next to its own
 * and then takes its place in one step, so that a reader in any process sees the old value or the
 * new one; directories are made as needed. Nothing is forced to the disk. {@link
 * Precondition#ABSENT} is atomic against other processes too. Where the file system has no hard
 * links, such as FAT, a value created so is seen as empty for an instant. A part of a value is
 * written by writing all of it.
 *
 * <p><b>Versions</b> are the file's number, time of change and length. What this store writes has a
 * new one each time. A program that changes a file in place, keeps its length, and does so within
 * some milliseconds of the last change, or turns its time back, is not noticed; one that does so
 * during a read is. {@link Precondition#matches} is atomic against everything else that this
 * process does in the same directory. No file system can replace a file on condition that it is
 * still the same: between looking and replacing, another process has an instant in which what it
 * writes is lost.
 *
 * <p><b>Keys.</b> A file system cannot hold a value at {@code a} and one at {@code a/b}; the second
 * to be written is refused. So are keys that the system has no file name for, and those with a
 * segment that begins with {@code .zarr-partial-}. A file system that knows no upper and lower case
 * takes {@code Foo} and {@code foo} for one key. A directory, a pipe and what is below a file are
 * no values; a base directory that does not exist is an empty store, made by the first write.
 *
 * <p><b>Symbolic links</b> are followed when reading and listing, also out of the base directory: a
 * key cannot lead out of it, but whoever may make a link there can. Do not open directories in
 * which someone you do not trust made links. A write replaces a link, an erase removes it, and what
 * it leads to stays. A listing that meets a link back to a directory it is in fails.
 *
 * <p><b>Listings</b> are in the order of the file system and hold nothing but the open directories
 * between the prefix and the current key. What changes meanwhile may or may not be in them. Erasing
 * removes directories that became empty; one that something else left empty is shown by {@code
 * listDir}.
 */
public final class FileSystemStore extends AbstractStore {
  private static final Set<StoreCapability> CAPABILITIES =
      Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.of(StoreCapability.PARTIAL_WRITE)));

  private final FileKeys keys;
  private final URI uri;

  private FileSystemStore(Path base) {
    this.keys = new FileKeys(base);
    this.uri = FileUris.of(base);
  }

  /** The store in the directory {@code base}, which need not exist. Does not touch it. */
  public static FileSystemStore open(Path base) {
    return new FileSystemStore(base.toAbsolutePath().normalize());
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
    return FileThreads.call(
        () -> {
          FileWrites.write(keys, key, value, precondition);
          return null;
        },
        FileErrors.during("write", key.value()));
  }

  @Override
  public Mono<Void> erase(StoreKey key) {
    return FileThreads.call(
        () -> {
          FileErasure.erase(keys, key, null);
          return null;
        },
        FileErrors.during("erase", key.value()));
  }

  @Override
  public Mono<Void> erase(StoreKey key, Version version) {
    return FileThreads.call(
        () -> {
          FileErasure.erase(keys, key, version);
          return null;
        },
        FileErrors.during("erase", key.value()));
  }

  @Override
  public Mono<Void> erasePrefix(StorePrefix prefix) {
    return FileThreads.call(
        () -> {
          FileErasure.erase(keys, prefix);
          return null;
        },
        FileErrors.during("erase", prefix.value()));
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

  /** The URI. */
  @Override
  public String toString() {
    return "FileSystemStore[" + uri + "]";
  }
}
