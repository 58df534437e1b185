package dev.zarrreactive.codec;

import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonObject;
import java.util.Locale;

/**
 * The codec {@code blosc} in metadata: a compressor after a shuffle of the elements' bytes. {@link
 * Codecs#blosc} makes it; each method returns a changed one. The defaults are those of zarr-python:
 * level 5, and byte shuffle, or bit shuffle for elements of one byte. The builder of an array's
 * metadata, or a copy, adds the size of the elements.
 */
public final class Blosc extends NamedConfiguration {
  private static final String NAME = "blosc";
  private static final int MAX_TYPESIZE = 255;

  private Blosc(JsonObject configuration) {
    super(NAME, configuration);
  }

  static Blosc of(Compressor compressor) {
    return new Blosc(
        JsonObject.EMPTY
            .with("cname", compressor.name().toLowerCase(Locale.ROOT))
            .with("clevel", 5)
            .with("blocksize", 0));
  }

  /** The compressors inside of blosc. */
  public enum Compressor {
    /** BloscLZ, a variant of FastLZ. */
    BLOSCLZ,
    /** LZ4: quick. */
    LZ4,
    /** LZ4 HC: slow to compress, quick to decompress. */
    LZ4HC,
    /** Snappy; it needs snappy-java on the class path. */
    SNAPPY,
    /** zlib. */
    ZLIB,
    /** Zstandard: dense. */
    ZSTD
  }

  private Blosc with(String member, long value) {
    return new Blosc(configuration().object().with(member, value));
  }

  private Blosc shuffled(String how) {
    return new Blosc(configuration().object().with("shuffle", how));
  }

  /**
   * Sets the level.
   *
   * @param level 0, which stores, to 9, the densest
   * @throws IllegalArgumentException for any other
   */
  public Blosc level(int level) {
    return with("clevel", Codecs.inRange("level of blosc", level, 0, 9));
  }

  /** Shuffles bytes: first the lowest byte of every element, then the next. */
  public Blosc shuffle() {
    return shuffled("shuffle");
  }

  /** Shuffles bits: first the lowest bit of every element, then the next. */
  public Blosc bitshuffle() {
    return shuffled("bitshuffle");
  }

  /** Leaves the bytes as they are. */
  public Blosc noShuffle() {
    return shuffled("noshuffle");
  }

  /**
   * Sets the size of the elements that are shuffled, in bytes, in the place of that of the data
   * type: for a chain in which another codec changes it.
   *
   * @throws IllegalArgumentException for a size below 1 or above 255
   */
  public Blosc typesize(int bytes) {
    return with("typesize", Codecs.inRange("typesize of blosc", bytes, 1, MAX_TYPESIZE));
  }

  /**
   * Sets the size of the blocks that are compressed one by one, in bytes; with 0, the default, the
   * encoder chooses.
   *
   * @throws IllegalArgumentException for a negative size
   */
  public Blosc blocksize(int bytes) {
    return with("blocksize", Codecs.inRange("blocksize of blosc", bytes, 0, Integer.MAX_VALUE));
  }
}
