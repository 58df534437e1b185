package dev.zarrreactive.kerchunk;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.store.SortedListing;
import dev.zarrreactive.store.ListEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * All references of one file, in columns: some forty bytes and the key for each, and each URL once.
 */
final class ReferenceTable implements References {
  private static final int DEFAULT_TARGET = -1;
  private static final int INLINE = -2;

  private final TextPool keys;
  private final TextPool urls;
  private final byte[] data;
  private final int[] targets;
  private final long[] offsets;
  private final long[] lengths;

  /** The numbers of the keys, by their UTF-8 bytes. */
  private final int[] order;

  private ReferenceTable(Builder builder) {
    this.keys = builder.keys;
    this.urls = builder.urls;
    this.data = builder.data.array();
    this.targets = builder.targets;
    this.offsets = builder.offsets;
    this.lengths = builder.lengths;
    this.order = sortedKeys();
  }

  /** Sorts without an object for each number. */
  private int[] sortedKeys() {
    int[] sorted = new int[keys.size()];
    Arrays.setAll(sorted, i -> i);
    for (int i = 1; i < sorted.length; i++) {
      if (keys.compare(i - 1, i) > 0) {
        sort(sorted.clone(), sorted, 0, sorted.length);
        break;
      }
    }
    return sorted;
  }

  /** Merges the sorted halves of {@code source} into {@code target}; they begin equal. */
  private void sort(int[] source, int[] target, int from, int to) {
    if (to - from < 2) {
      return;
    }
    int middle = (from + to) >>> 1;
    sort(target, source, from, middle);
    sort(target, source, middle, to);
    int left = from;
    int right = middle;
    for (int i = from; i < to; i++) {
      boolean isLeft =
          right == to || (left < middle && keys.compare(source[left], source[right]) <= 0);
      target[i] = isLeft ? source[left++] : source[right++];
    }
  }

  /** The number of references. */
  int size() {
    return order.length;
  }

  @Override
  public Mono<KerchunkReference> find(StoreKey key) {
    return Mono.fromSupplier(() -> get(key));
  }

  @Override
  public Mono<List<Optional<KerchunkReference>>> find(List<StoreKey> all) {
    return Mono.fromSupplier(
        () -> {
          List<Optional<KerchunkReference>> found = new ArrayList<>(all.size());
          all.forEach(key -> found.add(Optional.ofNullable(get(key))));
          return found;
        });
  }

  private @Nullable KerchunkReference get(StoreKey key) {
    int number = keys.find(key.value());
    return number < 0 ? null : reference(number);
  }

  private KerchunkReference reference(int number) {
    int target = targets[number];
    if (target == INLINE) {
      return new KerchunkReference.Inline(
          Bytes.wrap(data, (int) offsets[number], (int) lengths[number]));
    }
    @Nullable String url = target == DEFAULT_TARGET ? null : urls.get(target);
    return new KerchunkReference.Elsewhere(url, offsets[number], lengths[number]);
  }

  @Override
  public Flux<ListEntry.Key> values(StorePrefix prefix) {
    return Flux.defer(
        () -> {
          String from = prefix.value();
          int first = rank(from);
          int end = from.isEmpty() ? order.length : rank(SortedListing.firstAfter(from));
          return Flux.range(first, end - first).map(this::entry);
        });
  }

  private ListEntry.Key entry(int rank) {
    int number = order[rank];
    return new ListEntry.Key(StoreKey.of(keys.get(number)), lengths[number]);
  }

  @Override
  public Flux<ListEntry> entries(StorePrefix prefix) {
    return SortedListing.entries(
        prefix,
        from -> {
          int rank = rank(from);
          return rank < order.length ? keys.get(order[rank]) : null;
        },
        key -> lengths[keys.find(key)]);
  }

  /** The rank of the first key that is not before {@code text}. */
  private int rank(String text) {
    byte[] utf8 = text.getBytes(UTF_8);
    int low = 0;
    int high = order.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (keys.compare(order[middle], utf8) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Takes references in any order; the last one of a key counts. */
  static final class Builder {
    private final int most;
    private final Location place;
    private final TextPool keys;
    private final TextPool urls;
    private final ByteSpace data;
    private int[] targets = new int[64];
    private long[] offsets = new long[64];
    private long[] lengths = new long[64];
    private long generated;

    /**
     * Creates a builder.
     *
     * @param most the most references
     * @param mostBytes the most bytes of their keys, URLs and data
     * @param place the place of the file, for errors
     */
    Builder(int most, long mostBytes, Location place) {
      HeldBytes held = new HeldBytes(mostBytes, place);
      this.most = most;
      this.place = place;
      this.keys = new TextPool(held);
      this.urls = new TextPool(held);
      this.data = new ByteSpace(held);
    }

    /** Takes a value. */
    void inline(String key, byte[] source, int from, int length) {
      int start = data.size();
      data.add(source, from, length);
      put(key, INLINE, start, length);
    }

    /** Takes a file, or a part of it; without a URL, of the default target. */
    void elsewhere(String key, @Nullable String url, long offset, long length) {
      put(key, url == null ? DEFAULT_TARGET : urls.add(url), offset, length);
    }

    private void put(String key, int target, long offset, long length) {
      int number = keys.add(key);
      if (number >= most) {
        throw tooMany(most, place);
      }
      if (number == targets.length) {
        int longer = (int) Math.min(most, number + (long) (number >> 1));
        targets = Arrays.copyOf(targets, longer);
        offsets = Arrays.copyOf(offsets, longer);
        lengths = Arrays.copyOf(lengths, longer);
      }
      targets[number] = target;
      offsets[number] = offset;
      lengths[number] = length;
    }

    /**
     * Returns how many references a generator makes.
     *
     * @throws UnsupportedFeatureException where they are too many with those that generators made
     */
    long countGenerated(Iterable<Generator.Dimension> dimensions, Location where) {
      long count = 1;
      for (Generator.Dimension dimension : dimensions) {
        long values = dimension.count();
        count = values == 0 ? 0 : count > Long.MAX_VALUE / values ? Long.MAX_VALUE : count * values;
      }
      generated += Math.min(count, most + 1L);
      if (generated > most) {
        throw tooMany(most, where);
      }
      return count;
    }

    ReferenceTable build() {
      keys.trim();
      urls.trim();
      data.trim();
      targets = Arrays.copyOf(targets, keys.size());
      offsets = Arrays.copyOf(offsets, keys.size());
      lengths = Arrays.copyOf(lengths, keys.size());
      return new ReferenceTable(this);
    }
  }

  /** The error of more references than the options allow. */
  static UnsupportedFeatureException tooMany(long most, Location place) {
    return new UnsupportedFeatureException(
        "there are more than "
            + most
            + " references, the bound of the options; KerchunkOptions.withMaxReferences raises it"
            + " for references that you trust",
        place);
  }
}
