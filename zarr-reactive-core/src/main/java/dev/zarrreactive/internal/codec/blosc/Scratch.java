package dev.zarrreactive.internal.codec.blosc;

/** Memory that is needed while one frame is decoded or encoded. Not thread-safe. */
final class Scratch {
  /** Larger arrays are left to the garbage collector. */
  private static final int MOST_KEPT = 4 << 20;

  private static final byte[] NOTHING = {};
  private static final Pool<Scratch> POOL = new Pool<>(Scratch::new, scratch -> {});

  private byte[] array = NOTHING;

  private Scratch() {}

  /** Scratch memory that nobody else has; give it back with {@link #release}. */
  static Scratch take() {
    return POOL.take();
  }

  /** At least {@code length} bytes of any content; the same array until more is asked for. */
  byte[] atLeast(int length) {
    if (array.length < length) {
      array = new byte[length <= MOST_KEPT ? Math.max(4096, roundUp(length)) : length];
    }
    return array;
  }

  private static int roundUp(int length) {
    return Integer.highestOneBit(length - 1) << 1;
  }

  /** Gives the memory back. */
  void release() {
    if (array.length > MOST_KEPT) {
      array = NOTHING;
    }
    POOL.give(this);
  }
}
