package dev.zarrreactive.testing;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.virtual.Reference;
import dev.zarrreactive.virtual.VirtualContainers;
import dev.zarrreactive.virtual.VirtualLocation;
import dev.zarrreactive.virtual.VirtualStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A copy of a written hierarchy whose chunks are parts of objects elsewhere: its documents are
 * inline, its other values stand one behind the other in files.
 */
public final class VirtualCopy extends VirtualStore {
  /** The prefix of the URLs of all files. */
  public static final String PREFIX = "memory://archive/";

  /** What no array has: bytes before, between and behind the chunks of a file. */
  private static final byte FILLER = 0x55;

  private final Map<StoreKey, Reference> references = new TreeMap<>();

  private VirtualCopy(VirtualContainers containers) {
    super(containers);
  }

  /** All values in one file, side by side. */
  public static VirtualCopy inOneFile(Store written, Store files, Store seenFiles) {
    return of(written, files, seenFiles, key -> "data/all.nc", 0);
  }

  /**
   * Copies a hierarchy.
   *
   * @param written the hierarchy
   * @param files where the files are written
   * @param seenFiles the same store, as the copy reads it
   * @param fileOf the key of the file of a value
   * @param gap the bytes between two values of a file
   */
  public static VirtualCopy of(
      Store written, Store files, Store seenFiles, Function<StoreKey, String> fileOf, int gap) {
    VirtualContainers containers = VirtualContainers.builder().allow(PREFIX, seenFiles).build();
    VirtualCopy copy = new VirtualCopy(containers);
    Map<String, List<Bytes>> content = new TreeMap<>();
    Map<String, Long> sizes = new TreeMap<>();
    List<StoreKey> keys =
        new ArrayList<>(Objects.requireNonNull(written.list().collectList().block()));
    keys.sort(VirtualCopy::inOrder);
    for (StoreKey key : keys) {
      Bytes value = Objects.requireNonNull(written.get(key).block());
      if (key.value().endsWith("zarr.json")) {
        copy.references.put(key, new Reference.Inline(value));
        continue;
      }
      String file = fileOf.apply(key);
      List<Bytes> parts = content.computeIfAbsent(file, any -> new ArrayList<>());
      parts.add(filler(sizes.isEmpty() || !sizes.containsKey(file) ? 64 : gap));
      long offset = sizes.getOrDefault(file, 0L) + parts.get(parts.size() - 1).size();
      parts.add(value);
      sizes.put(file, offset + value.size());
      copy.references.put(
          key, new Reference.Virtual(VirtualLocation.of(PREFIX + file, offset, value.size())));
    }
    content.forEach(
        (file, parts) -> {
          parts.add(filler(64));
          files.set(StoreKey.of(file), Bytes.join(parts)).block();
        });
    return copy;
  }

  /** Compares by the numbers in the keys, so that chunks stand in C order. */
  private static int inOrder(StoreKey one, StoreKey other) {
    String[] a = one.value().split("/");
    String[] b = other.value().split("/");
    for (int i = 0; i < Math.min(a.length, b.length); i++) {
      boolean areNumbers = a[i].matches("\\d+") && b[i].matches("\\d+");
      int order =
          areNumbers
              ? Long.compare(Long.parseLong(a[i]), Long.parseLong(b[i]))
              : a[i].compareTo(b[i]);
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(a.length, b.length);
  }

  private static Bytes filler(int size) {
    byte[] bytes = new byte[size];
    Arrays.fill(bytes, FILLER);
    return Bytes.wrap(bytes);
  }

  /** Replaces what is said of a key. */
  public void refer(String key, Reference reference) {
    references.put(StoreKey.of(key), reference);
  }

  /** Returns what is said of a key. */
  public Reference said(String key) {
    return Objects.requireNonNull(references.get(StoreKey.of(key)));
  }

  /** Removes a key. */
  public void forget(String key) {
    references.remove(StoreKey.of(key));
  }

  @Override
  protected Mono<Reference> reference(StoreKey key) {
    return Mono.fromSupplier(() -> references.get(key));
  }

  @Override
  public Flux<StoreKey> listPrefix(StorePrefix prefix) {
    return Flux.defer(() -> Flux.fromIterable(List.copyOf(references.keySet())))
        .filter(prefix::contains);
  }

  @Override
  public String toString() {
    return "VirtualCopy[" + references.size() + " references]";
  }
}
