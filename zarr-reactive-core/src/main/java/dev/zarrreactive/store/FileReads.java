package dev.zarrreactive.store;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MemoryExhaustedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Reads values, and parts of them, from files. */
final class FileReads {
  /** The JDK copies through a direct buffer as large as what is read or written at a time. */
  static final int WINDOW = 1 << 20;

  private static final int ATTEMPTS = 16;

  private FileReads() {}

  /** The value of {@code key}, or the part of it that {@code range} says; null where missing. */
  static @Nullable Bytes read(FileKeys keys, StoreKey key, @Nullable ByteRange range)
      throws IOException {
    Path file = keys.file(key);
    for (int attempt = 1; ; attempt++) {
      // first: to open a pipe waits for a writer
      if (FileValues.find(keys, key, file) == null) {
        return null;
      }
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
        return read(key, channel, range);
      } catch (NoSuchFileException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
        // erased since: another look tells
      }
    }
  }

  /**
   * As {@link #read}, with the version of the file that was read. A file has none while it is open,
   * only its name has one: it is looked at before and after, and where it is another one the file
   * is read again.
   */
  static @Nullable VersionedBytes readVersioned(
      FileKeys keys, StoreKey key, @Nullable ByteRange range, ReadCondition condition)
      throws IOException {
    Path file = keys.file(key);
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      Version version = FileVersions.now(keys, key, file);
      if (version == null) {
        return null;
      }
      VersionedBytes unchanged = Fallbacks.unchanged(key, version, condition);
      if (unchanged != null) {
        return unchanged;
      }
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
        Bytes bytes = read(key, channel, range);
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
        "the file was replaced each of the " + ATTEMPTS + " times that it was read",
        Location.ofKey(key.value()));
  }

  private static Bytes read(StoreKey key, FileChannel channel, @Nullable ByteRange range)
      throws IOException {
    long size = channel.size();
    ByteRange wanted = range == null ? new ByteRange.From(0) : range;
    ByteRange.Slice slice = wanted.resolve(key, size);
    if (slice.length() > PartialWrites.LARGEST_VALUE) {
      throw new StoreException(
          slice.length() + " bytes do not fit into one array; read the value by ranges",
          Location.ofKey(key.value()));
    }
    byte[] bytes = room(key, (int) slice.length());
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

  private static byte[] room(StoreKey key, int size) {
    try {
      return new byte[size];
    } catch (OutOfMemoryError e) {
      throw new MemoryExhaustedException(
          "to read a value from a file", size, Location.ofKey(key.value()), e);
    }
  }
}
