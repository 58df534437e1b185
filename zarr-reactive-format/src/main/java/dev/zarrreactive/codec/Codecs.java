package dev.zarrreactive.codec;

import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.metadata.CodecDefaults;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonObject;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The codecs of an array as its metadata name them, for {@link
 * dev.zarrreactive.metadata.ArrayMetadataBuilder} and copies of arrays. They are of Zarr v3; the
 * builder writes them as filters and compressors where the array is of Zarr v2, and refuses those
 * that Zarr v2 lacks. An argument out of range is an {@link IllegalArgumentException} at once. Any
 * other codec, also one of your own, is a {@link NamedConfiguration}.
 */
public final class Codecs {
  private static final int LOWEST_ZSTD = -131072;
  private static final int HIGHEST_ZSTD = 22;

  private Codecs() {}

  /**
   * Compresses by Zstandard ({@code zstd}), without a checksum.
   *
   * @param level -131072, the quickest, to 22, the densest; 0 is zstd's default, which is 3
   */
  public static NamedConfiguration zstd(int level) {
    return zstd(level, false);
  }

  /**
   * Compresses by Zstandard ({@code zstd}).
   *
   * @param level -131072, the quickest, to 22, the densest; 0 is zstd's default, which is 3
   * @param checksum whether a checksum of the content is stored with it
   */
  public static NamedConfiguration zstd(int level, boolean checksum) {
    return NamedConfiguration.of(
        "zstd",
        JsonObject.EMPTY
            .with("level", inRange("level of zstd", level, LOWEST_ZSTD, HIGHEST_ZSTD))
            .with("checksum", checksum));
  }

  /**
   * Compresses by {@code gzip}.
   *
   * @param level 0, which stores, to 9, the densest
   */
  public static NamedConfiguration gzip(int level) {
    return levelled("gzip", level, 0);
  }

  /** Compresses by {@code blosc}, whose settings {@link Blosc} changes. */
  public static Blosc blosc(Blosc.Compressor compressor) {
    return Blosc.of(compressor);
  }

  /** Adds a checksum of four bytes, which readers check ({@code crc32c}). */
  public static NamedConfiguration crc32c() {
    return NamedConfiguration.of("crc32c");
  }

  /** Stores elements in C order, little-endian ({@code bytes}). */
  public static NamedConfiguration bytes() {
    return NamedConfiguration.of("bytes");
  }

  /** Stores elements in C order, the bytes of each component in this order ({@code bytes}). */
  public static NamedConfiguration bytes(ByteOrder order) {
    return NamedConfiguration.of(
        "bytes", JsonObject.EMPTY.with("endian", order == ByteOrder.BIG_ENDIAN ? "big" : "little"));
  }

  /** Stores texts, each with its length ({@code vlen-utf8}). */
  public static NamedConfiguration vlenUtf8() {
    return NamedConfiguration.of("vlen-utf8");
  }

  /** Stores byte strings, each with its length ({@code vlen-bytes}). */
  public static NamedConfiguration vlenBytes() {
    return NamedConfiguration.of("vlen-bytes");
  }

  /**
   * Returns the array→bytes codec that a chain without one gets: {@code bytes}, little-endian, or
   * {@code vlen-utf8} and {@code vlen-bytes} for texts and byte strings.
   */
  public static NamedConfiguration toBytes(DataType dataType) {
    return CodecDefaults.toBytes(dataType);
  }

  /**
   * Permutes the dimensions ({@code transpose}): dimension {@code i} of the stored chunk is
   * dimension {@code order[i]} of the array. Zarr v2 has the reversal alone.
   */
  public static NamedConfiguration transpose(int... order) {
    int[] sorted = order.clone();
    Arrays.sort(sorted);
    for (int d = 0; d < sorted.length; d++) {
      if (sorted[d] != d) {
        throw new IllegalArgumentException(
            "transpose: expected each of the dimensions 0 to "
                + (order.length - 1)
                + " once, found "
                + Arrays.toString(order));
      }
    }
    long[] numbers = LongStream.range(0, order.length).map(d -> order[(int) d]).toArray();
    return NamedConfiguration.of(
        "transpose", JsonObject.EMPTY.with("order", JsonArray.ofIntegers(numbers)));
  }

  /**
   * Makes each chunk of the array a shard of inner chunks of this shape; {@link Sharding} changes
   * its settings. In an array without shards in shards, {@link
   * dev.zarrreactive.metadata.ArrayMetadataBuilder#shardShape} is shorter.
   */
  public static Sharding sharding(long... innerShape) {
    for (long extent : innerShape) {
      if (extent < 1) {
        throw new IllegalArgumentException(
            "sharding: expected at least one element in each dimension of an inner chunk, found "
                + Arrays.toString(innerShape));
      }
    }
    return Sharding.of(innerShape, List.of(CodecDefaults.COMPRESSOR));
  }

  /**
   * Compresses by zlib, a codec of Zarr v2 ({@code numcodecs.zlib} in Zarr v3).
   *
   * @param level 0, which stores, to 9, the densest
   */
  public static NamedConfiguration zlib(int level) {
    return levelled("numcodecs.zlib", level, 0);
  }

  /**
   * Compresses by bzip2, a codec of Zarr v2 ({@code numcodecs.bz2} in Zarr v3). It needs the
   * library commons-compress on the class path.
   *
   * @param level 1 to 9, the densest
   */
  public static NamedConfiguration bz2(int level) {
    return levelled("numcodecs.bz2", level, 1);
  }

  /** Compresses by LZ4 without a frame, a codec of Zarr v2 ({@code numcodecs.lz4} in Zarr v3). */
  public static NamedConfiguration lz4() {
    return NamedConfiguration.of("numcodecs.lz4", JsonObject.EMPTY.with("acceleration", 1));
  }

  /**
   * Compresses by LZMA into {@code .xz} streams, a codec of Zarr v2 ({@code numcodecs.lzma} in Zarr
   * v3). It needs the library xz on the class path.
   *
   * @param preset 0 to 9, the densest
   */
  public static NamedConfiguration lzma(int preset) {
    return NamedConfiguration.of(
        "numcodecs.lzma",
        JsonObject.EMPTY
            .with("format", 1)
            .with("check", -1)
            .with("preset", inRange("preset of lzma", preset, 0, 9))
            .with("filters", JsonNull.NULL));
  }

  private static NamedConfiguration levelled(String name, int level, int least) {
    return NamedConfiguration.of(
        name,
        JsonObject.EMPTY.with(
            "level", inRange("level of " + name.replace("numcodecs.", ""), level, least, 9)));
  }

  static int inRange(String what, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          what + ": expected " + least + " to " + most + ", found " + value);
    }
    return value;
  }
}
