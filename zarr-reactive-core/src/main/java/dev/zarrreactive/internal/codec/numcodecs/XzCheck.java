package dev.zarrreactive.internal.codec.numcodecs;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.store.Bytes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.zip.CRC32;
import java.util.zip.Checksum;
import org.jspecify.annotations.Nullable;

/** What an xz stream keeps of each block to check its content by. */
final class XzCheck {
  static final int NONE = 0;
  static final int CRC32 = 1;
  static final int CRC64 = 4;
  static final int SHA256 = 10;

  private final int size;
  private final @Nullable Checksum sum;
  private final @Nullable MessageDigest digest;

  private XzCheck(int size, @Nullable Checksum sum, @Nullable MessageDigest digest) {
    this.size = size;
    this.sum = sum;
    this.digest = digest;
  }

  /**
   * A check at its start.
   *
   * @throws UnsupportedFeatureException where the format reserves the number
   */
  static XzCheck of(int id) {
    return switch (id) {
      case NONE -> new XzCheck(0, null, null);
      case CRC32 -> new XzCheck(Integer.BYTES, new CRC32(), null);
      case CRC64 -> new XzCheck(Long.BYTES, new Crc64(), null);
      case SHA256 -> new XzCheck(32, null, sha256());
      default ->
          throw new UnsupportedFeatureException("the unknown xz check " + id, Location.UNKNOWN);
    };
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java platform has it
    }
  }

  /** How many bytes it has. */
  int size() {
    return size;
  }

  void update(byte[] array, int offset, int length) {
    if (sum != null) {
      sum.update(array, offset, length);
    }
    if (digest != null) {
      digest.update(array, offset, length);
    }
  }

  /** The check of everything so far. */
  Bytes finish() {
    if (digest != null) {
      return Bytes.wrap(digest.digest());
    }
    byte[] bytes = new byte[size];
    long value = sum == null ? 0 : sum.getValue();
    for (int i = 0; i < size; i++) {
      bytes[i] = (byte) (value >>> (Byte.SIZE * i));
    }
    return Bytes.wrap(bytes);
  }
}
