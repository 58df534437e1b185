package dev.zarrreactive.internal.codec.numcodecs;

import dev.zarrreactive.codec.Codec;
import dev.zarrreactive.codec.CodecProvider;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.extension.NamedConfiguration;
import java.util.Set;

/**
 * Creates the codecs of this package: {@code numcodecs.<id>}, with the configuration of numcodecs
 * for {@code id} without the member {@code id}. Public for {@link java.util.ServiceLoader} only.
 */
public final class NumcodecsProvider implements CodecProvider {
  /** A table of their names alone: references to their methods would load every codec. */
  private static final Set<String> NAMES =
      Set.of(
          "numcodecs.blosc",
          "numcodecs.gzip",
          "numcodecs.zstd",
          "numcodecs.zlib",
          "numcodecs.lz4",
          "numcodecs.astype",
          "numcodecs.categorize",
          "numcodecs.delta",
          "numcodecs.fixedscaleoffset",
          "numcodecs.packbits",
          "numcodecs.quantize",
          "numcodecs.base64",
          "numcodecs.bz2",
          "numcodecs.lzma",
          "numcodecs.shuffle",
          "numcodecs.json2",
          "numcodecs.msgpack2",
          "numcodecs.crc32",
          "numcodecs.crc32c",
          "numcodecs.adler32",
          "numcodecs.fletcher32",
          "numcodecs.jenkins_lookup3");

  @Override
  public Set<String> names() {
    return NAMES;
  }

  @Override
  public Codec create(NamedConfiguration configuration, CodecRegistry registry) {
    String name = configuration.name();
    return switch (name) {
      case "numcodecs.blosc" -> RenamedCodec.blosc(configuration);
      case "numcodecs.gzip" -> RenamedCodec.gzip(configuration);
      case "numcodecs.zstd" -> RenamedCodec.zstd(configuration);
      case "numcodecs.zlib" -> ZlibCodec.of(configuration);
      case "numcodecs.lz4" -> Lz4Codec.of(configuration);
      case "numcodecs.astype" -> Arithmetic.asType(configuration);
      case "numcodecs.categorize" -> Categorize.of(configuration);
      case "numcodecs.delta" -> Delta.of(configuration);
      case "numcodecs.fixedscaleoffset" -> Arithmetic.fixedScaleOffset(configuration);
      case "numcodecs.packbits" -> PackBits.of(configuration);
      case "numcodecs.quantize" -> Arithmetic.quantize(configuration);
      case "numcodecs.base64" -> Base64Codec.of(configuration);
      case "numcodecs.bz2" -> Bzip2Codec.of(configuration);
      case "numcodecs.lzma" -> LzmaCodec.of(configuration);
      case "numcodecs.shuffle" -> ShuffleCodec.of(configuration);
      case "numcodecs.json2" -> ObjectCodec.json(configuration);
      case "numcodecs.msgpack2" -> ObjectCodec.messagePack(configuration);
      case "numcodecs.crc32" -> Checksums.crc32(configuration);
      case "numcodecs.crc32c" -> Checksums.crc32c(configuration);
      case "numcodecs.adler32" -> Checksums.adler32(configuration);
      case "numcodecs.fletcher32" -> Checksums.fletcher32(configuration);
      case "numcodecs.jenkins_lookup3" -> Checksums.lookup3(configuration);
      default -> throw new IllegalArgumentException("not a codec of numcodecs: " + name);
    };
  }
}
