package dev.zarrreactive.store.zip;

import dev.zarrreactive.base.ByteRange;
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
import org.jspecify.annotations.Nullable;

/**
 * The file of an archive that is being written: a hidden one next to its own until it is finished.
 * Every call blocks, and one at a time uses the file: a file system writes one file by one thread
 * at a time, too. A write that fails leaves nothing: the next one begins at the same place.
 */
final class ArchiveFile {
  /** The JDK copies through a direct buffer as large as what is read or written at a time. */
  private static final int WINDOW = 1 << 20;

  /**
   * A value in the archive.
   *
   * @param offset where its local header begins
   * @param dataOffset where its bytes begin
   */
  record Entry(long offset, long dataOffset, int size, int crc) {}

  private final Path file;
  private final ConcurrentNavigableMap<String, Entry> entries = new ConcurrentSkipListMap<>();
  private long end;
  private @Nullable PartialFile partial;
  private volatile boolean isClosed;

  /** An archive for {@code file}, whose first entry begins at {@code start}. */
  ArchiveFile(Path file, long start) {
    this.file = file;
    this.end = start;
  }

  /** Returns the entries written so far, by key. They may change at any time. */
  ConcurrentNavigableMap<String, Entry> entries() {
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
    synchronized (this) {
      refuseClosed(place);
      if (precondition.equals(Precondition.ABSENT) && entries.containsKey(key.value())) {
        throw new PreconditionFailedException("there is a value at the key already", place);
      }
      FileChannel open = open();
      Entry entry = new Entry(end, end + LocalHeader.SIZE + name.length, value.size(), crc);
      write(open, Records.local(name, entry), entry.offset());
      write(
          open,
          ByteBuffer.wrap(value.unsafeArray(), value.unsafeOffset(), value.size()),
          entry.dataOffset());
      end = entry.dataOffset() + value.size();
      entries.put(key.value(), entry);
    }
  }

  /** Returns a part of the value; null where there is none. */
  synchronized @Nullable Bytes read(StoreKey key, ByteRange range) throws IOException {
    Location place = Location.ofKey(key.value());
    refuseClosed(place);
    Entry entry = entries.get(key.value());
    if (entry == null) {
      return null;
    }
    ByteRange.Slice slice = range.resolve(key, entry.size());
    byte[] bytes = new byte[(int) slice.length()];
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    FileChannel open = open();
    while (buffer.position() < bytes.length) {
      buffer.limit(Math.min(bytes.length, buffer.position() + WINDOW));
      if (open.read(buffer, entry.dataOffset() + slice.offset() + buffer.position()) < 0) {
        throw new StoreException(
            "the hidden file of the new zip " + file + " was cut short", place);
      }
    }
    return Bytes.wrap(bytes);
  }

  /** Writes the central directory, and lets the file take its place. Only the first call acts. */
  synchronized void finish() throws IOException {
    if (isClosed) {
      return;
    }
    isClosed = true;
    try {
      FileChannel open = open();
      writeDirectory(open);
      open.force(true);
      PartialFile written = Objects.requireNonNull(partial);
      written.settle(() -> {});
      NameLock.move(written.path(), file);
    } finally {
      close();
    }
  }

  /** Removes what was written. Nothing, once the archive is finished. */
  synchronized void discard() {
    isClosed = true;
    close();
  }

  private void close() {
    PartialFile written = partial;
    if (written != null) {
      written.close();
    }
  }

  private void writeDirectory(FileChannel open) throws IOException {
    long at = end;
    ByteBuffer window = ByteBuffer.allocate(WINDOW);
    for (Map.Entry<String, Entry> entry : entries.entrySet()) {
      StoreKey key = StoreKey.of(entry.getKey());
      ByteBuffer record = Records.central(name(key, Location.UNKNOWN), entry.getValue());
      if (record.remaining() > window.remaining()) {
        at += write(open, window.flip(), at);
        window.clear();
      }
      window.put(record);
    }
    at += write(open, window.flip(), at);
    write(open, Records.end(entries.size(), at - end, end), at);
  }

  private FileChannel open() throws IOException {
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

  @Override
  public String toString() {
    return file.toString();
  }
}
