package dev.zarrreactive.internal.codec.numcodecs;

import dev.zarrreactive.codec.Codec;
import dev.zarrreactive.codec.CodecProvider;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.extension.NamedConfiguration;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Creates the codecs of this package: {@code numcodecs.<id>}, with the configuration of numcodecs
 * for {@code id} without the member {@code id}. Public for {@link java.util.ServiceLoader} only.
 */
public final class NumcodecsProvider implements CodecProvider {
  private static final Map<String, Function<NamedConfiguration, Codec>> CODECS =
      Map.ofEntries(
          Map.entry("numcodecs.blosc", RenamedCodec::blosc),
          Map.entry("numcodecs.gzip", RenamedCodec::gzip),
          Map.entry("numcodecs.zstd", RenamedCodec::zstd),
          Map.entry("numcodecs.zlib", ZlibCodec::of),
          Map.entry("numcodecs.lz4", Lz4Codec::of),
          Map.entry("numcodecs.astype", Arithmetic::asType),
          Map.entry("numcodecs.categorize", Categorize::of),
          Map.entry("numcodecs.delta", Delta::of),
          Map.entry("numcodecs.fixedscaleoffset", Arithmetic::fixedScaleOffset),
          Map.entry("numcodecs.packbits", PackBits::of),
          Map.entry("numcodecs.quantize", Arithmetic::quantize),
          Map.entry("numcodecs.base64", Base64Codec::of),
          Map.entry("numcodecs.bz2", Bzip2Codec::of),
          Map.entry("numcodecs.lzma", LzmaCodec::of),
          Map.entry("numcodecs.shuffle", ShuffleCodec::of),
          Map.entry("numcodecs.json2", ObjectCodec::json),
          Map.entry("numcodecs.msgpack2", ObjectCodec::messagePack),
          Map.entry("numcodecs.crc32", Checksums::crc32),
          Map.entry("numcodecs.crc32c", Checksums::crc32c),
          Map.entry("numcodecs.adler32", Checksums::adler32),
          Map.entry("numcodecs.fletcher32", Checksums::fletcher32),
          Map.entry("numcodecs.jenkins_lookup3", Checksums::lookup3));

  @Override
  public Set<String> names() {
    return CODECS.keySet();
  }

  @Override
  public Codec create(NamedConfiguration configuration, CodecRegistry registry) {
    Function<NamedConfiguration, Codec> codec = CODECS.get(configuration.name());
    if (codec == null) {
      throw new IllegalArgumentException("not a codec of numcodecs: " + configuration.name());
    }
    return codec.apply(configuration);
  }
}
