package dev.zarrreactive.internal.codec;

import dev.zarrreactive.codec.Codec;
import dev.zarrreactive.codec.CodecProvider;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.extension.NamedConfiguration;
import java.util.Set;

/** Creates the codecs of this package. */
public final class CoreCodecProvider implements CodecProvider {
  private static final Set<String> NAMES =
      Set.of(
          BytesCodec.NAME,
          BytesCodec.OLD_NAME,
          StructBytesCodec.NAME,
          ChecksumCodec.CRC32C_NAME,
          ReshapeCodec.NAME,
          PackbitsCodec.NAME);

  @Override
  public Set<String> names() {
    return NAMES;
  }

  @Override
  public Codec create(NamedConfiguration configuration, CodecRegistry registry) {
    return switch (configuration.name()) {
      case BytesCodec.NAME, BytesCodec.OLD_NAME -> BytesCodec.of(configuration);
      case StructBytesCodec.NAME -> StructBytesCodec.of(configuration);
      case ChecksumCodec.CRC32C_NAME -> ChecksumCodec.crc32c(configuration);
      case ReshapeCodec.NAME -> ReshapeCodec.of(configuration);
      case PackbitsCodec.NAME -> PackbitsCodec.of(configuration);
      default -> throw new IllegalArgumentException("not a core codec: " + configuration.name());
    };
  }
}
