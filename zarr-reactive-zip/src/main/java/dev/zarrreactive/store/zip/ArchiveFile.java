package dev.zarrreactive.store.zip;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.partial.NameLock;
import dev.zarrreactive.internal.partial.PartialFile;
import dev.zarrreactive.store.Precondition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * The file of an archive that is being written: a hidden one next to its own until it is finished.
 * Every call blocks. Values are written side by side, each at the place that it reserved. A failed
 * write leaves a gap that no entry leads to.
 */
final class ArchiveFile {
  /** The JDK copies through a direct buffer as large as what is read or written at a time. */
  private static final int WINDOW = 1 << 20;

  private final Path file;

  /** Shared by the calls that use the channel, exclusive for the call that closes it. */
  private final ReadWriteLock use = new ReentrantReadWriteLock();

  private final AtomicLong end;
  private final ConcurrentNavigableMap<String, WrittenEntry> entries =
      new ConcurrentSkipListMap<>();

  private @Nullable PartialFile partial;
  private volatile boolean isClosed;

  /** An archive for {@code file}, whose first entry begins at {@code start}. */
  ArchiveFile(Path file, long start) {
    this.file = file;
    this.end = new AtomicLong(start);
  }

  /** Returns the entries written so far, by key. They may change at any time. */
  ConcurrentNavigableMap<String, WrittenEntry> entries() {
    return entries;
  }

  /** An error after the archive was finished or discarded. */
  void refuseClosed(Location place) {
    if (isClosed) {
      throw new StoreException(
          "the new zip " + file + " is closed; open it with ZipStore.open", place);
    }
  }

  void write(StoreKey key, Bytes value, Precondition precondition) throws IOException {
    Location place = Location.ofKey(key.value());
    byte[] name = name(key, place);
    int crc = Inflation.crc(value);
    use.readLock().lock();
    try {
      refuseClosed(place);
      if (precondition == Precondition.ABSENT && entries.containsKey(key.value())) {
        throw exists(place);
      }
      FileChannel open = open();
      int header = LocalHeader.SIZE + name.length;
      long offset = end.getAndAdd((long) header + value.size());
      WrittenEntry entry = new WrittenEntry(offset, offset + header, value.size(), crc);
      write(open, Records.local(name, entry), offset);
      write(
          open,
          ByteBuffer.wrap(value.unsafeArray(), value.unsafeOffset(), value.size()),
          entry.dataOffset());
      if (precondition == Precondition.NONE) {
        entries.put(key.value(), entry);
      } else if (entries.putIfAbsent(key.value(), entry) != null) {
        throw exists(place);
      }
    } finally {
      use.readLock().unlock();
    }
  }

  Bytes read(StoreKey key, WrittenEntry entry, int from, int length) throws IOException {
    Location place = Location.ofKey(key.value());
    byte[] bytes = new byte[length];
    use.readLock().lock();
    try {
      refuseClosed(place);
      FileChannel open = open();
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      while (buffer.position() < length) {
        buffer.limit(Math.min(length, buffer.position() + WINDOW));
        if (open.read(buffer, entry.dataOffset() + from + buffer.position()) < 0) {
          throw new StoreException(
              "the hidden file of the new zip " + file + " was cut short", place);
        }
      }
      return Bytes.wrap(bytes);
    } finally {
      use.readLock().unlock();
    }
  }

  /** Writes the central directory, and lets the file take its place. Only the first call acts. */
  void finish() throws IOException {
    use.writeLock().lock();
    try {
      if (isClosed) {
        return;
      }
      isClosed = true;
      FileChannel open = open();
      writeDirectory(open);
      open.force(true);
      PartialFile written = Objects.requireNonNull(partial);
      written.settle(() -> {});
      NameLock.move(written.path(), file);
    } finally {
      close();
      use.writeLock().unlock();
    }
  }

  /** Removes what was written. Nothing, once the archive is finished. */
  void discard() {
    use.writeLock().lock();
    try {
      isClosed = true;
      close();
    } finally {
      use.writeLock().unlock();
    }
  }

  private synchronized void close() {
    PartialFile written = partial;
    if (written != null) {
      written.close();
    }
  }

  private void writeDirectory(FileChannel open) throws IOException {
    long start = end.get();
    long at = start;
    ByteBuffer window = ByteBuffer.allocate(WINDOW);
    for (Map.Entry<String, WrittenEntry> entry : entries.entrySet()) {
      StoreKey key = StoreKey.of(entry.getKey());
      ByteBuffer record = Records.central(name(key, Location.UNKNOWN), entry.getValue());
      if (record.remaining() > window.remaining()) {
        at += write(open, window.flip(), at);
        window.clear();
      }
      window.put(record);
    }
    at += write(open, window.flip(), at);
    write(open, Records.end(entries.size(), at - start, start), at);
  }

  private synchronized FileChannel open() throws IOException {
    PartialFile open = partial;
    if (open == null) {
      Path parent = Objects.requireNonNull(file.getParent());
      Files.createDirectories(parent);
      open = PartialFile.create(parent);
      partial = open;
    }
    return open.channel();
  }

  private static int write(FileChannel open, ByteBuffer bytes, long at) throws IOException {
    int start = bytes.position();
    int limit = bytes.limit();
    while (bytes.position() < limit) {
      bytes.limit(Math.min(limit, bytes.position() + WINDOW));
      open.write(bytes, at + bytes.position() - start);
    }
    return limit - start;
  }

  /** The name of a key's entry; an error where other programs would take it for another key. */
  private static byte[] name(StoreKey key, Location place) {
    byte[] name = ZipNames.encode(key.value());
    if (name == null || name.length > Fields.SEE_ZIP64_16) {
      throw new StoreException("the name of a zip entry has at most 65535 bytes of UTF-8", place);
    }
    if (key.value().indexOf('\\') >= 0) {
      throw new StoreException(
          "some programs take a backslash in the name of a zip entry for a slash", place);
    }
    return name;
  }

  private static PreconditionFailedException exists(Location place) {
    return new PreconditionFailedException("there is a value at the key already", place);
  }

  @Override
  public String toString() {
    return file.toString();
  }
}
