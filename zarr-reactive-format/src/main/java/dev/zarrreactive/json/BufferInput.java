package dev.zarrreactive.json;

import java.io.InputStream;
import java.nio.ByteBuffer;

/** Reads the bytes of a buffer without a change of its position. */
final class BufferInput extends InputStream {
  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  private final ByteBuffer bytes;

  BufferInput(ByteBuffer bytes) {
    this.bytes = bytes.duplicate();
  }

  /** Skips a byte order mark, and returns whether one was next. */
  boolean skipMark() {
    int mark = BYTE_ORDER_MARK.length;
    if (bytes.remaining() >= mark
        && bytes.slice(bytes.position(), mark).equals(ByteBuffer.wrap(BYTE_ORDER_MARK))) {
      bytes.position(bytes.position() + mark);
      return true;
    }
    return false;
  }

  @Override
  public int read() {
    return bytes.hasRemaining() ? bytes.get() & 0xFF : -1;
  }

  @Override
  public int read(byte[] target, int offset, int length) {
    if (!bytes.hasRemaining()) {
      return -1;
    }
    int count = Math.min(length, bytes.remaining());
    bytes.get(target, offset, count);
    return count;
  }
}
