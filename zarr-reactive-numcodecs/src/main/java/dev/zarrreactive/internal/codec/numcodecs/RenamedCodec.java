package dev.zarrreactive.internal.codec.numcodecs;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.CodecProvider;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.codec.CoreCodecProvider;
import dev.zarrreactive.internal.codec.blosc.BloscProvider;
import dev.zarrreactive.internal.codec.compression.CompressionProvider;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.LocatedJson;
import java.util.List;

/**
 * A codec of numcodecs that Zarr v3 has registered under a name of its own, with nearly the same
 * configuration. Either decodes the data of the other.
 */
final class RenamedCodec implements BytesToBytesCodec {
  private final NamedConfiguration configuration;
  private final NamedConfiguration core;
  private final BytesToBytesCodec codec;

  private RenamedCodec(
      NamedConfiguration configuration, NamedConfiguration core, CodecProvider provider) {
    this.configuration = configuration;
    this.core = core;
    this.codec = (BytesToBytesCodec) provider.create(core, CodecRegistry.of(List.of(provider)));
  }

  static RenamedCodec gzip(NamedConfiguration use) {
    return new RenamedCodec(use, coreGzip(use), new CompressionProvider());
  }

  static RenamedCodec zstd(NamedConfiguration use) {
    return new RenamedCodec(use, coreZstd(use), new CompressionProvider());
  }

  static RenamedCodec blosc(NamedConfiguration use) {
    return new RenamedCodec(use, coreBlosc(use), new BloscProvider());
  }

  /** Creates the checksum behind the data, which is {@code crc32c} in Zarr v3. */
  static RenamedCodec crc32c(NamedConfiguration use) {
    return new RenamedCodec(use, NamedConfiguration.of("crc32c"), new CoreCodecProvider());
  }

  private static NamedConfiguration coreGzip(NamedConfiguration use) {
    use.configuration().allowOnly("level");
    int level = OptionalMembers.integer(use, "level", -1, 9, 1);
    return NamedConfiguration.of("gzip", JsonObject.EMPTY.with("level", level < 0 ? 6 : level));
  }

  private static NamedConfiguration coreZstd(NamedConfiguration use) {
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
  private static NamedConfiguration coreBlosc(NamedConfiguration use) {
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

  @Override
  public NamedConfiguration configuration() {
    return configuration;
  }

  @Override
  public NamedConfiguration registered() {
    return core;
  }

  @Override
  public SizeBound encodedSize(SizeBound decoded) {
    return codec.encodedSize(decoded);
  }

  @Override
  public Bytes encode(Bytes decoded) {
    return codec.encode(decoded);
  }

  @Override
  public Bytes decode(Bytes encoded, DecodeTarget target) {
    return codec.decode(encoded, target);
  }
}
