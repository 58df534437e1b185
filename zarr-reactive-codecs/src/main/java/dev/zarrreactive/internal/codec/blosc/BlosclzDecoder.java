package dev.zarrreactive.internal.codec.blosc;

import dev.zarrreactive.internal.codec.shuffle.LittleEndianWords;
import java.util.Arrays;

/** Decodes one stream of {@link BlosclzStreams}. */
final class BlosclzDecoder {
  /** The most bytes that are copied in words; a multiple of 8. */
  private static final int SHORT = 32;

  private final byte[] in;
  private final int inEnd;
  private final byte[] out;
  private final int outStart;
  private final int outEnd;
  private int at;
  private int to;

  BlosclzDecoder(byte[] in, int from, int length, byte[] out, int to, int expected) {
    this.in = in;
    this.at = from;
    this.inEnd = from + length;
    this.out = out;
    this.outStart = to;
    this.to = to;
    this.outEnd = to + expected;
  }

  void decode() {
    literals((next() & 31) + 1);
    while (at < inEnd) {
      int first = next();
      if (first < 32) {
        literals(first + 1);
      } else {
        match(first);
      }
    }
    if (to != outEnd) {
      throw DamagedStreamException.length(to - outStart, outEnd - outStart);
    }
  }

  private int next() {
    if (at >= inEnd) {
      throw new DamagedStreamException("ends inside an instruction");
    }
    return in[at++] & 0xff;
  }

  private void literals(int length) {
    if (length > inEnd - at) {
      throw new DamagedStreamException("ends inside a literal run");
    }
    if (length > outEnd - to) {
      throw tooMuch();
    }
    if (length <= SHORT && at + SHORT <= inEnd && to + SHORT <= outEnd) {
      words(in, at, length);
    } else {
      System.arraycopy(in, at, out, to, length);
    }
    at += length;
    to += length;
  }

  private void match(int first) {
    int length = (first >> 5) + 2;
    if (length == BlosclzStreams.LONG_MATCH) {
      int more;
      do {
        more = next();
        length += more;
        if (length > outEnd - to) {
          throw tooMuch();
        }
      } while (more == 255);
    }
    int back = ((first & 31) << 8) | next();
    if (back == BlosclzStreams.FAR) {
      int high = next();
      back += (high << 8) | next();
    }
    int distance = back + 1;
    if (distance > to - outStart) {
      throw new DamagedStreamException(
          "a match begins " + distance + " bytes back, before the start");
    }
    if (length > outEnd - to) {
      throw tooMuch();
    }
    if (distance >= 8 && length <= SHORT && to + SHORT <= outEnd) {
      words(out, to - distance, length);
    } else {
      repeat(distance, length);
    }
    to += length;
  }

  /** Copies a few bytes in words, together with some bytes that are overwritten later. */
  private void words(byte[] source, int from, int length) {
    for (int i = 0; i < length; i += 8) {
      LittleEndianWords.putLong(out, to + i, LittleEndianWords.getLong(source, from + i));
    }
  }

  /** Copies from the bytes just written. A distance shorter than the length repeats them. */
  private void repeat(int distance, int length) {
    int from = to - distance;
    if (distance == 1) {
      Arrays.fill(out, to, to + length, out[from]);
      return;
    }
    int copied = 0;
    while (copied < length) {
      int part = Math.min(distance + copied, length - copied);
      System.arraycopy(out, from, out, to + copied, part);
      copied += part;
    }
  }

  private DamagedStreamException tooMuch() {
    return new DamagedStreamException(
        "decompresses to more than " + (outEnd - outStart) + " bytes");
  }
}
