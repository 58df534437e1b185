package dev.zarrreactive.internal.codec;

import com.github.luben.zstd.Zstd;
import java.nio.ByteBuffer;

/**
 * Memory outside the heap that a zstd context reads from and writes to, piece by piece. While a
 * native call works on an array, the garbage collector of Java before 22 waits for it, and
 * everybody for the collector; it does not wait for this memory.
 */
final class ZstdWindows {
  /** How much is read at a time. */
  static final int SIZE = 256 << 10;

  final ByteBuffer in = ByteBuffer.allocateDirect(SIZE);

  /** Takes all that can come out of one window that is compressed. */
  final ByteBuffer out = ByteBuffer.allocateDirect((int) Zstd.compressBound(SIZE));
}
