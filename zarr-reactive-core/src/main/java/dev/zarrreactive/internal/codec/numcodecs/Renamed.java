package dev.zarrreactive.internal.codec.numcodecs;

import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.Codec;
import dev.zarrreactive.codec.CodecProvider;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.codec.CoreCodecProvider;
import dev.zarrreactive.internal.codec.blosc.BloscProvider;
import java.util.List;

/** The codecs that are those of {@link CoreNames} under another name. */
final class Renamed {
  private Renamed() {}

  static Codec gzip(NamedConfiguration use) {
    return renamed(use, CoreNames.gzip(use), new CoreCodecProvider());
  }

  static Codec zstd(NamedConfiguration use) {
    return renamed(use, CoreNames.zstd(use), new CoreCodecProvider());
  }

  static Codec blosc(NamedConfiguration use) {
    return renamed(use, CoreNames.blosc(use), new BloscProvider());
  }

  private static Codec renamed(
      NamedConfiguration use, NamedConfiguration core, CodecProvider provider) {
    Codec codec = provider.create(core, CodecRegistry.of(List.of(provider)));
    return new RenamedCodec(use, (BytesToBytesCodec) codec);
  }
}
