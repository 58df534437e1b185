package dev.zarrreactive.internal.metadata;

import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.LocatedJson;

/**
 * Codecs of numcodecs that Zarr v3 has registered under names of its own, with nearly the same
 * configuration. Either decodes the data of the other.
 */
public final class CoreNames {
  private CoreNames() {}

  /** Returns the codec under its name in Zarr v3, and any other codec as it is. */
  public static NamedConfiguration of(NamedConfiguration codec) {
    return switch (codec.name()) {
      case "numcodecs.gzip" -> gzip(codec);
      case "numcodecs.zstd" -> zstd(codec);
      case "numcodecs.blosc" -> blosc(codec);
      case "numcodecs.crc32c" -> isBehind(codec) ? NamedConfiguration.of("crc32c") : codec;
      default -> codec;
    };
  }

  private static boolean isBehind(NamedConfiguration crc32c) {
    LocatedJson location = OptionalMembers.optional(crc32c, "location");
    return location == null || location.value().equals(new JsonString("end"));
  }

  public static NamedConfiguration gzip(NamedConfiguration use) {
    use.configuration().allowOnly("level");
    int level = OptionalMembers.integer(use, "level", -1, 9, 1);
    return NamedConfiguration.of("gzip", JsonObject.EMPTY.with("level", level < 0 ? 6 : level));
  }

  public static NamedConfiguration zstd(NamedConfiguration use) {
    use.configuration().allowOnly("level", "checksum");
    int level = OptionalMembers.integer(use, "level", -131072, 22, 1);
    LocatedJson checksum = use.optional("checksum");
    return NamedConfiguration.of(
        "zstd",
        JsonObject.EMPTY
            .with("level", level)
            .with("checksum", checksum != null && checksum.bool()));
  }

  /**
   * Translates the configuration of blosc. The number {@code shuffle} is 0 for none, 1 for bytes, 2
   * for bits, and -1 for bits of one-byte elements and bytes of larger ones. Older programs left
   * the size of elements out of the configuration; readers take it from the frame.
   */
  public static NamedConfiguration blosc(NamedConfiguration use) {
    use.configuration().allowOnly("cname", "clevel", "shuffle", "blocksize", "typesize");
    LocatedJson cname = use.optional("cname");
    int typesize = OptionalMembers.integer(use, "typesize", 1, Integer.MAX_VALUE, 1);
    return NamedConfiguration.of(
        "blosc",
        JsonObject.EMPTY
            .with("cname", cname == null ? "lz4" : compressor(cname))
            .with("clevel", OptionalMembers.integer(use, "clevel", 0, 9, 5))
            .with("shuffle", shuffle(OptionalMembers.integer(use, "shuffle", -1, 2, 1), typesize))
            .with("typesize", typesize > 255 ? 1 : typesize)
            .with("blocksize", OptionalMembers.integer(use, "blocksize", 0, Integer.MAX_VALUE, 0)));
  }

  private static String compressor(LocatedJson cname) {
    return cname.oneOf("lz4", "lz4hc", "blosclz", "snappy", "zlib", "zstd");
  }

  private static String shuffle(int number, int typesize) {
    return switch (number) {
      case 0 -> "noshuffle";
      case 1 -> "shuffle";
      case 2 -> "bitshuffle";
      default -> typesize == 1 ? "bitshuffle" : "shuffle";
    };
  }
}
