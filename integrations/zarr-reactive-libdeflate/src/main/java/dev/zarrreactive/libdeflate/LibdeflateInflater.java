package dev.zarrreactive.libdeflate;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import dev.zarrreactive.codec.WholeBufferInflater;
import java.util.Optional;

/**
 * A decompressor of libdeflate with memory of its own. The library sees nothing but that memory:
 * bytes are copied into it and out of it.
 */
final class LibdeflateInflater implements WholeBufferInflater {
  /** The most bytes of a stream, and of a result. */
  static final int MOST_BYTES = 16 << 20;

  private static final int LEAST_MEMORY = 64 << 10;

  private final Pointer decompressor;
  private final Memory consumed = new Memory(Long.BYTES);
  private final Memory written = new Memory(Long.BYTES);
  private Memory in = new Memory(LEAST_MEMORY);
  private Memory out = new Memory(LEAST_MEMORY);

  LibdeflateInflater() {
    decompressor = Libdeflate.libdeflate_alloc_decompressor();
    if (decompressor == null) {
      throw new OutOfMemoryError("native memory for a decompressor of libdeflate");
    }
  }

  @Override
  public Optional<Inflated> inflate(
      byte[] source, int from, int length, byte[] target, int to, int room) {
    if (length > MOST_BYTES || room > MOST_BYTES) {
      return Optional.empty();
    }
    in = withRoom(in, length);
    out = withRoom(out, room);
    in.write(0, source, from, length);
    int result =
        Libdeflate.libdeflate_deflate_decompress_ex(
            decompressor, in, length, out, room, consumed, written);
    if (result != Libdeflate.SUCCESS) {
      return Optional.empty();
    }
    Inflated inflated =
        new Inflated(Math.toIntExact(consumed.getLong(0)), Math.toIntExact(written.getLong(0)));
    out.read(0, target, to, inflated.written());
    return Optional.of(inflated);
  }

  /** Returns the memory, or in its place a larger one, of a power of two. */
  private static Memory withRoom(Memory memory, int size) {
    if (size <= memory.size()) {
      return memory;
    }
    Memory larger = new Memory((long) Integer.highestOneBit(size - 1) << 1);
    memory.close();
    return larger;
  }

  /** The bytes of native memory for streams and results. */
  long memory() {
    return in.size() + out.size();
  }

  @Override
  public void close() {
    Libdeflate.libdeflate_free_decompressor(decompressor);
    consumed.close();
    written.close();
    in.close();
    out.close();
  }
}
