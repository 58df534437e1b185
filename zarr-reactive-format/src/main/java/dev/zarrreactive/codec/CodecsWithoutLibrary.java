package dev.zarrreactive.codec;

import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.extension.NamedConfiguration;
import java.util.Map;

/**
 * The names of codecs for which the JVM has no library. They make an error more helpful than that
 * of an unknown name. A registered provider takes precedence.
 */
final class CodecsWithoutLibrary {
  private static final String ZFP = "ZFP";
  private static final String PCODEC = "Pcodec";
  private static final String GDEFLATE = "GDeflate";

  /** The codecs' names in the registry, in numcodecs, and in old and new versions of zarrs. */
  private static final Map<String, String> FORMATS =
      Map.ofEntries(
          Map.entry("zfp", ZFP),
          Map.entry("zfpy", ZFP),
          Map.entry("numcodecs.zfpy", ZFP),
          Map.entry("zarrs.zfp", ZFP),
          Map.entry("https://codec.zarrs.dev/array_to_bytes/zfp", ZFP),
          Map.entry("pcodec", PCODEC),
          Map.entry("pco", PCODEC),
          Map.entry("numcodecs.pcodec", PCODEC),
          Map.entry("zarrs.pcodec", PCODEC),
          Map.entry("https://codec.zarrs.dev/array_to_bytes/pcodec", PCODEC),
          Map.entry("gdeflate", GDEFLATE),
          Map.entry("numcodecs.gdeflate", GDEFLATE),
          Map.entry("zarrs.gdeflate", GDEFLATE),
          Map.entry("https://codec.zarrs.dev/bytes_to_bytes/gdeflate", GDEFLATE));

  private CodecsWithoutLibrary() {}

  /**
   * Refuses a codec without a library, and accepts every other name.
   *
   * @throws UnsupportedFeatureException that names the codec
   */
  static void refuse(NamedConfiguration codec) {
    String format = FORMATS.get(codec.name());
    if (format != null) {
      throw new UnsupportedFeatureException(
          "the codec \""
              + codec.name()
              + "\" is not supported: there is no library for "
              + format
              + " on the JVM; a CodecProvider of your own can add it",
          codec.source().location());
    }
  }
}
