package dev.zarrreactive.internal.codec.numcodecs;

import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.store.Bytes;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;

/** Compressed bytes, and where in them the reader is. */
final class LzmaInput extends ByteArrayInputStream {
  private static final int SMALLEST_DICTIONARY = 4096;

  /** No form of LZMA makes more of one byte. */
  private static final long MOST_EXPANSION = 16_384;

  private final int start;
  private final long most;

  /**
   * An input.
   *
   * @param bound how much may come out of it
   */
  LzmaInput(Bytes encoded, SizeBound bound) {
    super(encoded.unsafeArray(), encoded.unsafeOffset(), encoded.size());
    start = encoded.unsafeOffset();
    most = Math.min(bound.bytes(), MOST_EXPANSION * encoded.size());
  }

  /** How many bytes were read. */
  int position() {
    return pos - start;
  }

  /** The bytes from {@code from}, a {@link #position}, to here. */
  Bytes since(int from) {
    return Bytes.wrap(buf, start + from, position() - from);
  }

  /** The next {@code length} bytes. */
  Bytes next(int length) throws IOException {
    if (length > count - pos) {
      throw new EOFException();
    }
    pos += length;
    return Bytes.wrap(buf, pos - length, length);
  }

  /**
   * The dictionary to decode with: what is declared, but no more than can come out. A header may
   * ask for gigabytes.
   */
  int dictionary(long declared) {
    long useful = Math.max(SMALLEST_DICTIONARY, most);
    return (int) Math.min(Math.min(declared, useful), LzmaLibrary.LARGEST_DICTIONARY);
  }
}
