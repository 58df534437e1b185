package dev.zarrreactive.codec;

import dev.zarrreactive.error.UnknownExtensionException;
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
      CodecsWithoutLibrary.refuse(configuration);
      throw new UnknownExtensionException(
          "codec", configuration.name(), byName.keySet(), configuration.source().location());
    }
    return provider.create(configuration, this);
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
