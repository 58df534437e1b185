package dev.zarrreactive.chunkkey;

import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.LocatedJson;
import java.util.Arrays;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Keys that are the numbers of an index and a separator: {@code default} and {@code v2}. */
record SeparatedKeys(boolean startsWithC, String separator) implements ChunkKeyEncoding {
  static final Map<String, ChunkKeyEncodingProvider> PROVIDERS = load();

  /** Finds the providers, once; BlockHound permits it by this name. */
  private static Map<String, ChunkKeyEncodingProvider> load() {
    Map<String, ChunkKeyEncodingProvider> providers = new TreeMap<>();
    ClassLoader loader = ChunkKeyEncodingProvider.class.getClassLoader();
    for (var each : ServiceLoader.load(ChunkKeyEncodingProvider.class, loader)) {
      each.names().forEach(name -> providers.put(name, each));
    }
    Provider own = new Provider();
    own.names().forEach(name -> providers.put(name, own));
    return providers;
  }

  private static final class Provider implements ChunkKeyEncodingProvider {
    @Override
    public Set<String> names() {
      return Set.of("default", "v2");
    }

    @Override
    public ChunkKeyEncoding create(NamedConfiguration use) {
      boolean isDefault = use.name().equals("default");
      use.configuration().allowOnly("separator");
      LocatedJson separator = use.optional("separator");
      return new SeparatedKeys(
          isDefault, separator != null ? separator.oneOf("/", ".") : isDefault ? "/" : ".");
    }
  }

  @Override
  public long @Nullable [] decode(String key, int rank) {
    String[] parts = rank == 0 ? new String[0] : key.split(Pattern.quote(separator), -1);
    int first = startsWithC ? 1 : 0;
    if (rank > 0 && parts.length != rank + first) {
      return null;
    }
    long[] index = new long[rank];
    try {
      Arrays.setAll(index, d -> Long.parseLong(parts[d + first]));
    } catch (NumberFormatException e) {
      return null;
    }
    boolean isIndex = Arrays.stream(index).allMatch(i -> i >= 0);
    return isIndex && encode(index).equals(key) ? index : null; // one spelling only
  }

  @Override
  public String encode(long... index) {
    StringBuilder key = new StringBuilder(startsWithC ? "c" : index.length == 0 ? "0" : "");
    for (long i : index) {
      if (!key.isEmpty()) {
        key.append(separator);
      }
      key.append(i);
    }
    return key.toString();
  }
}
