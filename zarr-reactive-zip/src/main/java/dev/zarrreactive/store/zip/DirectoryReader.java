package dev.zarrreactive.store.zip;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import org.jspecify.annotations.Nullable;

/** Reads a central directory; what it does not expect it refuses. */
final class DirectoryReader {
  private final DirectoryEnd end;
  private final Location place;

  DirectoryReader(DirectoryEnd end, Location place) {
    this.end = end;
    this.place = place;
  }

  /** The entries that are values; directories are none. */
  ZipDirectory read(Bytes directory) {
    ZipDirectory.Builder entries = new ZipDirectory.Builder((int) end.count());
    int at = 0;
    for (int i = 0; i < end.count(); i++) {
      CentralRecord record = CentralRecord.read(directory, at);
      if (record == null) {
        throw damaged("entry " + i + " of " + end.count() + " is not whole, at byte " + at);
      }
      at += record.length();
      String name = ZipNames.decode(record);
      if (name == null) {
        throw damaged(i, null, "its name says that it is UTF-8 and is not");
      }
      if (!isDirectory(name, record)) {
        check(i, name, record);
        String meant = ZipNames.isKey(name) ? name : ZipNames.meant(name);
        if (meant != null) {
          entries.add(meant, meant.equals(name), record);
        } else if (!entries.skip(name)) {
          throw damaged(
              "more than " + UnusableNames.MOST + " entries have names that cannot be keys");
        }
      }
    }
    if (at != directory.size()) {
      throw damaged(
          "after its " + end.count() + " entries are " + (directory.size() - at) + " more bytes");
    }
    return entries.build();
  }

  /**
   * A directory made on Windows may end with a backslash; a value of that name would have bytes.
   */
  private static boolean isDirectory(String name, CentralRecord record) {
    return name.endsWith("/") || (name.endsWith("\\") && record.size() == 0);
  }

  private void check(int number, String name, CentralRecord record) {
    if (record.disk() != 0) {
      throw damaged(number, name, "it is on another disk");
    }
    if (!record.isBefore(end.offset())) {
      throw damaged(
          number,
          name,
          "its "
              + record.compressedSize()
              + " bytes at "
              + record.offset()
              + " are not before the central directory");
    }
  }

  private StoreException damaged(int number, @Nullable String name, String problem) {
    return damaged("entry " + number + ", " + ZipNames.show(name) + ": " + problem);
  }

  private StoreException damaged(String what) {
    return new StoreException("the central directory of the zip cannot be read: " + what, place);
  }
}
