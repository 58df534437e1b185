package dev.zarrreactive.internal.codec.numcodecs;

import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.Codec;
import dev.zarrreactive.codec.CodecProvider;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.codec.CoreCodecProvider;
import dev.zarrreactive.internal.codec.blosc.BloscProvider;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.LocatedJson;
import java.util.List;

/**
 * The codecs that Zarr v3 has registered under names of its own, with nearly the same
 * configuration.
 */
final class Renamed {
  private Renamed() {}

  static Codec gzip(NamedConfiguration use) {
    use.configuration().allowOnly("level");
    int level = Options.integer(use, "level", -1, 9, 1);
    return core(use, "gzip", JsonObject.EMPTY.with("level", level < 0 ? 6 : level));
  }

  static Codec zstd(NamedConfiguration use) {
    use.configuration().allowOnly("level", "checksum");
    int level = Options.integer(use, "level", -131072, 22, 1);
    LocatedJson checksum = use.optional("checksum");
    return core(
        use,
        "zstd",
        JsonObject.EMPTY
            .with("level", level)
            .with("checksum", checksum != null && checksum.bool()));
  }

  private static Codec core(NamedConfiguration use, String name, JsonObject configuration) {
    return renamed(use, name, configuration, new CoreCodecProvider());
  }

  /**
   * {@code shuffle} is a number: 0 none, 1 bytes, 2 bits, -1 bits for elements of one byte and
   * bytes for larger ones. How large they are is not in the configuration of older programs; a
   * frame that is read says it.
   */
  static Codec blosc(NamedConfiguration use) {
    use.configuration().allowOnly("cname", "clevel", "shuffle", "blocksize", "typesize");
    LocatedJson cname = use.optional("cname");
    int typesize = Options.integer(use, "typesize", 1, Integer.MAX_VALUE, 1);
    JsonObject configuration =
        JsonObject.EMPTY
            .with("cname", cname == null ? "lz4" : compressor(cname))
            .with("clevel", Options.integer(use, "clevel", 0, 9, 5))
            .with("shuffle", shuffle(Options.integer(use, "shuffle", -1, 2, 1), typesize))
            .with("typesize", typesize > 255 ? 1 : typesize)
            .with("blocksize", Options.integer(use, "blocksize", 0, Integer.MAX_VALUE, 0));
    return renamed(use, "blosc", configuration, new BloscProvider());
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

  private static Codec renamed(
      NamedConfiguration use, String name, JsonObject configuration, CodecProvider provider) {
    Codec codec =
        provider.create(
            NamedConfiguration.of(name, configuration), CodecRegistry.of(List.of(provider)));
    return new RenamedCodec(use, (BytesToBytesCodec) codec);
  }
}
