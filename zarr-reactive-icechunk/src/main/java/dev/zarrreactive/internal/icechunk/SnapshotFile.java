package dev.zarrreactive.internal.icechunk;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A snapshot: all nodes of one version. A node is a rank in the order of the bytes of the paths.
 * Immutable, thread-safe.
 */
public final class SnapshotFile implements ImmutableFile {
  /** The most manifests of an array that are compared with each other. */
  private static final int MOST_COMPARED = 20_000;

  private static final int MOST_DIMENSIONS = 255;
  private static final int MOST_OVERLAPPING = 1_000;

  /** Less than a reference to a manifest takes. */
  private static final int BYTES_OF_REFERENCE = 24;

  private static final int GROUP = 2;
  private static final int ARRAY = 1;

  private final FlatBuffer buffer;
  private final SnapshotEntry entry;
  private final int[] nodes;

  private SnapshotFile(FlatBuffer buffer, SnapshotEntry entry, int[] nodes) {
    this.buffer = buffer;
    this.entry = entry;
    this.nodes = nodes;
  }

  /**
   * Reads a snapshot.
   *
   * @param key of the file, which ends with the id
   * @param maxBytes the most bytes that it may have decompressed
   */
  public static SnapshotFile read(Bytes file, String key, long maxBytes) {
    FileEnvelope envelope = FileEnvelope.open(file, FileType.SNAPSHOT, key, maxBytes);
    FlatBuffer buffer = envelope.payload();
    int root = buffer.root();
    String id = buffer.id12(buffer.struct(root, 0, 12, "id"));
    if (!key.endsWith("/" + id)) {
      throw buffer.damaged("it is snapshot " + id);
    }
    int parent = buffer.field(root, 1, 12);
    JsonObject metadata = MetadataItems.read(buffer, root, 5, envelope.specVersion());
    SnapshotEntry entry =
        new SnapshotEntry(
            id,
            parent == FlatBuffer.ABSENT ? null : buffer.id12(parent),
            SnapshotEntry.time(buffer, buffer.u64(root, 3)),
            buffer.string(root, 4, "message"),
            metadata);
    return new SnapshotFile(buffer, entry, nodes(buffer, root));
  }

  private static int[] nodes(FlatBuffer buffer, int root) {
    int vector = buffer.vector(root, 2, 4, "nodes");
    int[] nodes = new int[buffer.length(vector)];
    long length = 0;
    long manifests = 0;
    boolean isSorted = true;
    for (int i = 0; i < nodes.length; i++) {
      nodes[i] = buffer.tableIn(vector, i);
      Bytes path = path(buffer, nodes[i]);
      if (path.size() == 0 || path.get(0) != '/') {
        throw buffer.damaged("a node whose path does not begin with \"/\"");
      }
      length += path.size();
      if (length > buffer.size()) {
        throw buffer.damaged("its nodes have paths that are longer than the file");
      }
      manifests += check(buffer, nodes[i]);
      if (manifests > buffer.size() / BYTES_OF_REFERENCE) {
        throw buffer.damaged("its arrays claim more manifests than fit into the file");
      }
      isSorted = isSorted && (i == 0 || compare(buffer, nodes[i - 1], nodes[i]) < 0);
    }
    return isSorted ? nodes : sorted(buffer, nodes);
  }

  private static int[] sorted(FlatBuffer buffer, int[] nodes) {
    int[] sorted =
        Arrays.stream(nodes)
            .boxed()
            .sorted((one, other) -> compare(buffer, one, other))
            .mapToInt(Integer::intValue)
            .toArray();
    for (int i = 1; i < sorted.length; i++) {
      if (compare(buffer, sorted[i - 1], sorted[i]) == 0) {
        throw buffer.damaged("it has two nodes at " + buffer.text(path(buffer, sorted[i])));
      }
    }
    return sorted;
  }

  /**
   * Looks at a node, so that no later look-up finds damage; returns the number of its manifests.
   */
  private static int check(FlatBuffer buffer, int node) {
    buffer.struct(node, 0, 8, "id of a node");
    buffer.bytes(node, 2, "metadata document of a node");
    int type = buffer.u8(node, 3, 0);
    if (type != ARRAY && type != GROUP) {
      throw buffer.damaged("a node of the unknown type " + type);
    }
    int data = buffer.table(node, 4, "data of a node");
    if (type == GROUP) {
      return 0;
    }
    int shape = shape(buffer, data);
    if (buffer.length(shape) > MOST_DIMENSIONS) {
      throw buffer.damaged("an array of " + buffer.length(shape) + " dimensions");
    }
    return buffer.length(buffer.vector(data, 2, 4, "manifests of an array"));
  }

  private static int shape(FlatBuffer buffer, int array) {
    int shape = buffer.vector(array, 3, 4);
    return shape == FlatBuffer.ABSENT ? buffer.vector(array, 0, 16, "shape of an array") : shape;
  }

  private static Bytes path(FlatBuffer buffer, int node) {
    return buffer.bytes(node, 1, "path of a node");
  }

  private static int compare(FlatBuffer buffer, int one, int other) {
    return compare(path(buffer, one), path(buffer, other));
  }

  private static int compare(Bytes one, Bytes other) {
    return Orders.compare(one, other);
  }

  /** What is told of the snapshot itself. */
  public SnapshotEntry entry() {
    return entry;
  }

  @Override
  public long weight() {
    return buffer.size() + 4L * nodes.length;
  }

  /** All of it, for those who read more of it than this. */
  FlatBuffer buffer() {
    return buffer;
  }

  /** The position of the node at a rank. */
  int position(int rank) {
    return nodes[rank];
  }

  /** The number of nodes. */
  public int size() {
    return nodes.length;
  }

  /** The rank of the node at a path, such as {@code /a/b}; negative where there is none. */
  public int find(String path) {
    int rank = ceiling(path);
    return rank < nodes.length && path(rank).equals(Bytes.utf8(path)) ? rank : -1;
  }

  /** The rank of the first node whose path is equal to or after a text, by their bytes. */
  public int ceiling(String path) {
    Bytes wanted = Bytes.wrap(path.getBytes(StandardCharsets.UTF_8));
    int low = 0;
    int high = nodes.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compare(path(middle), wanted) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private Bytes path(int rank) {
    return path(buffer, nodes[rank]);
  }

  /** The path of a node, such as {@code /a/b}. */
  public String pathOf(int rank) {
    return buffer.text(path(rank));
  }

  /** The bytes of a node's {@code zarr.json}. */
  public Bytes document(int rank) {
    return buffer.bytes(nodes[rank], 2, "metadata document of a node");
  }

  /** Returns true for an array, false for a group. */
  public boolean isArray(int rank) {
    return buffer.u8(nodes[rank], 3, 0) == ARRAY;
  }

  /** The id of a node, as a number. */
  public long idOf(int rank) {
    return buffer.id8(buffer.struct(nodes[rank], 0, 8, "id of a node"));
  }

  /** The array that a node is. */
  public ArrayNode array(int rank) {
    return new ArrayNode(idOf(rank), buffer.table(nodes[rank], 4, "data"));
  }

  /** An array of the snapshot. */
  public final class ArrayNode {
    private final long id;
    private final int data;
    private final int manifests;

    ArrayNode(long id, int data) {
      this.id = id;
      this.data = data;
      this.manifests = buffer.vector(data, 2, 4, "manifests of an array");
    }

    /** The bytes of the id, as a number whose unsigned order is theirs. */
    public long id() {
      return id;
    }

    /** The number of dimensions. */
    public int rank() {
      return buffer.length(shape(buffer, data));
    }

    /** Returns true for an array of one dimension that has its name: a coordinate of a dataset. */
    public boolean isCoordinate(String name) {
      int names = buffer.vector(data, 1, 4);
      return rank() == 1
          && buffer.length(names) == 1
          && name.equals(buffer.string(buffer.tableIn(names, 0), 0));
    }

    /** The number of chunks along an axis. */
    public long chunks(int axis) {
      int shape = buffer.vector(data, 3, 4);
      if (shape != FlatBuffer.ABSENT) {
        return buffer.u32(buffer.tableIn(shape, axis), 1);
      }
      int old = buffer.element(shape(buffer, data), axis, 16);
      long length = buffer.u64(old);
      long chunk = buffer.u64(old + 8);
      return chunk == 0
          ? 0
          : Long.divideUnsigned(length, chunk)
              + (Long.remainderUnsigned(length, chunk) == 0 ? 0 : 1);
    }

    /** The numbers of chunks along the axes. */
    public List<Long> grid() {
      List<Long> grid = new ArrayList<>();
      for (int axis = 0; axis < rank(); axis++) {
        grid.add(chunks(axis));
      }
      return grid;
    }

    /** Returns true for the index of a chunk in the grid. */
    public boolean has(int[] index) {
      if (index.length != rank()) {
        return false;
      }
      for (int axis = 0; axis < index.length; axis++) {
        if (Integer.toUnsignedLong(index[axis]) >= chunks(axis)) {
          return false;
        }
      }
      return true;
    }

    /** The number of manifests. */
    public int manifests() {
      return buffer.length(manifests);
    }

    /** The id of a manifest. */
    public String manifest(int number) {
      int reference = buffer.tableIn(manifests, number);
      return buffer.id12(buffer.struct(reference, 0, 12, "id of a manifest"));
    }

    /**
     * The number of the first manifest from {@code number} whose extents contain a chunk; negative
     * where there is none.
     */
    public int manifestOf(int[] index, int number) {
      int count = manifests();
      for (int i = number; i < count; i++) {
        if (mayHave(i, index)) {
          return i;
        }
      }
      return -1;
    }

    /**
     * The numbers of the manifests before {@code number} whose extents have a chunk in common with
     * its own: none by the specification, but icechunk 1.1 left some when it split manifests anew.
     */
    public List<Integer> overlapping(int number) {
      if (number > MOST_COMPARED) {
        return List.of();
      }
      int extents = extents(number);
      List<Integer> before = new ArrayList<>();
      for (int other = 0; other < number; other++) {
        if (overlap(extents, extents(other))) {
          before.add(other);
        }
      }
      if (before.size() > MOST_OVERLAPPING) {
        throw buffer.damaged(
            "an array with " + before.size() + " manifests that may have the same chunks");
      }
      return before;
    }

    private boolean overlap(int one, int other) {
      int axes = Math.min(buffer.length(one), buffer.length(other));
      for (int axis = 0; axis < axes; axis++) {
        int mine = buffer.element(one, axis, 8);
        int its = buffer.element(other, axis, 8);
        if (buffer.u32(mine) >= buffer.u32(its + 4) || buffer.u32(its) >= buffer.u32(mine + 4)) {
          return false;
        }
      }
      return true;
    }

    /** The extents of a manifest, from and to for each axis. */
    public List<Long> extentsOf(int number) {
      int extents = extents(number);
      List<Long> all = new ArrayList<>();
      for (int axis = 0; axis < buffer.length(extents); axis++) {
        all.add(buffer.u32(buffer.element(extents, axis, 8)));
        all.add(buffer.u32(buffer.element(extents, axis, 8) + 4));
      }
      return all;
    }

    private int extents(int number) {
      return buffer.vector(buffer.tableIn(manifests, number), 1, 8, "extents of a manifest");
    }

    /** Returns true where a manifest may have chunks whose indices begin so. */
    public boolean mayHave(int number, int[] beginning) {
      int extents = extents(number);
      int axes = buffer.length(extents);
      if (axes < beginning.length) {
        throw buffer.damaged(
            "a manifest of " + axes + " extents for an array of " + rank() + " dimensions");
      }
      for (int axis = 0; axis < beginning.length; axis++) {
        long at = Integer.toUnsignedLong(beginning[axis]);
        int extent = buffer.element(extents, axis, 8);
        if (at < buffer.u32(extent) || at >= buffer.u32(extent + 4)) {
          return false;
        }
      }
      return true;
    }
  }

  /**
   * What the list of manifests says of one.
   *
   * @param bytes the size of the file as it is stored; negative for one beyond {@code long}
   * @param references the number of its references
   */
  public record ManifestInfo(long bytes, long references) {}

  /** What the list of manifests says, by their ids. */
  public Map<String, ManifestInfo> manifestFiles() {
    int root = buffer.root();
    Map<String, ManifestInfo> all = new LinkedHashMap<>();
    int files = buffer.vector(root, 7, 4);
    for (int i = 0; i < buffer.length(files); i++) {
      int info = buffer.tableIn(files, i);
      all.put(
          buffer.id12(buffer.struct(info, 0, 12, "id of a manifest")),
          new ManifestInfo(buffer.u64(info, 1), buffer.u32(info, 2)));
    }
    int old = buffer.vector(root, 6, 32);
    for (int i = 0; i < buffer.length(old); i++) {
      int info = buffer.element(old, i, 32);
      all.put(buffer.id12(info), new ManifestInfo(buffer.u64(info + 16), buffer.u32(info + 24)));
    }
    return all;
  }

  /** What of it is not in the order that the specification demands, and this reader needs not. */
  public List<String> disorders() {
    List<String> disorders = new ArrayList<>();
    int vector = buffer.vector(buffer.root(), 2, 4, "nodes");
    boolean isByBytes = true;
    boolean isByNames = true;
    for (int i = 1; i < buffer.length(vector); i++) {
      Bytes one = path(buffer, buffer.tableIn(vector, i - 1));
      Bytes other = path(buffer, buffer.tableIn(vector, i));
      isByBytes = isByBytes && compare(one, other) < 0;
      isByNames = isByNames && Orders.compareNames(one, other) < 0;
    }
    if (!isByBytes && !isByNames) {
      disorders.add("its nodes are not in the order of their paths");
    }
    if (!Orders.isAscending(manifestFiles().keySet())) {
      disorders.add("its list of manifests is not in the order of their ids");
    }
    if (!MetadataItems.areSorted(buffer, buffer.root(), 5)) {
      disorders.add("its metadata are not in the order of their names");
    }
    return disorders;
  }

  @Override
  public String toString() {
    return "snapshot " + entry.id() + " with " + nodes.length + " nodes";
  }
}
