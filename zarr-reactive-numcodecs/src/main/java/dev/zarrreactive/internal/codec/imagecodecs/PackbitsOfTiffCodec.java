package dev.zarrreactive.internal.codec.imagecodecs;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.extension.NamedConfiguration;
import java.io.ByteArrayOutputStream;

/**
 * The codec {@code imagecodecs_packbits}: runs of one byte, and bytes as they are (TIFF 6.0,
 * section 9). A byte n of 0 to 127 stands before n + 1 bytes, one of -1 to -127 before the byte
 * that is repeated 1 - n times; -128 means nothing.
 */
final class PackbitsOfTiffCodec implements BytesToBytesCodec {
  private static final int LONGEST = 128;

  private final NamedConfiguration configuration;

  private PackbitsOfTiffCodec(NamedConfiguration configuration) {
    this.configuration = configuration;
  }

  static PackbitsOfTiffCodec of(NamedConfiguration use) {
    use.configuration().allowOnly();
    return new PackbitsOfTiffCodec(use);
  }

  @Override
  public NamedConfiguration configuration() {
    return configuration;
  }

  @Override
  public SizeBound encodedSize(SizeBound decoded) {
    return decoded.compressed();
  }

  @Override
  public Bytes encode(Bytes decoded) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(decoded.size() / 2 + 16);
    byte[] array = decoded.unsafeArray();
    int start = decoded.unsafeOffset();
    int end = start + decoded.size();
    int at = start;
    int literal = start; // bytes from here on are not written yet
    while (at < end) {
      int run = 1;
      while (run < LONGEST && at + run < end && array[at + run] == array[at]) {
        run++;
      }
      if (run >= 3) {
        writeLiterals(out, array, literal, at);
        out.write(1 - run);
        out.write(array[at]);
        literal = at + run;
      }
      at += run;
    }
    writeLiterals(out, array, literal, end);
    return Bytes.wrap(out.toByteArray());
  }

  private static void writeLiterals(ByteArrayOutputStream out, byte[] array, int from, int to) {
    for (int at = from; at < to; at += LONGEST) {
      int length = Math.min(LONGEST, to - at);
      out.write(length - 1);
      out.write(array, at, length);
    }
  }

  @Override
  public Bytes decode(Bytes encoded, DecodeTarget target) {
    Expansion out = new Expansion(target, (long) LONGEST * encoded.size());
    byte[] array = encoded.unsafeArray();
    int at = encoded.unsafeOffset();
    int end = at + encoded.size();
    while (at < end) {
      int head = array[at++];
      int length = head >= 0 ? head + 1 : head == -LONGEST ? 0 : 1;
      if (length > end - at) {
        throw Expansion.cutOff();
      } else if (head >= 0) {
        out.put(array, at, length);
      } else if (length == 1) {
        out.repeat(array[at], 1 - head);
      }
      at += length;
    }
    return out.toBytes();
  }
}
