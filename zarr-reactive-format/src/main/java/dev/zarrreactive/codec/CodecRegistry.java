package dev.zarrreactive.codec;

import dev.zarrreactive.error.UnknownExtensionException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.extension.NamedConfiguration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The codec providers by the names of their codecs. Immutable. */
public final class CodecRegistry {
  private static final String GDEFLATE = "GDeflate";

  /** The artifacts that add codecs which few programs need, by the names of these codecs. */
  private static final Map<String, String> ARTIFACTS =
      Map.of(
          "imagecodecs_jpeg", "dev.zarrreactive:zarr-reactive-images",
          "numcodecs.imagecodecs_jpeg", "dev.zarrreactive:zarr-reactive-images");

  /**
   * The formats for which the JVM has no library, by their codecs' names in the registry, in
   * numcodecs, and in old and new versions of zarrs. A registered provider takes precedence.
   */
  private static final Map<String, String> WITHOUT_LIBRARY =
      Map.ofEntries(
          Map.entry("gdeflate", GDEFLATE),
          Map.entry("numcodecs.gdeflate", GDEFLATE),
          Map.entry("zarrs.gdeflate", GDEFLATE),
          Map.entry("https://codec.zarrs.dev/bytes_to_bytes/gdeflate", GDEFLATE),
          Map.entry("numcodecs.grib", "messages of GRIB"),
          Map.entry("numcodecs.szip", "szip"),
          Map.entry("numcodecs.fill_hdf_strings", "strings of HDF5 outside of their chunks"),
          Map.entry("numcodecs.FITSAscii", "tables of FITS"),
          Map.entry("numcodecs.FITSVarBintable", "tables of FITS"));

  /** The formats of pictures and HDF5, by what follows the prefix of imagecodecs. */
  private static final Map<String, String> OF_IMAGECODECS =
      Map.ofEntries(
          Map.entry("aec", "AEC (szip of CCSDS)"),
          Map.entry("avif", "AVIF"),
          Map.entry("brotli", "Brotli"),
          Map.entry("ccittfax3", "CCITT fax"),
          Map.entry("ccittfax4", "CCITT fax"),
          Map.entry("ccittrle", "CCITT fax"),
          Map.entry("eer", "EER"),
          Map.entry("heif", "HEIF"),
          Map.entry("jpeg2k", "JPEG 2000"),
          Map.entry("jpegls", "JPEG-LS"),
          Map.entry("jpegxl", "JPEG XL"),
          Map.entry("jpegxr", "JPEG XR"),
          Map.entry("lerc", "LERC"),
          Map.entry("ljpeg", "lossless JPEG"),
          Map.entry("png", "PNG"),
          Map.entry("szip", "szip"),
          Map.entry("webp", "WebP"));

  private static final String IMAGECODECS = "imagecodecs_";

  private final Map<String, CodecProvider> byName;

  private CodecRegistry(Map<String, CodecProvider> byName) {
    this.byName = byName;
  }

  /** Returns the codecs of this library and of every provider that {@link ServiceLoader} finds. */
  public static CodecRegistry standard() {
    return Standard.REGISTRY;
  }

  /** Returns the codecs of these providers only. Of two codecs with one name the later one wins. */
  public static CodecRegistry of(List<CodecProvider> providers) {
    Map<String, CodecProvider> byName = new TreeMap<>();
    for (CodecProvider provider : providers) {
      provider.names().forEach(name -> byName.put(name, provider));
    }
    return new CodecRegistry(byName);
  }

  /**
   * Returns this registry with {@code provider}, whose codecs replace those with the same names.
   */
  public CodecRegistry with(CodecProvider provider) {
    Map<String, CodecProvider> more = new TreeMap<>(byName);
    provider.names().forEach(name -> more.put(name, provider));
    return new CodecRegistry(more);
  }

  /** The names of the codecs, sorted. */
  public SortedSet<String> names() {
    return Collections.unmodifiableSortedSet(new TreeSet<>(byName.keySet()));
  }

  /** Returns true if the codec {@code name} is known. */
  public boolean knows(String name) {
    return byName.containsKey(name);
  }

  /**
   * Creates a codec.
   *
   * @throws UnknownExtensionException if the name is not registered
   * @throws dev.zarrreactive.error.UnsupportedFeatureException if it is the name of a codec for
   *     which the JVM has no library
   * @throws dev.zarrreactive.error.MetadataException if the configuration is wrong
   */
  public Codec create(NamedConfiguration configuration) {
    CodecProvider provider = byName.get(configuration.name());
    if (provider == null) {
      refuseWithoutLibrary(configuration);
      throw new UnknownExtensionException(
          "codec", configuration.name(), byName.keySet(), configuration.source().location());
    }
    return provider.create(configuration, this);
  }

  /**
   * Refuses a codec without its artifact or without a library, and accepts every other name.
   *
   * @throws UnsupportedFeatureException that names the codec
   */
  private static void refuseWithoutLibrary(NamedConfiguration codec) {
    String name = codec.name();
    if (ARTIFACTS.containsKey(name)) {
      throw new UnsupportedFeatureException(
          "the codec \"" + name + "\" needs the artifact " + ARTIFACTS.get(name),
          codec.source().location());
    }
    int prefix = name.indexOf(IMAGECODECS);
    String format =
        prefix < 0
            ? WITHOUT_LIBRARY.get(name)
            : OF_IMAGECODECS.get(name.substring(prefix + IMAGECODECS.length()));
    if (format != null) {
      throw new UnsupportedFeatureException(
          "the codec \""
              + name
              + "\" is not supported: there is no library for "
              + format
              + " on the JVM; a CodecProvider of your own can add it",
          codec.source().location());
    }
  }

  private static final class Standard {
    static final CodecRegistry REGISTRY = load();

    private static CodecRegistry load() {
      List<CodecProvider> providers = new ArrayList<>();
      ServiceLoader.load(CodecProvider.class, CodecProvider.class.getClassLoader())
          .forEach(providers::add);
      return of(providers);
    }
  }
}
