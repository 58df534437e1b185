package dev.zarrreactive.libdeflate;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.Deflater;

/** Data, and streams of DEFLATE that the JDK makes of them. */
final class Deflated {
  private Deflated() {}

  /** Integers of 16 bits that change little from one to the next, with runs. */
  static byte[] data(int size, long seed) {
    Random random = new Random(seed);
    byte[] data = new byte[size];
    int value = 1000;
    for (int i = 0; i + 1 < size; i += 2) {
      value += random.nextInt(8) == 0 ? random.nextInt(64) - 32 : 0;
      data[i] = (byte) value;
      data[i + 1] = (byte) (value >> Byte.SIZE);
    }
    return data;
  }

  static byte[] stream(byte[] data, int level) {
    Deflater deflater = new Deflater(level, true);
    try {
      deflater.setInput(data);
      deflater.finish();
      byte[] part = new byte[64 << 10];
      ByteArrayOutputStream stream = new ByteArrayOutputStream();
      while (!deflater.finished()) {
        stream.write(part, 0, deflater.deflate(part));
      }
      return stream.toByteArray();
    } finally {
      deflater.end();
    }
  }

  static byte[] joined(byte[]... parts) {
    byte[] joined = new byte[Arrays.stream(parts).mapToInt(part -> part.length).sum()];
    int end = 0;
    for (byte[] part : parts) {
      System.arraycopy(part, 0, joined, end, part.length);
      end += part.length;
    }
    return joined;
  }
}
