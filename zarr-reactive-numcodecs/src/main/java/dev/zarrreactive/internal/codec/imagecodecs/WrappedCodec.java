package dev.zarrreactive.internal.codec.imagecodecs;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.codec.numcodecs.NumcodecsProvider;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.LocatedJson;
import java.util.List;

/** A codec that is one of numcodecs under another name. */
final class WrappedCodec implements BytesToBytesCodec {
  private static final NumcodecsProvider NUMCODECS = new NumcodecsProvider();
  private static final CodecRegistry REGISTRY = CodecRegistry.of(List.of(NUMCODECS));

  private final NamedConfiguration configuration;
  private final BytesToBytesCodec codec;

  private WrappedCodec(NamedConfiguration configuration, BytesToBytesCodec codec) {
    this.configuration = configuration;
    this.codec = codec;
  }

  static WrappedCodec zlib(NamedConfiguration use) {
    return levelled(use, "zlib", -1, 9, -1);
  }

  /** Creates the codec of zlib for a name that has other members, too. */
  static WrappedCodec zlib(NamedConfiguration use, int level) {
    return new WrappedCodec(use, numcodecs(use, "zlib", JsonObject.EMPTY.with("level", level)));
  }

  static WrappedCodec zstd(NamedConfiguration use) {
    return levelled(use, "zstd", -131072, 22, 3);
  }

  static WrappedCodec bzip2(NamedConfiguration use) {
    return levelled(use, "bz2", 1, 9, 9);
  }

  private static WrappedCodec levelled(
      NamedConfiguration use, String id, int min, int max, int otherwise) {
    use.configuration().allowOnly("level");
    LocatedJson level = use.configuration().nonNull("level");
    return new WrappedCodec(
        use,
        numcodecs(
            use,
            id,
            JsonObject.EMPTY.with("level", level == null ? otherwise : level.integer(min, max))));
  }

  /** Creates the codec {@code lzma}: one stream of xz, whose check is that of the stream. */
  static WrappedCodec lzma(NamedConfiguration use) {
    use.configuration().allowOnly("level", "check");
    LocatedJson level = use.configuration().nonNull("level");
    JsonObject members =
        level == null ? JsonObject.EMPTY : JsonObject.EMPTY.with("preset", level.integer(0, 9));
    return new WrappedCodec(use, numcodecs(use, "lzma", members));
  }

  /** Returns a codec under the name of another one. */
  static WrappedCodec of(NamedConfiguration use, BytesToBytesCodec codec) {
    return new WrappedCodec(use, codec);
  }

  /** Returns a codec of numcodecs for the use of another one. */
  static BytesToBytesCodec numcodecs(NamedConfiguration use, String id, JsonObject members) {
    return (BytesToBytesCodec)
        NUMCODECS.create(
            NamedConfiguration.of(
                "numcodecs." + id, new LocatedJson(members, use.configuration().location())),
            REGISTRY);
  }

  @Override
  public NamedConfiguration configuration() {
    return configuration;
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
