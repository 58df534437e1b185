package dev.zarrreactive.internal.icechunk;

import dev.zarrreactive.base.Bytes;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes ids that nobody else makes. Each is a part of the digest of a random key and a number, so
 * that only the key is asked of the operating system, which may hold a thread up. Thread-safe.
 */
public final class ObjectIds {
  static final int BYTES = 12;

  /** The size of a key. */
  public static final int KEY_BYTES = 32;

  private final byte[] key;
  private final AtomicLong made = new AtomicLong();

  /** A source of ids from a random key that nobody else has. */
  public ObjectIds(byte[] key) {
    this.key = key.clone();
  }

  /** Returns the text of an id of 12 bytes, of a snapshot, a manifest or a chunk. */
  public String object() {
    return Base32.encode(Bytes.wrap(next()), 0, BYTES);
  }

  /** Returns an id of 8 bytes, of a node. */
  public long node() {
    return ByteBuffer.wrap(next()).getLong();
  }

  private byte[] next() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(key);
      digest.update(ByteBuffer.allocate(8).putLong(0, made.incrementAndGet()));
      return digest.digest();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }

  /** The first 8 bytes of an id of 12, by its text. */
  public static long first(String id) {
    return Base32.high(id) << 4 | Base32.low(id) >>> 36;
  }

  /** The last 4 bytes of an id of 12, by its text. */
  public static int last(String id) {
    return (int) (Base32.low(id) >>> 4);
  }

  /** The text of an id of 12 bytes, of {@link #first} and {@link #last}. */
  public static String text(long first, int last) {
    return Base32.text(first >>> 4, (first & 15) << 36 | Integer.toUnsignedLong(last) << 4);
  }

  static byte[] bytes(String id) {
    return ByteBuffer.allocate(BYTES).putLong(first(id)).putInt(last(id)).array();
  }
}
