package dev.zarrreactive.internal.codec.compression;

import com.github.luben.zstd.Zstd;
import java.nio.ByteBuffer;

/**
 * Memory outside the heap that a zstd context reads and writes piece by piece. While a native call
 * works on an array, the garbage collector of Java before 22 waits for the call, and all threads
 * wait for the collector. Memory outside the heap delays neither.
 */
final class ZstdWindows {
  /** The number of bytes that are read at a time. */
  static final int SIZE = 256 << 10;

  final ByteBuffer in = ByteBuffer.allocateDirect(SIZE);

  /** Has room for the compressed form of a whole window. */
  final ByteBuffer out = ByteBuffer.allocateDirect((int) Zstd.compressBound(SIZE));
}
