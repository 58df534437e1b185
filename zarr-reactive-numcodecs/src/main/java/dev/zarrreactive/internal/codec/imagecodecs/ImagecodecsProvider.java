package dev.zarrreactive.internal.codec.imagecodecs;

import dev.zarrreactive.codec.Codec;
import dev.zarrreactive.codec.CodecProvider;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.extension.NamedConfiguration;
import java.util.Set;
import java.util.TreeSet;

/**
 * Creates the codecs of this package. Arrays of Zarr v3 name them {@code imagecodecs_<id>}; filters
 * and compressors of Zarr v2 become {@code numcodecs.imagecodecs_<id>}. Two of them, {@code delta}
 * and {@code floatpred}, work on arrays by the first name, and on bytes with a shape and a type by
 * the second. Public for {@link java.util.ServiceLoader} only.
 */
public final class ImagecodecsProvider implements CodecProvider {
  private static final String V2 = "numcodecs.";
  private static final String V3 = "imagecodecs_";

  /** The compressions, which are the same by both names. */
  private static final Set<String> COMPRESSIONS =
      Set.of(
          "zlib",
          "zlibng",
          "deflate",
          "zstd",
          "bz2",
          "lzma",
          "lz4",
          "lz4h5",
          "lzf",
          "lzw",
          "packbits",
          "bitorder");

  @Override
  public Set<String> names() {
    Set<String> names = new TreeSet<>();
    for (String prefix : new String[] {V3, V2 + V3}) {
      for (String id : COMPRESSIONS) {
        names.add(prefix + id);
      }
      names.add(prefix + "delta");
      names.add(prefix + "floatpred");
    }
    return names;
  }

  @Override
  public Codec create(NamedConfiguration configuration, CodecRegistry registry) {
    String name = configuration.name();
    boolean isOfV2 = name.startsWith(V2);
    String id = name.substring((isOfV2 ? V2 : "").length() + V3.length());
    if (id.equals("delta")) {
      return isOfV2 ? PredictorFilter.delta(configuration) : DeltaOfArray.of(configuration);
    } else if (id.equals("floatpred")) {
      return isOfV2 ? PredictorFilter.floats(configuration) : FloatPredictorCodec.of(configuration);
    }
    return switch (id) {
      case "zlib", "zlibng" -> WrappedCodec.zlib(configuration);
      case "deflate" -> DeflateCodec.of(configuration);
      case "zstd" -> WrappedCodec.zstd(configuration);
      case "bz2" -> WrappedCodec.bzip2(configuration);
      case "lzma" -> WrappedCodec.lzma(configuration);
      case "lz4" -> Lz4BlockCodec.of(configuration);
      case "lz4h5" -> Lz4OfHdf5Codec.of(configuration);
      case "lzf" -> LzfCodec.of(configuration);
      case "lzw" -> LzwCodec.of(configuration);
      case "packbits" -> PackbitsOfTiffCodec.of(configuration);
      case "bitorder" -> BitOrderCodec.of(configuration);
      default -> throw new IllegalArgumentException("not a codec of imagecodecs: " + name);
    };
  }
}
