package dev.zarrreactive.internal.icechunk;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A file of a repository without its header of 39 bytes, decompressed.
 *
 * @param specVersion 1 or 2
 */
record FileEnvelope(int specVersion, FlatBuffer payload) {
  static final int HEADER = 39;

  private static final int VERSION_AT = 36;
  private static final int TYPE_AT = 37;
  private static final int COMPRESSION_AT = 38;
  private static final byte[] MAGIC = {
    0x49,
    0x43,
    0x45,
    (byte) 0xf0,
    (byte) 0x9f,
    (byte) 0xa7,
    (byte) 0x8a,
    0x43,
    0x48,
    0x55,
    0x4e,
    0x4b
  };
  private static final int PIECE = 1 << 20;

  /** How many times its size a compressed file may be, above {@link #ALWAYS_ALLOWED}. */
  private static final int MOST_EXPANSION = 256;

  private static final int ALWAYS_ALLOWED = 16 << 20;

  /**
   * Opens a file.
   *
   * @param key of the file, for errors
   * @param maxBytes the most bytes that it may have decompressed
   */
  static FileEnvelope open(Bytes file, FileType expected, String key, long maxBytes) {
    Location place = Location.ofKey(key);
    if (file.size() < HEADER || !file.slice(0, MAGIC.length).equals(Bytes.wrap(MAGIC))) {
      throw new StoreException(
          "not a file of an Icechunk repository: it does not begin with \"ICE🧊CHUNK\"", place);
    }
    int version = file.get(VERSION_AT) & 0xff;
    if (version != 1 && version != 2) {
      throw new UnsupportedFeatureException(
          "a file of version "
              + version
              + " of the Icechunk specification, written by "
              + writer(file)
              + "; versions 1 and 2 are read",
          place);
    }
    int type = file.get(TYPE_AT) & 0xff;
    if (type != expected.number()) {
      throw new StoreException("expected " + expected + ", found " + FileType.words(type), place);
    }
    int compression = file.get(COMPRESSION_AT) & 0xff;
    Bytes stored = file.slice(HEADER, file.size() - HEADER);
    return new FileEnvelope(
        version,
        new FlatBuffer(
            switch (compression) {
              case 0 -> stored;
              case 1 -> decompress(stored, maxBytes, place);
              default ->
                  throw new UnsupportedFeatureException(
                      "a file with the unknown compression "
                          + compression
                          + "; 0 (none) and 1 (zstd) are read",
                      place);
            },
            key));
  }

  /** The name of the writer, cut to what people can read. */
  private static String writer(Bytes file) {
    StringBuilder name = new StringBuilder();
    for (int i = MAGIC.length; i < VERSION_AT; i++) {
      int unit = file.get(i);
      name.append(unit > ' ' && unit < 0x7f ? (char) unit : ' ');
    }
    String text = name.toString().strip();
    return text.isEmpty() ? "an unnamed writer" : '"' + text + '"';
  }

  private static Bytes decompress(Bytes stored, long maxBytes, Location place) {
    long most =
        Math.min(
            Math.min(maxBytes, Bytes.MAX_SIZE),
            Math.max(ALWAYS_ALLOWED, (long) stored.size() * MOST_EXPANSION));
    if (stored.size() == 0) {
      throw new StoreException("the file ends behind its header", place);
    }
    long told = told(stored);
    if (told > most) {
      throw tooLarge(told + " bytes", stored, most, place);
    }
    List<Bytes> pieces = new ArrayList<>();
    long size = 0;
    try (ZstdInputStreamNoFinalizer in =
        new ZstdInputStreamNoFinalizer(
            new ByteArrayInputStream(stored.unsafeArray(), stored.unsafeOffset(), stored.size()))) {
      byte[] piece = new byte[told > 0 ? (int) told : PIECE];
      int filled = 0;
      for (int read = in.read(piece, 0, piece.length);
          read >= 0;
          read = in.read(piece, filled, piece.length - filled)) {
        filled += read;
        size += read;
        if (size > most) {
          throw tooLarge("more than " + most + " bytes", stored, most, place);
        }
        if (filled == piece.length) {
          pieces.add(Bytes.wrap(piece));
          piece = new byte[PIECE];
          filled = 0;
        }
      }
      if (filled > 0) {
        pieces.add(Bytes.wrap(piece, 0, filled));
      }
      return pieces.size() == 1 ? compact(pieces.get(0)) : Bytes.join(pieces);
    } catch (IOException e) {
      throw new StoreException(
          "the zstd frame of the file cannot be decompressed: " + e.getMessage(), place, e);
    }
  }

  /**
   * The size that a frame says of itself; not above 0 where it says none. Spark 3.5 has a zstd-jni
   * in which the newer name of this method is missing.
   */
  @SuppressWarnings("deprecation")
  private static long told(Bytes stored) {
    return Zstd.decompressedSize(stored.unsafeArray(), stored.unsafeOffset(), stored.size(), false);
  }

  /** Bytes that hold no more memory than they need. */
  private static Bytes compact(Bytes bytes) {
    return bytes.unsafeArray().length == bytes.size() ? bytes : Bytes.wrap(bytes.toByteArray());
  }

  private static StoreException tooLarge(String size, Bytes stored, long most, Location place) {
    return new StoreException(
        "a file of "
            + stored.size()
            + " bytes that decompresses to "
            + size
            + "; at most "
            + most
            + " are read (the option maxFileBytes, and "
            + MOST_EXPANSION
            + " times the size of the file)",
        place);
  }
}
