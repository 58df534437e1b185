package dev.zarrreactive.internal.codec.imagecodecs;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.extension.NamedConfiguration;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/**
 * The codec {@code imagecodecs_lzw}: LZW as TIFF has it (TIFF 6.0, section 13), with codes of 9 to
 * 12 bits from the highest bit on. A zero may follow where the last code ends with a byte:
 * imagecodecs writes it.
 */
final class LzwCodec implements BytesToBytesCodec {
  private static final int CLEAR = 256;
  private static final int END = 257;
  private static final int FIRST = 258;
  private static final int CODES = 4096;
  private static final int SHORTEST = 9;
  private static final int LONGEST = 12;

  private final NamedConfiguration configuration;

  private LzwCodec(NamedConfiguration configuration) {
    this.configuration = configuration;
  }

  static LzwCodec of(NamedConfiguration use) {
    use.configuration().allowOnly();
    return new LzwCodec(use);
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
    return new Encoder().encode(decoded);
  }

  @Override
  public Bytes decode(Bytes encoded, DecodeTarget target) {
    return new Decoder(encoded, target).decode();
  }

  /** A code becomes one bit longer before the table has all codes of a length. */
  private static int width(int codes) {
    int width = SHORTEST;
    while (width < LONGEST && codes >= (1 << width) - 1) {
      width++;
    }
    return width;
  }

  private static final class Decoder {
    private final byte[] array;
    private final int end;
    private final Expansion out;
    private int at;
    private int bits;
    private int bitCount;

    /** The text of a code is that of another one and one byte more. */
    private final short[] prefixes = new short[CODES];

    private final byte[] lasts = new byte[CODES];
    private final int[] lengths = new int[CODES];
    private byte[] text = new byte[64];

    Decoder(Bytes encoded, DecodeTarget target) {
      this.array = encoded.unsafeArray();
      this.at = encoded.unsafeOffset();
      this.end = at + encoded.size();
      this.out = new Expansion(target, 4L * encoded.size());
      for (int i = 0; i < CLEAR; i++) {
        lasts[i] = (byte) i;
        lengths[i] = 1;
      }
      if (encoded.size() >= 2 && encoded.get(0) == 0 && (encoded.get(1) & 1) != 0) {
        throw new CodecException(
            "LZW of old writers of TIFF, whose codes begin at the lowest bit, is not supported",
            Location.UNKNOWN);
      }
    }

    Bytes decode() {
      int next = FIRST;
      int before = CLEAR;
      while (true) {
        int code = code(width(next));
        if (code == END) {
          boolean isPadded = bitCount == 0 && at == end - 1 && array[at] == 0;
          if (at < end && !isPadded) {
            throw new CodecException((end - at) + " bytes follow the data", Location.UNKNOWN);
          }
          return out.toBytes();
        } else if (code == CLEAR) {
          next = FIRST;
          before = CLEAR;
          continue;
        }
        if (before == CLEAR) {
          if (code > CLEAR) {
            throw damaged(code);
          }
          out.put((byte) code);
        } else {
          if (code > next || (code == next && next == CODES)) {
            throw damaged(code);
          }
          if (next < CODES) {
            prefixes[next] = (short) before;
            lengths[next] = lengths[before] + 1;
            lasts[next] = first(code == next ? before : code);
            next++;
          }
          write(code);
        }
        before = code;
      }
    }

    private int code(int width) {
      while (bitCount < width) {
        if (at == end) {
          throw Expansion.cutOff();
        }
        bits = bits << Byte.SIZE | (array[at++] & 0xff);
        bitCount += Byte.SIZE;
      }
      bitCount -= width;
      return bits >>> bitCount & ((1 << width) - 1);
    }

    private byte first(int code) {
      int root = code;
      while (root >= FIRST) {
        root = prefixes[root];
      }
      return (byte) root;
    }

    private void write(int code) {
      int length = lengths[code];
      if (length > text.length) {
        text = new byte[Math.max(length, Math.min(CODES, 2 * text.length))];
      }
      int part = code;
      for (int i = length - 1; i >= 0; i--) {
        text[i] = lasts[part];
        part = prefixes[part];
      }
      out.put(text, 0, length);
    }

    private static CodecException damaged(int code) {
      return new CodecException(
          "the data is damaged: LZW has no code " + code + " here", Location.UNKNOWN);
    }
  }

  /** Makes its table one code earlier than a decoder does. */
  private static final class Encoder {
    private static final int SLOTS = 4 * CODES;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final int[] keys = new int[SLOTS];
    private final short[] codes = new short[SLOTS];
    private int bits;
    private int bitCount;

    Bytes encode(Bytes decoded) {
      int next = clear(FIRST);
      int code = -1;
      for (int i = 0; i < decoded.size(); i++) {
        int value = decoded.get(i) & 0xff;
        if (code < 0) {
          code = value;
          continue;
        }
        int key = (code << Byte.SIZE | value) + 1; // 0 is an empty slot
        int slot = slot(key);
        if (keys[slot] == key) {
          code = codes[slot];
          continue;
        }
        write(code, width(next - 1));
        keys[slot] = key;
        codes[slot] = (short) next++;
        if (next == CODES - 1) {
          next = clear(next);
        }
        code = value;
      }
      if (code >= 0) {
        write(code, width(next - 1));
        next++;
      }
      if ((bitCount + width(next - 1)) % Byte.SIZE == 0) {
        next = clear(next); // one code more, so that the last one does not end with a byte
        write(END, SHORTEST);
      } else {
        write(END, width(next - 1));
      }
      out.write(bits << (Byte.SIZE - bitCount));
      return Bytes.wrap(out.toByteArray());
    }

    private int clear(int next) {
      write(CLEAR, width(next - 1));
      Arrays.fill(keys, 0);
      return FIRST;
    }

    private int slot(int key) {
      int slot = ((key * 0x9E3779B1) >>> 16) & (SLOTS - 1);
      while (keys[slot] != 0 && keys[slot] != key) {
        slot = (slot + 1) & (SLOTS - 1);
      }
      return slot;
    }

    private void write(int code, int width) {
      bits = bits << width | code;
      bitCount += width;
      while (bitCount >= Byte.SIZE) {
        bitCount -= Byte.SIZE;
        out.write(bits >>> bitCount);
      }
      bits &= (1 << bitCount) - 1;
    }
  }
}
