package dev.zarrreactive.internal.codec.blosc;

/**
 * BloscLZ streams: the instructions of FastLZ's level 2.
 *
 * <p>An instruction begins with a byte of three and five bits, {@code t} and {@code v}.
 *
 * <ul>
 *   <li>{@code t} = 0: {@code v + 1} literal bytes follow.
 *   <li>{@code t} from 1 to 7: a match of {@code t + 2} bytes. For {@code t} = 7, bytes follow that
 *       are added to its length, up to and including the first that is not 255. Then a byte {@code
 *       w}: the match begins {@code 256 v + w + 1} bytes back. If that is 8192 ({@code v} and
 *       {@code w} all ones), two bytes follow, the high one first, which are added.
 * </ul>
 *
 * <p>The first instruction is a literal run, whatever its {@code t}; writers mark it with 1. A
 * match may reach into its own bytes.
 */
final class BlosclzStreams implements StreamCodec {
  static final StreamCodec INSTANCE = new BlosclzStreams();

  /** The distance, less one, that announces a far one. */
  static final int FAR = (31 << 8) + 255;

  /** The shortest match whose length does not fit into the first byte. */
  static final int LONG_MATCH = 9;

  static final int LONGEST_RUN = 32;
  static final int FIRST_MARK = 1 << 5;

  private BlosclzStreams() {}

  @Override
  public int maxCompressedLength(int length) {
    return length + length / LONGEST_RUN + 16;
  }

  @Override
  public int compress(byte[] source, int from, int length, byte[] target, int to, int level) {
    return new BlosclzEncoder(source, from, length, target, to).encode(level);
  }

  @Override
  public void decompress(byte[] source, int from, int length, byte[] target, int to, int expected) {
    new BlosclzDecoder(source, from, length, target, to, expected).decode();
  }
}
