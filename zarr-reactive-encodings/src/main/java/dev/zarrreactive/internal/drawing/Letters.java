package dev.zarrreactive.internal.drawing;

import java.util.HexFormat;

/** The printable characters of ASCII in five columns of seven dots. */
final class Letters {
  /** The width of a character with the gap behind it, in dots. */
  static final int WIDTH = 6;

  /** The height of a character in dots. */
  static final int HEIGHT = 7;

  private static final int COLUMNS = 5;
  private static final char FIRST = ' ';
  private static final char LAST = '~';

  /** A byte for each column, its lowest bit on top. */
  private static final byte[] DOTS =
      HexFormat.of()
          .parseHex(
              "000000000000005f00000007000700147f147f14242a7f2a12231308646236495522500005030000"
                  + "001c2241000041221c0014083e081408083e08080050300000080808080800606000002010080402"
                  + "3e5149453e00427f400042615149462141454b311814127f1027454545393c4a4949300171090503"
                  + "3649494936064949291e003636000000563600000814224100141414141400412214080201510906"
                  + "324979413e7e1111117e7f494949363e414141227f4141221c7f494949417f090909013e4149497a"
                  + "7f0808087f00417f41002040413f017f081422417f404040407f020c027f7f0408107f3e4141413e"
                  + "7f090909063e4151215e7f09192946464949493101017f01013f4040403f1f2040201f3f4038403f"
                  + "631408146307087008076151494543007f41410002040810200041417f0004020102044040404040"
                  + "000102040020545454787f484444383844444420384444487f3854545418087e0901020c5252523e"
                  + "7f0804047800447d40002040443d007f1028440000417f40007c041804787c080404783844444438"
                  + "7c14141408081414187c7c080404084854545420043f4440203c4040207c1c2040201c3c4030403c"
                  + "44281028440c5050503c4464544c44000836410000007f000000413608001008081008");

  private Letters() {}

  /** Returns true if a character has a dot there; characters that are unknown are those of "?". */
  static boolean isDot(int character, int row, int column) {
    int known = character < FIRST || character > LAST ? '?' : character;
    return column < COLUMNS && (DOTS[(known - FIRST) * COLUMNS + column] >> row & 1) != 0;
  }
}
