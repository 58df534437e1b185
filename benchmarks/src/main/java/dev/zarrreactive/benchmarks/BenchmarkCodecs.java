package dev.zarrreactive.benchmarks;

import com.github.luben.zstd.ZstdDecompressCtx;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.Blosc.Compressor;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.extension.NamedConfiguration;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** The codecs that are measured, each in the pipeline's words and as its library alone. */
final class BenchmarkCodecs {
  private static final int GZIP_HEADER = 10;

  private BenchmarkCodecs() {}

  static NamedConfiguration[] configuration(String codec) {
    return codec.equals("bytes")
        ? new NamedConfiguration[0]
        : new NamedConfiguration[] {compressor(codec)};
  }

  private static NamedConfiguration compressor(String codec) {
    return switch (codec) {
      case "crc32c" -> Codecs.crc32c();
      case "gzip" -> Codecs.gzip(5);
      case "zstd" -> Codecs.zstd(3);
      case "blosc-lz4" -> Codecs.blosc(Compressor.LZ4).noShuffle().typesize(Float.BYTES);
      case "blosc-lz4-shuffle" -> Codecs.blosc(Compressor.LZ4).shuffle().typesize(Float.BYTES);
      case "blosc-zstd-shuffle" -> Codecs.blosc(Compressor.ZSTD).shuffle().typesize(Float.BYTES);
      default -> throw new IllegalArgumentException(codec);
    };
  }

  /** Noisy measurements of a smooth quantity, as sensors give them: they compress by about half. */
  static NdArray measurements(int count) {
    Random random = new Random(42);
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      double smooth = 280 + 15 * Math.sin(i / 5000.0) + 3 * Math.sin(i / 70.0);
      values[i] = Math.round((smooth + random.nextGaussian() * 0.1) * 100) / 100f;
    }
    return NdArray.ofFloats(DataTypes.FLOAT32, Shape.of(count), values);
  }

  static LibraryDecoder library(String codec) {
    return switch (codec) {
      case "bytes" ->
          (encoded, target, offset, length) -> encoded.copyTo(0, target, offset, length);
      case "crc32c" -> BenchmarkCodecs::crc32c;
      case "gzip" -> gzip();
      case "zstd" -> zstd();
      default -> blosc(configuration(codec)[0]);
    };
  }

  private static void crc32c(Bytes encoded, byte[] target, int offset, int length) {
    CRC32C crc = new CRC32C();
    crc.update(encoded.unsafeArray(), encoded.unsafeOffset(), length);
    check((int) crc.getValue() == encoded.getInt(length));
    encoded.copyTo(0, target, offset, length);
  }

  private static LibraryDecoder gzip() {
    Inflater inflater = new Inflater(true);
    CRC32 crc = new CRC32();
    return (encoded, target, offset, length) -> {
      inflater.reset();
      inflater.setInput(
          encoded.unsafeArray(),
          encoded.unsafeOffset() + GZIP_HEADER,
          encoded.size() - GZIP_HEADER);
      try {
        check(inflater.inflate(target, offset, length) == length);
      } catch (DataFormatException e) {
        throw new IllegalStateException(e);
      }
      crc.reset();
      crc.update(target, offset, length);
      check((int) crc.getValue() == encoded.getInt(encoded.size() - 8));
    };
  }

  private static LibraryDecoder zstd() {
    ZstdDecompressCtx context = new ZstdDecompressCtx();
    return (encoded, target, offset, length) ->
        check(
            context.decompressByteArray(
                    target,
                    offset,
                    length,
                    encoded.unsafeArray(),
                    encoded.unsafeOffset(),
                    encoded.size())
                == length);
  }

  /** No Java library reads all of blosc: the codec alone, without the pipeline. */
  private static LibraryDecoder blosc(NamedConfiguration configuration) {
    BytesToBytesCodec codec = (BytesToBytesCodec) CodecRegistry.standard().create(configuration);
    return (encoded, target, offset, length) ->
        check(codec.decode(encoded, DecodeTarget.into(target, offset, length)).size() == length);
  }

  private static void check(boolean holds) {
    if (!holds) {
      throw new IllegalStateException("the library decodes to something else");
    }
  }
}
