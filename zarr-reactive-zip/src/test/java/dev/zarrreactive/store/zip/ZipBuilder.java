package dev.zarrreactive.store.zip;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** Makes archives byte by byte, also such as no program would write. */
final class ZipBuilder {
  final List<Part> parts = new ArrayList<>();
  byte[] before = {};
  byte[] comment = {};

  /** Added to all offsets in the central directory and its end. */
  long shift;

  boolean zip64;

  /** One entry; every field may be changed before {@link #build}. */
  static final class Part {
    byte[] name;
    byte[] localName;
    int host;
    int flags;
    int method;
    int localMethod;
    byte[] data;
    long size;
    long compressedSize;
    int crc;
    long offset = -1;
    int disk;
    byte[] localExtra = {};
    byte[] centralExtra = {};
  }

  Part stored(String name, byte[] value) {
    Part part = new Part();
    part.name = name.getBytes(UTF_8);
    part.localName = part.name;
    part.flags = ZipNames.UTF8_FLAG;
    part.data = value;
    part.size = value.length;
    part.compressedSize = value.length;
    part.crc = crc(value);
    parts.add(part);
    return part;
  }

  Part deflated(String name, byte[] value) {
    Part part = stored(name, value);
    part.method = 8;
    part.localMethod = 8;
    part.data = deflate(value);
    part.compressedSize = part.data.length;
    return part;
  }

  ZipBuilder add(String name, String value) {
    stored(name, value.getBytes(UTF_8));
    return this;
  }

  byte[] build() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(before);
    for (Part part : parts) {
      if (part.offset < 0) {
        part.offset = out.size() + shift;
      }
      out.writeBytes(local(part));
      out.writeBytes(part.data);
    }
    int start = out.size();
    parts.forEach(part -> out.writeBytes(central(part)));
    out.writeBytes(end(parts.size(), out.size() - start, start + shift, zip64, comment));
    return out.toByteArray();
  }

  static byte[] end(int count, long size, long offset, boolean zip64, byte[] comment) {
    ByteBuffer end = buffer(98 + comment.length);
    if (zip64) {
      end.putInt(0x06064b50).putLong(44).putShort((short) 45).putShort((short) 45);
      end.putInt(0).putInt(0).putLong(count).putLong(count).putLong(size).putLong(offset);
      end.putInt(0x07064b50).putInt(0).putLong(offset + size).putInt(1);
    }
    end.putInt(0x06054b50).putInt(0);
    end.putShort((short) (zip64 ? -1 : count)).putShort((short) (zip64 ? -1 : count));
    end.putInt((int) (zip64 ? -1 : size)).putInt((int) (zip64 ? -1 : offset));
    end.putShort((short) comment.length).put(comment);
    return taken(end);
  }

  private static byte[] local(Part part) {
    ByteBuffer header = buffer(30 + part.localName.length + part.localExtra.length);
    header.putInt(0x04034b50).putShort((short) 20).putShort((short) part.flags);
    header.putShort((short) part.localMethod).putInt(0).putInt(part.crc);
    header.putInt((int) part.compressedSize).putInt((int) part.size);
    header.putShort((short) part.localName.length).putShort((short) part.localExtra.length);
    return taken(header.put(part.localName).put(part.localExtra));
  }

  private static byte[] central(Part part) {
    ByteBuffer header = buffer(46 + part.name.length + part.centralExtra.length + 32);
    ByteBuffer wide = buffer(28);
    header.putInt(0x02014b50).put((byte) 20).put((byte) part.host).putShort((short) 20);
    header.putShort((short) part.flags).putShort((short) part.method).putInt(0).putInt(part.crc);
    int compressedSize = narrow(part.compressedSize, wide, part.size);
    int size = (int) Math.min(part.size, 0xffffffffL);
    header.putInt(compressedSize).putInt(size).putShort((short) part.name.length);
    int offset = narrow(part.offset, wide, -1);
    int extras = part.centralExtra.length + (wide.position() == 0 ? 0 : 4 + wide.position());
    header.putShort((short) extras).putShort((short) 0).putShort((short) part.disk);
    header.putShort((short) 0).putInt(0).putInt(offset).put(part.name).put(part.centralExtra);
    if (wide.position() > 0) {
      header.putShort((short) 1).putShort((short) wide.position()).put(wide.flip());
    }
    return taken(header);
  }

  /** The sizes go in pairs, the uncompressed one first. */
  private static int narrow(long number, ByteBuffer wide, long with) {
    if (with >= 0xffffffffL) {
      wide.putLong(with);
    }
    if (number >= 0xffffffffL) {
      wide.putLong(number);
    }
    return (int) Math.min(number, 0xffffffffL);
  }

  static byte[] extra(int id, byte[] data) {
    return taken(
        buffer(4 + data.length).putShort((short) id).putShort((short) data.length).put(data));
  }

  static byte[] deflate(byte[] value) {
    Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
    deflater.setInput(value);
    deflater.finish();
    byte[] deflated = new byte[value.length + 64];
    int size = deflater.deflate(deflated);
    deflater.end();
    return java.util.Arrays.copyOf(deflated, size);
  }

  static int crc(byte[] value) {
    CRC32 crc = new CRC32();
    crc.update(value);
    return (int) crc.getValue();
  }

  static ByteBuffer buffer(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }

  static byte[] taken(ByteBuffer buffer) {
    return java.util.Arrays.copyOf(buffer.array(), buffer.position());
  }
}
