package dev.zarrreactive.internal.metadata;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The kind of a codec of this library, by its name: metadata are built without a registry. */
public enum CodecKind {
  /** From arrays to arrays: {@code transpose}, for example. */
  ARRAY_TO_ARRAY("array→array"),
  /** From an array to bytes: {@code bytes}, for example. */
  ARRAY_TO_BYTES("array→bytes"),
  /** From bytes to bytes: {@code zstd}, for example. */
  BYTES_TO_BYTES("bytes→bytes");

  private static final Set<String> FROM_ARRAY_TO_ARRAY =
      Set.of(
          "bitround",
          "cast_value",
          "numcodecs.astype",
          "numcodecs.bitround",
          "numcodecs.categorize",
          "numcodecs.delta",
          "numcodecs.fixedscaleoffset",
          "numcodecs.packbits",
          "numcodecs.quantize",
          "reshape",
          "scale_offset",
          "transpose");

  private static final Set<String> FROM_ARRAY_TO_BYTES =
      Set.of(
          "bytes",
          "endian",
          "imagecodecs_jpeg",
          "n5_default",
          "numcodecs.json2",
          "numcodecs.msgpack2",
          "numcodecs.pcodec",
          "numcodecs.vlen-array",
          "numcodecs.zfpy",
          "optional",
          "packbits",
          "pcodec",
          "sharding_indexed",
          "v2.struct_bytes",
          "vlen-bytes",
          "vlen-utf8",
          "vlen-ndarray",
          "zarrs.optional",
          "zfp");

  private static final Set<String> FROM_BYTES_TO_BYTES =
      Set.of(
          "blosc",
          "conditional",
          "crc32c",
          "draft.index_checksum",
          "gzip",
          "numcodecs.adler32",
          "numcodecs.base64",
          "numcodecs.blosc",
          "numcodecs.bz2",
          "numcodecs.crc32",
          "numcodecs.crc32c",
          "numcodecs.fletcher32",
          "numcodecs.gzip",
          "numcodecs.jenkins_lookup3",
          "numcodecs.lz4",
          "numcodecs.lzma",
          "numcodecs.shuffle",
          "numcodecs.zlib",
          "numcodecs.zstd",
          "zstd");

  private final String text;

  CodecKind(String text) {
    this.text = text;
  }

  /** Returns the kind of the codec {@code name}; null for a codec of another provider. */
  public static @Nullable CodecKind of(String name) {
    if (FROM_ARRAY_TO_ARRAY.contains(name)) {
      return ARRAY_TO_ARRAY;
    } else if (FROM_ARRAY_TO_BYTES.contains(name)) {
      return ARRAY_TO_BYTES;
    }
    return FROM_BYTES_TO_BYTES.contains(name) ? BYTES_TO_BYTES : null;
  }

  /** Returns the kind in the specification's words. */
  @Override
  public String toString() {
    return text;
  }
}
