package dev.zarrreactive.virtual;

import dev.zarrreactive.base.Bytes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Short names of contents: 96 bits of SHA-256. */
final class Digest {
  private static final int BYTES = 12;

  private Digest() {}

  static String of(Bytes content) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(content.toByteArray());
      return HexFormat.of().formatHex(hash, 0, BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }
}
