package dev.zarrreactive.internal.files;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/** A chunk of a PNG picture (ISO/IEC 15948, section 5.3): its type and its data. */
public final class PngChunk {
  /** The samples of a pixel are colours: a bit of the colour type. */
  public static final int COLOUR = 2;

  /** The last sample of a pixel is its opacity: a bit of the colour type. */
  public static final int ALPHA = 4;

  /** Pixels are numbers of colours in a palette: a bit of the colour type. */
  static final int PALETTE = 1;

  private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

  /** The most bytes of data that are read at once. */
  static final int LONGEST = 1 << 28;

  private final String type;
  private final byte[] data;

  private PngChunk(String type, byte[] data) {
    this.type = type;
    this.data = data;
  }

  /** Returns the bytes before the first chunk of every picture. */
  public static byte[] signature() {
    return SIGNATURE.clone();
  }

  /** Returns the bytes of a chunk: its size, its type, its data and their checksum. */
  public static byte[] bytes(String type, byte[] data) {
    ByteBuffer chunk = ByteBuffer.allocate(3 * Integer.BYTES + data.length);
    chunk.putInt(data.length).put(type.getBytes(StandardCharsets.US_ASCII)).put(data);
    return chunk.putInt(checksum(type, data)).array();
  }

  private static int checksum(String type, byte[] data) {
    CRC32 checksum = new CRC32();
    checksum.update(type.getBytes(StandardCharsets.ISO_8859_1));
    checksum.update(data);
    return (int) checksum.getValue();
  }

  /** Reads the next chunk. */
  static PngChunk read(DataInputStream file) throws IOException {
    try {
      int length = file.readInt();
      if (length < 0 || length > LONGEST) {
        throw new UnreadableFileException("the PNG picture has a chunk of " + length + " bytes");
      }
      byte[] name = new byte[Integer.BYTES];
      file.readFully(name);
      String type = new String(name, StandardCharsets.ISO_8859_1);
      byte[] data = file.readNBytes(length);
      if (data.length < length || file.readInt() != checksum(type, data)) {
        throw new UnreadableFileException("the PNG picture is cut off, or a checksum is wrong");
      }
      return new PngChunk(type, data);
    } catch (EOFException e) {
      throw new UnreadableFileException("the PNG picture is cut off", e);
    }
  }

  boolean is(String name) {
    return type.equals(name);
  }

  /** Returns the data, which the caller leaves as they are. */
  byte[] data() {
    return data;
  }
}
