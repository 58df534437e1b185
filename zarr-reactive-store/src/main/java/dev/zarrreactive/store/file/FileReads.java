package dev.zarrreactive.store.file;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MemoryExhaustedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Reads values, and parts of them, from files. */
final class FileReads {
  /**
   * The bytes of one read or write. The JDK copies them through a direct buffer of the same size.
   */
  static final int WINDOW = 1 << 20;

  private static final int ATTEMPTS = 16;

  private static final ByteRange ALL = new ByteRange.From(0);

  private FileReads() {}

  /**
   * Reads the value of {@code key}, or a range of it; null if it is missing.
   *
   * @param memory gives an array of at least the requested size
   */
  static @Nullable Bytes read(
      FileKeys keys, StoreKey key, @Nullable ByteRange range, IntFunction<byte[]> memory)
      throws IOException {
    Path file = keys.file(key);
    for (int attempt = 1; ; attempt++) {
      // first: to open a pipe waits for a writer
      BasicFileAttributes found = keys.find(key, file);
      if (found == null) {
        return null;
      }
      try (FileChannel channel = keys.open(file)) {
        return read(key, channel, range, found.size(), memory);
      } catch (NoSuchFileException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
        // erased since: found missing by the next attempt
      }
    }
  }

  /**
   * Reads as {@link #read} does, with the version of the file. A version belongs to the name and
   * not to the open file, so it is taken before and after the read. If the two differ, the file is
   * read again.
   */
  static @Nullable VersionedBytes readVersioned(
      FileKeys keys,
      StoreKey key,
      @Nullable ByteRange range,
      ReadCondition condition,
      IntFunction<byte[]> memory)
      throws IOException {
    Path file = keys.file(key);
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      BasicFileAttributes found = keys.find(key, file);
      if (found == null) {
        return null;
      }
      Version version = FileVersions.of(found);
      VersionedBytes unchanged =
          condition.check(key, version, found.lastModifiedTime().toInstant());
      if (unchanged != null) {
        return unchanged;
      }
      try (FileChannel channel = keys.open(file)) {
        Bytes bytes = read(key, channel, range, found.size(), memory);
        if (version.equals(FileVersions.now(keys, key, file))) {
          return new VersionedBytes(bytes, version);
        }
      } catch (ClosedByInterruptException e) {
        throw e;
      } catch (IOException | StoreException e) {
        if (version.equals(FileVersions.now(keys, key, file))) {
          throw e;
        }
      }
    }
    throw new TransientStoreException(
        "the file was replaced during each of " + ATTEMPTS + " attempts to read it",
        Location.ofKey(key.value()));
  }

  /**
   * Reads a file that had {@code expected} bytes before it was opened. A range up to the end of the
   * file is read with one byte more: where that is missing, the file has this size still, and need
   * not be asked for it.
   */
  private static Bytes read(
      StoreKey key,
      FileChannel channel,
      @Nullable ByteRange range,
      long expected,
      IntFunction<byte[]> memory)
      throws IOException {
    ByteRange.Slice slice = (range == null ? ALL : range).resolve(key, expected);
    if (slice.length() < WINDOW) {
      int more = range instanceof ByteRange.Slice ? 0 : 1;
      int length = (int) slice.length() + more;
      byte[] bytes = room(key, length, memory);
      int read = Math.max(0, channel.read(ByteBuffer.wrap(bytes, 0, length), slice.offset()));
      if (read == slice.length()) {
        return Bytes.wrap(bytes, 0, read);
      }
    }
    return read(key, channel, range);
  }

  private static Bytes read(StoreKey key, FileChannel channel, @Nullable ByteRange range)
      throws IOException {
    long size = channel.size();
    ByteRange.Slice slice = (range == null ? ALL : range).resolve(key, size);
    if (slice.length() > Bytes.MAX_SIZE) {
      throw new StoreException(
          slice.length() + " bytes do not fit into one array; read the value by ranges",
          Location.ofKey(key.value()));
    }
    byte[] bytes = room(key, (int) slice.length(), byte[]::new);
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    while (buffer.position() < bytes.length) {
      buffer.limit(Math.min(bytes.length, buffer.position() + WINDOW));
      if (channel.read(buffer, slice.offset() + buffer.position()) < 0) {
        throw new StoreException(
            "the file became shorter than " + size + " bytes while it was read",
            Location.ofKey(key.value()));
      }
    }
    return Bytes.wrap(bytes);
  }

  private static byte[] room(StoreKey key, int size, IntFunction<byte[]> memory) {
    try {
      return memory.apply(size);
    } catch (OutOfMemoryError e) {
      throw new MemoryExhaustedException(
          "to read a value from a file", size, Location.ofKey(key.value()), e);
    }
  }
}
