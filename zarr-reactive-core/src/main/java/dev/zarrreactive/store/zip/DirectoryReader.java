package dev.zarrreactive.store.zip;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.store.Bytes;
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
      if (name == null || !name.endsWith("/")) {
        entries.add(check(i, name, record), record);
      }
    }
    if (at != directory.size()) {
      throw damaged(
          "after its " + end.count() + " entries are " + (directory.size() - at) + " more bytes");
    }
    return entries.build();
  }

  private String check(int number, @Nullable String name, CentralRecord record) {
    String problem = ZipNames.problem(name);
    if (problem == null && record.disk() != 0) {
      problem = "it is on another disk";
    }
    if (problem == null && !record.isBefore(end.offset())) {
      problem =
          "its "
              + record.compressedSize()
              + " bytes at "
              + record.offset()
              + " are not before the central directory";
    }
    if (name == null || problem != null) {
      throw damaged("entry " + number + ", " + ZipNames.show(name) + ": " + problem);
    }
    return name;
  }

  private StoreException damaged(String what) {
    return new StoreException("the central directory of the zip cannot be read: " + what, place);
  }
}
