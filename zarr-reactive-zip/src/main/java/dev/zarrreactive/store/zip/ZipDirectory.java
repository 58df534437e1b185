package dev.zarrreactive.store.zip;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The entries of an archive by key, in columns: some forty bytes and the name for each. Keys are in
 * the order of their UTF-8 bytes. A name that stands in the archive twice is the last one, as other
 * readers have it. An entry whose name is the key itself comes before one whose name only means it.
 */
final class ZipDirectory {
  private static final int ENCRYPTED = 1 << 16;
  private static final int VERBATIM = 1 << 17;
  private static final int MEANT = 1 << 18;

  /** Flags: encrypted, strongly encrypted, local headers masked. */
  private static final int ENCRYPTION_FLAGS = 1 | 1 << 6 | 1 << 13;

  private final byte[] names;
  private final int[] nameEnds;
  private final long[] offsets;
  private final long[] compressedSizes;
  private final long[] sizes;
  private final int[] crcs;
  private final int[] kinds;
  private final int slots;
  private final UnusableNames unusable;
  private final boolean hasStored;

  /** Slots, by key. */
  private final int[] order;

  private ZipDirectory(Builder builder) {
    this.names = builder.names.toByteArray();
    this.nameEnds = builder.nameEnds;
    this.offsets = builder.offsets;
    this.compressedSizes = builder.compressedSizes;
    this.sizes = builder.sizes;
    this.crcs = builder.crcs;
    this.kinds = builder.kinds;
    this.slots = builder.count;
    this.unusable = builder.unusable;
    this.order = order();
    this.hasStored = Arrays.stream(order).anyMatch(slot -> method(slot) == Entry.STORED);
  }

  /** Sorting is stable: of those with one name the last is the last in the archive. */
  private int[] order() {
    Comparator<Integer> byName = (a, b) -> compare(a, names, nameStart(b), nameEnds[b]);
    byName = byName.thenComparing(slot -> (kinds[slot] & MEANT) == 0);
    int[] sorted =
        IntStream.range(0, slots).boxed().sorted(byName).mapToInt(Integer::intValue).toArray();
    int kept = 0;
    for (int i = 0; i < slots; i++) {
      int slot = sorted[i];
      if (kept > 0 && compare(sorted[kept - 1], names, nameStart(slot), nameEnds[slot]) == 0) {
        kept--;
      }
      sorted[kept++] = slot;
    }
    return Arrays.copyOf(sorted, kept);
  }

  /** How many slots there are, also of entries that another of the same name replaces. */
  int slots() {
    return slots;
  }

  /** How many keys there are. */
  int size() {
    return order.length;
  }

  /** The key of a rank, from 0 to {@link #size} exclusive. */
  String key(int rank) {
    int slot = order[rank];
    return new String(names, nameStart(slot), nameEnds[slot] - nameStart(slot), UTF_8);
  }

  /** The size of the value of a rank, in bytes. */
  long valueSize(int rank) {
    return sizes[order[rank]];
  }

  /** The rank of the first key that is not before {@code text}. */
  int rank(String text) {
    byte[] name = text.getBytes(UTF_8);
    int low = 0;
    int high = order.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compare(order[middle], name, 0, name.length) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The entry of a key; null where there is none. */
  @Nullable Entry find(StoreKey key) {
    return has(key.value()) ? entry(order[rank(key.value())]) : null;
  }

  /** Returns whether there is an entry of a key. */
  boolean has(String key) {
    int rank = rank(key);
    return rank < size() && key(rank).equals(key);
  }

  /** The names of entries that cannot be keys. */
  UnusableNames unusable() {
    return unusable;
  }

  /** True where no part of any value can be read alone. */
  boolean isAllCompressed() {
    return size() > 0 && !hasStored;
  }

  private Entry entry(int slot) {
    return new Entry(
        slot,
        offsets[slot],
        compressedSizes[slot],
        sizes[slot],
        crcs[slot],
        method(slot),
        (kinds[slot] & ENCRYPTED) != 0,
        (kinds[slot] & VERBATIM) != 0,
        Bytes.wrap(names, nameStart(slot), nameEnds[slot] - nameStart(slot)));
  }

  private int method(int slot) {
    return kinds[slot] & 0xffff;
  }

  private int nameStart(int slot) {
    return slot == 0 ? 0 : nameEnds[slot - 1];
  }

  private int compare(int slot, byte[] name, int from, int to) {
    return Arrays.compareUnsigned(names, nameStart(slot), nameEnds[slot], name, from, to);
  }

  /** Takes the entries in the order of the archive. */
  static final class Builder {
    private final ByteArrayOutputStream names = new ByteArrayOutputStream();
    private final int[] nameEnds;
    private final long[] offsets;
    private final long[] compressedSizes;
    private final long[] sizes;
    private final int[] crcs;
    private final int[] kinds;
    private final UnusableNames unusable = new UnusableNames();
    private int count;

    /** Makes space for {@code most} entries. The caller checks that the archive can have them. */
    Builder(int most) {
      nameEnds = new int[most];
      offsets = new long[most];
      compressedSizes = new long[most];
      sizes = new long[most];
      crcs = new int[most];
      kinds = new int[most];
    }

    /** Takes the name of an entry that cannot be a key; false where there are too many. */
    boolean skip(String name) {
      return unusable.add(name);
    }

    /**
     * Takes an entry.
     *
     * @param isName whether the key is the name of the entry, rather than what the name means
     */
    void add(String name, boolean isName, CentralRecord record) {
      byte[] utf8 = name.getBytes(UTF_8);
      names.writeBytes(utf8);
      nameEnds[count] = names.size();
      offsets[count] = record.offset();
      compressedSizes[count] = record.compressedSize();
      sizes[count] = record.size();
      crcs[count] = record.crc();
      kinds[count] =
          record.method()
              | ((record.flags() & ENCRYPTION_FLAGS) == 0 ? 0 : ENCRYPTED)
              | (Arrays.equals(utf8, record.name().toByteArray()) ? VERBATIM : 0)
              | (isName ? 0 : MEANT);
      count++;
    }

    ZipDirectory build() {
      return new ZipDirectory(this);
    }
  }
}
