package dev.zarrreactive.internal.codec.shuffle;

import java.util.Arrays;

/** The arrangement of a block's bytes before they are compressed. */
public enum Shuffle {
  NONE("noshuffle", 0),
  BYTE("shuffle", 0x01),
  BIT("bitshuffle", 0x04);

  private final String json;
  private final int flag;

  Shuffle(String json, int flag) {
    this.json = json;
    this.flag = flag;
  }

  /** Returns the names in metadata. */
  public static String[] names() {
    return Arrays.stream(values()).map(Shuffle::json).toArray(String[]::new);
  }

  /** Returns the shuffle of a name, which is one of {@link #names()}. */
  public static Shuffle ofName(String name) {
    return Arrays.stream(values()).filter(s -> s.json.equals(name)).findFirst().orElseThrow();
  }

  /** Returns the name in metadata. */
  public String json() {
    return json;
  }

  /** Returns the bit in the header's flags. */
  public int flag() {
    return flag;
  }

  /** Returns whether a block of {@code length} bytes changes. */
  public boolean changes(int length, int typesize) {
    return switch (this) {
      case NONE -> false;
      case BYTE -> typesize > 1 && length >= typesize;
      case BIT -> length >= typesize && length / typesize % 8 == 0;
    };
  }

  /** Shuffles a block for which {@link #changes} is true. */
  public void shuffle(int typesize, byte[] in, int from, byte[] out, int to, int length) {
    if (this == BYTE) {
      ByteShuffle.shuffle(typesize, in, from, out, to, length);
    } else {
      BitShuffle.shuffle(typesize, in, from, out, to, length);
    }
  }

  /** Undoes {@link #shuffle}. */
  public void unshuffle(int typesize, byte[] in, int from, byte[] out, int to, int length) {
    if (this == BYTE) {
      ByteShuffle.unshuffle(typesize, in, from, out, to, length);
    } else {
      BitShuffle.unshuffle(typesize, in, from, out, to, length);
    }
  }
}
