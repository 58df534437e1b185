package dev.zarrreactive.internal.codec.numcodecs;

import dev.zarrreactive.base.Bytes;

/**
 * Bob Jenkins' hash lookup3 of bytes, as HDF5 uses it: in little-endian words, twelve bytes a turn.
 */
final class JenkinsLookup3 {
  private static final int START = 0xdeadbeef;
  private static final int TURN = 12;

  private int a;
  private int b;
  private int c;

  private JenkinsLookup3(int start) {
    a = start;
    b = start;
    c = start;
  }

  static int of(Bytes bytes, int initial) {
    int size = bytes.size();
    JenkinsLookup3 state = new JenkinsLookup3(START + size + initial);
    if (size == 0) {
      return state.c;
    }
    int at = 0;
    for (; size - at > TURN; at += TURN) {
      state.add(bytes.getInt(at), bytes.getInt(at + 4), bytes.getInt(at + 8));
      state.mix();
    }
    byte[] rest = new byte[TURN]; // missing bytes count as zero
    bytes.copyTo(at, rest, 0, size - at);
    Bytes last = Bytes.wrap(rest);
    state.add(last.getInt(0), last.getInt(4), last.getInt(8));
    state.finish();
    return state.c;
  }

  private void add(int first, int second, int third) {
    a += first;
    b += second;
    c += third;
  }

  private void mix() {
    a = (a - c) ^ Integer.rotateLeft(c, 4);
    c += b;
    b = (b - a) ^ Integer.rotateLeft(a, 6);
    a += c;
    c = (c - b) ^ Integer.rotateLeft(b, 8);
    b += a;
    a = (a - c) ^ Integer.rotateLeft(c, 16);
    c += b;
    b = (b - a) ^ Integer.rotateLeft(a, 19);
    a += c;
    c = (c - b) ^ Integer.rotateLeft(b, 4);
    b += a;
  }

  private void finish() {
    c = (c ^ b) - Integer.rotateLeft(b, 14);
    a = (a ^ c) - Integer.rotateLeft(c, 11);
    b = (b ^ a) - Integer.rotateLeft(a, 25);
    c = (c ^ b) - Integer.rotateLeft(b, 16);
    a = (a ^ c) - Integer.rotateLeft(c, 4);
    b = (b ^ a) - Integer.rotateLeft(a, 14);
    c = (c ^ b) - Integer.rotateLeft(b, 24);
  }
}
