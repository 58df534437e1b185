package dev.zarrreactive.internal.codec.shuffle;

import java.util.Arrays;

/** What is done to the bytes of a block before they are compressed. */
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

  /** The names in metadata. */
  public static String[] names() {
    return Arrays.stream(values()).map(Shuffle::json).toArray(String[]::new);
  }

  /** The shuffle called {@code name}, which is one of {@link #names()}. */
  public static Shuffle ofName(String name) {
    return Arrays.stream(values()).filter(s -> s.json.equals(name)).findFirst().orElseThrow();
  }

  /** The name in metadata. */
  public String json() {
    return json;
  }

  /** The bit in the header's flags. */
  public int flag() {
    return flag;
  }

  /** False where a block of {@code length} bytes stays as it is. */
  public boolean changes(int length, int typesize) {
    return switch (this) {
      case NONE -> false;
      case BYTE -> typesize > 1 && length >= typesize;
      case BIT -> length >= typesize && length / typesize % 8 == 0;
    };
  }

  /** Shuffles a block that {@link #changes}. */
  public void shuffle(int typesize, byte[] in, int from, byte[] out, int to, int length) {
    if (this == BYTE) {
      ByteShuffle.shuffle(typesize, in, from, out, to, length);
    } else {
      BitShuffle.shuffle(typesize, in, from, out, to, length);
    }
  }

  /** The inverse of {@link #shuffle}. */
  public void unshuffle(int typesize, byte[] in, int from, byte[] out, int to, int length) {
    if (this == BYTE) {
      ByteShuffle.unshuffle(typesize, in, from, out, to, length);
    } else {
      BitShuffle.unshuffle(typesize, in, from, out, to, length);
    }
  }
}
