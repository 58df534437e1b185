package dev.zarrreactive.store.zip;

import static dev.zarrreactive.store.zip.Fields.SEE_ZIP64_16;
import static dev.zarrreactive.store.zip.Fields.SEE_ZIP64_32;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The records of a new archive. Nothing in them depends on when or where it is made: all times are
 * the first of January 1980, the first that a zip knows.
 */
final class Records {
  private static final int VERSION = 20;
  private static final int VERSION_ZIP64 = 45;

  /** Made on Unix, where the attributes are those of a file that all may read. */
  private static final int MADE_BY = 3 << 8 | VERSION_ZIP64;

  private static final int ATTRIBUTES = 0100644 << 16;
  private static final int TIME = 0;
  private static final int DATE = 1 << 5 | 1;

  private Records() {}

  static ByteBuffer local(byte[] name, ArchiveFile.Entry entry) {
    ByteBuffer header = buffer(LocalHeader.SIZE + name.length);
    header.putInt(LocalHeader.SIGNATURE).putShort((short) VERSION);
    return common(header, name, entry).putShort((short) 0).put(name).flip();
  }

  static ByteBuffer central(byte[] name, ArchiveFile.Entry entry) {
    boolean isFar = entry.offset() >= SEE_ZIP64_32;
    int extras = isFar ? 12 : 0;
    ByteBuffer header = buffer(CentralRecord.SIZE + name.length + extras);
    header.putInt(CentralRecord.SIGNATURE).putShort((short) MADE_BY);
    header.putShort((short) (isFar ? VERSION_ZIP64 : VERSION));
    common(header, name, entry).putShort((short) extras);
    header.putShort((short) 0).putShort((short) 0).putShort((short) 0).putInt(ATTRIBUTES);
    header.putInt((int) Math.min(entry.offset(), SEE_ZIP64_32)).put(name);
    if (isFar) {
      header.putShort((short) 1).putShort((short) 8).putLong(entry.offset());
    }
    return header.flip();
  }

  /** Writes the fields that the local and the central record share. */
  private static ByteBuffer common(ByteBuffer header, byte[] name, ArchiveFile.Entry entry) {
    return header
        .putShort((short) ZipNames.UTF8_FLAG)
        .putShort((short) Entry.STORED)
        .putShort((short) TIME)
        .putShort((short) DATE)
        .putInt(entry.crc())
        .putInt(entry.size())
        .putInt(entry.size())
        .putShort((short) name.length);
  }

  /** The end of the archive, with the records of zip64 where a number needs them. */
  static ByteBuffer end(long count, long size, long offset) {
    ByteBuffer end = buffer(56 + 20 + 22);
    if (count >= SEE_ZIP64_16 || size >= SEE_ZIP64_32 || offset >= SEE_ZIP64_32) {
      end.putInt(DirectoryEnd.ZIP64_SIGNATURE).putLong(56 - 12);
      end.putShort((short) MADE_BY).putShort((short) VERSION_ZIP64).putInt(0).putInt(0);
      end.putLong(count).putLong(count).putLong(size).putLong(offset);
      end.putInt(DirectoryEnd.LOCATOR_SIGNATURE).putInt(0).putLong(offset + size).putInt(1);
    }
    short entries = (short) Math.min(count, SEE_ZIP64_16);
    end.putInt(DirectoryEnd.SIGNATURE).putShort((short) 0).putShort((short) 0);
    end.putShort(entries).putShort(entries);
    end.putInt((int) Math.min(size, SEE_ZIP64_32)).putInt((int) Math.min(offset, SEE_ZIP64_32));
    return end.putShort((short) 0).flip();
  }

  private static ByteBuffer buffer(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }
}
