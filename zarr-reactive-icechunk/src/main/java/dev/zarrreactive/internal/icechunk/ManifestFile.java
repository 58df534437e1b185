package dev.zarrreactive.internal.icechunk;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import dev.zarrreactive.base.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A manifest: the references of chunks of some arrays, searched in place. Its orders are checked
 * once, when it is read. Immutable, thread-safe.
 */
public final class ManifestFile implements ImmutableFile {
  private static final int MOST_LOCATION = 1024;
  private static final int MOST_DICTIONARY = 1 << 20;
  private static final int MOST_DIMENSIONS = 255;

  private final FlatBuffer buffer;
  private final int arrays;
  private final @Nullable Bytes dictionary;
  private final int compression;
  private final int storedBytes;

  private ManifestFile(FlatBuffer buffer, int root, int storedBytes) {
    this.buffer = buffer;
    this.storedBytes = storedBytes;
    this.arrays = buffer.vector(root, 1, 4, "arrays");
    this.dictionary = buffer.bytes(root, 2);
    this.compression = buffer.u8(root, 3, 1);
    if (dictionary != null && dictionary.size() > MOST_DICTIONARY) {
      throw buffer.damaged(
          "a dictionary of "
              + dictionary.size()
              + " bytes; at most "
              + MOST_DICTIONARY
              + " are read");
    }
  }

  /**
   * Reads a manifest.
   *
   * @param key of the file, which ends with the id
   * @param maxBytes the most bytes that it may have decompressed
   */
  public static ManifestFile read(Bytes file, String key, long maxBytes) {
    FlatBuffer buffer = FileEnvelope.open(file, FileType.MANIFEST, key, maxBytes).payload();
    int root = buffer.root();
    String id = buffer.id12(buffer.struct(root, 0, 12, "id"));
    if (!key.endsWith("/" + id)) {
      throw buffer.damaged("it is manifest " + id);
    }
    ManifestFile manifest = new ManifestFile(buffer, root, file.size());
    manifest.check();
    return manifest;
  }

  /** Checks the orders, without which a search would take a chunk for missing. */
  private void check() {
    long references = 0;
    long before = 0;
    for (int i = 0; i < buffer.length(arrays); i++) {
      int array = buffer.tableIn(arrays, i);
      long id = id(array);
      if (i > 0 && Long.compareUnsigned(before, id) >= 0) {
        throw buffer.damaged("its arrays are not in the order of their ids");
      }
      before = id;
      int refs = references(array);
      references += buffer.length(refs);
      if (references > buffer.size() / 4) {
        throw buffer.damaged("it claims more references than fit into it");
      }
      checkOrder(refs);
    }
  }

  private void checkOrder(int refs) {
    int last = FlatBuffer.ABSENT;
    for (int i = 0; i < buffer.length(refs); i++) {
      int index = index(buffer.tableIn(refs, i));
      if (buffer.length(index) > MOST_DIMENSIONS) {
        throw buffer.damaged("a reference of " + buffer.length(index) + " dimensions");
      }
      if (last != FlatBuffer.ABSENT) {
        if (buffer.length(last) != buffer.length(index)) {
          throw buffer.damaged("two references of one array differ in the number of dimensions");
        }
        if (compare(last, index) >= 0) {
          throw buffer.damaged("the references of an array are not in the order of their indices");
        }
      }
      last = index;
    }
  }

  private int compare(int one, int other) {
    for (int axis = 0; axis < buffer.length(one); axis++) {
      int order =
          Integer.compareUnsigned(
              buffer.i32(buffer.element(one, axis, 4)), buffer.i32(buffer.element(other, axis, 4)));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  @Override
  public long weight() {
    return buffer.size();
  }

  /** The number of bytes of the file as it is stored. */
  public int storedBytes() {
    return storedBytes;
  }

  /** The ids of the arrays, as {@link #of} takes them. */
  public long[] nodes() {
    long[] nodes = new long[buffer.length(arrays)];
    for (int i = 0; i < nodes.length; i++) {
      nodes[i] = id(buffer.tableIn(arrays, i));
    }
    return nodes;
  }

  /** The number of references of all arrays. */
  public long size() {
    long size = 0;
    for (int i = 0; i < buffer.length(arrays); i++) {
      size += buffer.length(references(buffer.tableIn(arrays, i)));
    }
    return size;
  }

  private long id(int array) {
    return buffer.id8(buffer.struct(array, 0, 8, "id of an array"));
  }

  private int references(int array) {
    return buffer.vector(array, 1, 4, "references of an array");
  }

  private int index(int reference) {
    return buffer.vector(reference, 0, 4, "index of a reference");
  }

  /**
   * The references of an array, by the bytes of its id as a number; null where the manifest has
   * none.
   */
  public @Nullable References of(long node) {
    int low = 0;
    int high = buffer.length(arrays) - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int array = buffer.tableIn(arrays, middle);
      int order = Long.compareUnsigned(id(array), node);
      if (order == 0) {
        return new References(references(array));
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return null;
  }

  /** The references of one array, in the order of their indices. */
  public final class References {
    private final int refs;

    References(int refs) {
      this.refs = refs;
    }

    /** The number of references. */
    public int size() {
      return buffer.length(refs);
    }

    /** The place of the chunk at an index; negative where it is missing. */
    public int find(int[] index) {
      int at = first(index);
      return at < size() && compare(at, index) == 0 && rank(at) == index.length ? at : -1;
    }

    /** The place of the first reference whose index begins so, or is after those that do. */
    public int first(int[] beginning) {
      return search(beginning, 0);
    }

    /** The place of the first reference after those whose index begins so. */
    public int firstAfter(int[] beginning) {
      return search(beginning, 1);
    }

    private int search(int[] beginning, int order) {
      int low = 0;
      int high = size();
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (compare(middle, beginning) < order) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }

    /** Compares the index at a place with the beginning of one; 0 where it begins so. */
    private int compare(int at, int[] beginning) {
      int index = index(buffer.tableIn(refs, at));
      int axes = Math.min(buffer.length(index), beginning.length);
      for (int axis = 0; axis < axes; axis++) {
        int order =
            Integer.compareUnsigned(buffer.i32(buffer.element(index, axis, 4)), beginning[axis]);
        if (order != 0) {
          return order;
        }
      }
      return 0;
    }

    /** The number of dimensions of the index at a place. */
    public int rank(int at) {
      return buffer.length(index(buffer.tableIn(refs, at)));
    }

    /** The index of the chunk at a place; its numbers are unsigned. */
    public int[] indexAt(int at) {
      int vector = index(buffer.tableIn(refs, at));
      int[] index = new int[buffer.length(vector)];
      for (int axis = 0; axis < index.length; axis++) {
        index[axis] = buffer.i32(buffer.element(vector, axis, 4));
      }
      return index;
    }

    /** The bytes of the chunk at a place, without a look at where they are. */
    public long length(int at) {
      int reference = buffer.tableIn(refs, at);
      if (buffer.field(reference, 4, 12) == FlatBuffer.ABSENT
          && buffer.field(reference, 8, 4) == FlatBuffer.ABSENT
          && buffer.field(reference, 5, 4) == FlatBuffer.ABSENT) {
        return buffer.length(buffer.vector(reference, 1, 1));
      }
      return buffer.u64(reference, 3);
    }

    /**
     * How many of the three kinds of places (inline, in the repository, elsewhere) the reference at
     * a place names: 1 in a good file.
     */
    public int kinds(int at) {
      int reference = buffer.tableIn(refs, at);
      boolean isElsewhere =
          buffer.field(reference, 8, 4) != FlatBuffer.ABSENT
              || buffer.field(reference, 5, 4) != FlatBuffer.ABSENT;
      return (buffer.field(reference, 4, 12) == FlatBuffer.ABSENT ? 0 : 1)
          + (isElsewhere ? 1 : 0)
          + (buffer.field(reference, 1, 4) == FlatBuffer.ABSENT ? 0 : 1);
    }

    /** Returns true if the chunk at a place is an object of the repository. */
    public boolean isObject(int at) {
      return buffer.field(buffer.tableIn(refs, at), 4, 12) != FlatBuffer.ABSENT;
    }

    /** The first 8 bytes of the id of the object that the chunk at a place is. */
    public long objectFirst(int at) {
      return Long.reverseBytes(buffer.u64(buffer.field(buffer.tableIn(refs, at), 4, 12)));
    }

    /** The last 4 bytes of the id of the object that the chunk at a place is. */
    public int objectLast(int at) {
      return Integer.reverseBytes(buffer.i32(buffer.field(buffer.tableIn(refs, at), 4, 12) + 8));
    }

    /** Where the bytes of the chunk at a place are. */
    public ChunkReference reference(int at) {
      int reference = buffer.tableIn(refs, at);
      int chunk = buffer.field(reference, 4, 12);
      Bytes compressed = chunk == FlatBuffer.ABSENT ? buffer.bytes(reference, 8) : null;
      String location =
          compressed != null
              ? location(compressed)
              : chunk == FlatBuffer.ABSENT ? buffer.string(reference, 5) : null;
      if (chunk == FlatBuffer.ABSENT && location == null) {
        Bytes inline = buffer.bytes(reference, 1);
        if (inline == null) {
          throw buffer.damaged("a reference that leads nowhere");
        }
        return new ChunkReference.Inline(inline);
      }
      long offset = buffer.u64(reference, 2);
      long length = buffer.u64(reference, 3);
      if (length <= 0 || offset < 0 || offset + length < 0) {
        throw buffer.damaged(
            "a reference to "
                + Long.toUnsignedString(length)
                + " bytes from "
                + Long.toUnsignedString(offset));
      }
      return location == null
          ? new ChunkReference.Native(buffer.id12(chunk), offset, length)
          : new ChunkReference.Virtual(
              location, offset, length, buffer.string(reference, 6), buffer.u32(reference, 7));
    }
  }

  private String location(Bytes compressed) {
    if (compression == 0) {
      return buffer.text(compressed);
    }
    if (compression != 1) {
      throw buffer.damaged("locations with the unknown compression " + compression);
    }
    try (ZstdDecompressCtx context = new ZstdDecompressCtx()) {
      if (dictionary != null && dictionary.size() > 0) {
        context.loadDict(dictionary.toByteArray());
      }
      return buffer.text(Bytes.wrap(context.decompress(compressed.toByteArray(), MOST_LOCATION)));
    } catch (ZstdException e) {
      throw buffer.damaged(
          "a location that does not decompress to at most "
              + MOST_LOCATION
              + " bytes: "
              + e.getMessage());
    }
  }
}
