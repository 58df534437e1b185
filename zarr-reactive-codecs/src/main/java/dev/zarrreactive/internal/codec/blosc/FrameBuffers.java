package dev.zarrreactive.internal.codec.blosc;

import dev.zarrreactive.internal.codec.compression.Pool;
import java.util.function.Function;

/** The working memory of one frame that is decoded or encoded. Not thread-safe. */
final class FrameBuffers {
  /** The longest array to keep; longer ones are left to the garbage collector. */
  private static final int MOST_KEPT = 4 << 20;

  private static final Pool<FrameBuffers> POOL =
      Pool.perProcessor(FrameBuffers::new, scratch -> {});
  private static final byte[] NOTHING = {};

  private byte[] shuffled = NOTHING;
  private byte[] stream = NOTHING;
  private byte[] whole = NOTHING;

  private FrameBuffers() {}

  /** Lends working memory to {@code use}. */
  static <R> R with(Function<FrameBuffers, R> use) {
    return POOL.with(
        scratch -> {
          try {
            return use.apply(scratch);
          } finally {
            scratch.shuffled = kept(scratch.shuffled);
            scratch.stream = kept(scratch.stream);
            scratch.whole = kept(scratch.whole);
          }
        });
  }

  /** Returns room for a shuffled block: at least {@code length} bytes of any content. */
  byte[] shuffled(int length) {
    shuffled = atLeast(length, shuffled);
    return shuffled;
  }

  /** Returns room for a compressed sub-stream: at least {@code length} bytes of any content. */
  byte[] stream(int length) {
    stream = atLeast(length, stream);
    return stream;
  }

  /**
   * Returns room for a whole frame, or for a block of which a part is read: at least {@code length}
   * bytes of any content.
   */
  byte[] whole(int length) {
    whole = atLeast(length, whole);
    return whole;
  }

  private static byte[] atLeast(int length, byte[] array) {
    if (array.length >= length) {
      return array;
    }
    int roundedUp = Integer.highestOneBit(Math.max(length, 4096) - 1) << 1;
    return new byte[length <= MOST_KEPT ? roundedUp : length];
  }

  private static byte[] kept(byte[] array) {
    return array.length <= MOST_KEPT ? array : NOTHING;
  }
}
