package dev.zarrreactive.internal.codec.blosc;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The compressor of the sub-streams of a frame: the configuration's {@code cname}. */
enum Compressor {
  BLOSCLZ("blosclz", 0),
  LZ4("lz4", 1),
  LZ4HC("lz4hc", 1),
  SNAPPY("snappy", 2),
  ZLIB("zlib", 3),
  ZSTD("zstd", 4);

  private final String json;
  private final int format;

  Compressor(String json, int format) {
    this.json = json;
    this.format = format;
  }

  /** Returns the names in metadata. */
  static String[] names() {
    return Arrays.stream(values()).map(Compressor::json).toArray(String[]::new);
  }

  /** Returns the compressor of a name, which is one of {@link #names()}. */
  static Compressor ofName(String name) {
    return Arrays.stream(values()).filter(c -> c.json.equals(name)).findFirst().orElseThrow();
  }

  /** Returns a compressor that writes the header's format {@code format}, 0 to 4, or null. */
  static @Nullable Compressor ofFormat(int format) {
    for (Compressor compressor : values()) {
      if (compressor.format == format) {
        return compressor;
      }
    }
    return null;
  }

  /** Returns the name in metadata. */
  String json() {
    return json;
  }

  /** Returns the number in the header's flags. */
  int format() {
    return format;
  }

  /** Returns the codec of the sub-streams. */
  StreamCodec streams() {
    return switch (this) {
      case BLOSCLZ -> BlosclzStreams.INSTANCE;
      case LZ4 -> Lz4Streams.FAST;
      case LZ4HC -> Lz4Streams.HIGH;
      case SNAPPY -> SnappyStreams.INSTANCE;
      case ZLIB -> ZlibStreams.INSTANCE;
      case ZSTD -> ZstdStreams.INSTANCE;
    };
  }
}
