package dev.zarrreactive.internal.codec.blosc;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.internal.codec.shuffle.Shuffle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;

/** Bytes to encode, and short names for what the tests do most. */
public final class Samples {
  static final int[] TYPESIZES = {1, 2, 3, 4, 7, 8, 16, 17, 255};
  static final int[] SIZES = {0, 1, 15, 16, 17, 127, 128, 129, 4095, 4096, 4097, 300_007};

  private Samples() {}

  /** The little-endian 32-bit integers from 0 on, cut off after {@code size} bytes. */
  public static byte[] ramp(int size) {
    return integers(size, 1);
  }

  /** Little-endian 32-bit integers that grow by 3 after every hundredth. */
  static byte[] steps(int size) {
    return integers(size, 100);
  }

  private static byte[] integers(int size, int run) {
    ByteBuffer bytes = ByteBuffer.allocate(size + 4).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; bytes.position() < size; i++) {
      bytes.putInt(run == 1 ? i : i / run * 3);
    }
    byte[] cut = new byte[size];
    bytes.get(0, cut);
    return cut;
  }

  /** Bytes that no compressor makes fewer. */
  public static byte[] noise(int size) {
    byte[] bytes = new byte[size];
    new Random(4711).nextBytes(bytes);
    return bytes;
  }

  static Bytes encode(byte[] bytes, BloscConfiguration configuration) {
    return FrameEncoder.encode(Bytes.wrap(bytes), configuration);
  }

  /** A frame of level 5 with automatic blocks. */
  static Bytes encode(byte[] bytes, Compressor compressor, Shuffle shuffle, int typesize) {
    return encode(bytes, new BloscConfiguration(compressor, 5, shuffle, typesize, 0));
  }

  static byte[] decode(Bytes frame, int size) {
    return FrameDecoder.decode(frame, DecodeTarget.fresh(SizeBound.exactly(size))).toByteArray();
  }
}
