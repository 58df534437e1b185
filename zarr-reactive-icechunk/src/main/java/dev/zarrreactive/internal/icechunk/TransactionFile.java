package dev.zarrreactive.internal.icechunk;

import dev.zarrreactive.base.Bytes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A transaction log: what one commit has changed. Nodes stand in it by their ids, whose 8 bytes are
 * a number here. Immutable, thread-safe.
 */
public final class TransactionFile implements ImmutableFile {
  private static final int UPDATED_CHUNKS = 7;
  private static final int MOVED_NODES = 8;

  private static final int MOST_DIMENSIONS = 255;

  private final FlatBuffer buffer;
  private final int root;

  private TransactionFile(FlatBuffer buffer) {
    this.buffer = buffer;
    this.root = buffer.root();
  }

  /** The lists of nodes. */
  public enum Nodes {
    NEW_GROUPS(1),
    NEW_ARRAYS(2),
    DELETED_GROUPS(3),
    DELETED_ARRAYS(4),
    UPDATED_ARRAYS(5),
    UPDATED_GROUPS(6);

    private final int slot;

    Nodes(int slot) {
      this.slot = slot;
    }

    /** The name of the list in the specification. */
    String field() {
      return name().toLowerCase(Locale.ROOT);
    }

    int slot() {
      return slot;
    }
  }

  /**
   * Reads a log.
   *
   * @param key of the file, which ends with the id of its snapshot
   * @param maxBytes the most bytes that it may have decompressed
   */
  public static TransactionFile read(Bytes file, String key, long maxBytes) {
    FileEnvelope envelope = FileEnvelope.open(file, FileType.TRANSACTION, key, maxBytes);
    FlatBuffer buffer = envelope.payload();
    String id = buffer.id12(buffer.struct(buffer.root(), 0, 12, "id"));
    if (!key.endsWith("/" + id)) {
      throw buffer.damaged("it is the log of snapshot " + id);
    }
    for (Nodes list : Nodes.values()) {
      buffer.vector(buffer.root(), list.slot, 8);
    }
    return new TransactionFile(buffer);
  }

  @Override
  public long weight() {
    return buffer.size();
  }

  /** The ids of a list. */
  public long[] nodes(Nodes list) {
    int vector = buffer.vector(root, list.slot, 8);
    long[] ids = new long[buffer.length(vector)];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = buffer.id8(buffer.element(vector, i, 8));
    }
    return ids;
  }

  /** The numbers of chunks that were written or erased, by the ids of their arrays. */
  public Map<Long, Long> chunks() {
    int vector = buffer.vector(root, UPDATED_CHUNKS, 4);
    Map<Long, Long> chunks = new LinkedHashMap<>();
    for (int i = 0; i < buffer.length(vector); i++) {
      int update = buffer.tableIn(vector, i);
      long id = buffer.id8(buffer.struct(update, 0, 8, "id of an array"));
      long count = buffer.length(buffer.vector(update, 1, 4));
      chunks.merge(id, count, Long::sum);
    }
    return chunks;
  }

  /** Calls {@code action} with the index of each chunk of an array that was written or erased. */
  public void forEachChunk(long array, Consumer<int[]> action) {
    int vector = buffer.vector(root, UPDATED_CHUNKS, 4);
    for (int i = 0; i < buffer.length(vector); i++) {
      int update = buffer.tableIn(vector, i);
      if (buffer.id8(buffer.struct(update, 0, 8, "id of an array")) != array) {
        continue;
      }
      int chunks = buffer.vector(update, 1, 4);
      for (int at = 0; at < buffer.length(chunks); at++) {
        int coords = buffer.vector(buffer.tableIn(chunks, at), 0, 4, "index of a chunk");
        int[] index = new int[buffer.length(coords)];
        for (int axis = 0; axis < index.length; axis++) {
          index[axis] = buffer.i32(buffer.element(coords, axis, 4));
        }
        action.accept(index);
      }
    }
  }

  /** The paths of nodes that were moved, from the old one to the new one. */
  public Map<String, String> moved() {
    int vector = buffer.vector(root, MOVED_NODES, 4);
    Map<String, String> moved = new LinkedHashMap<>();
    long length = 0;
    for (int i = 0; i < buffer.length(vector); i++) {
      int move = buffer.tableIn(vector, i);
      String from = buffer.string(move, 0, "path of a moved node");
      String to = buffer.string(move, 1, "new path of a moved node");
      length += from.length() + to.length();
      if (length > buffer.size()) {
        throw buffer.damaged("its moved nodes have paths that are longer than the file");
      }
      moved.put(from, to);
    }
    return moved;
  }

  /** Returns true if the log tells of no change. */
  public boolean isEmpty() {
    for (Nodes list : Nodes.values()) {
      if (buffer.length(buffer.vector(root, list.slot, 8)) > 0) {
        return false;
      }
    }
    return buffer.length(buffer.vector(root, UPDATED_CHUNKS, 4)) == 0
        && buffer.length(buffer.vector(root, MOVED_NODES, 4)) == 0;
  }

  /**
   * What of it is not as the specification demands, and this reader needs not: the order of each
   * list, with the first place where it is wrong, and nodes in two lists.
   */
  public List<String> disorders() {
    List<String> disorders = new ArrayList<>();
    List<Nodes> sorted = new ArrayList<>();
    for (Nodes list : Nodes.values()) {
      String disorder = disorder(list);
      if (disorder == null) {
        sorted.add(list);
      } else {
        disorders.add(disorder);
      }
    }
    addNodesInTwo(sorted, disorders);
    addDisordersOfChunks(disorders);
    String moves = disorderOfMoves();
    if (moves != null) {
      disorders.add(moves);
    }
    return disorders;
  }

  private @Nullable String disorder(Nodes list) {
    int vector = buffer.vector(root, list.slot, 8);
    for (int i = 1; i < buffer.length(vector); i++) {
      int one = buffer.element(vector, i - 1, 8);
      int other = buffer.element(vector, i, 8);
      if (Long.compareUnsigned(buffer.id8(one), buffer.id8(other)) >= 0) {
        return "its list "
            + list.field()
            + " is not in the order of the ids: "
            + buffer.id8Text(other)
            + " stands behind "
            + buffer.id8Text(one);
      }
    }
    return null;
  }

  /** Tells of the first node that two lists have, for each two of them. */
  private void addNodesInTwo(List<Nodes> sorted, List<String> disorders) {
    for (int one = 0; one < sorted.size(); one++) {
      for (int other = one + 1; other < sorted.size(); other++) {
        int common = common(sorted.get(one), sorted.get(other));
        if (common != FlatBuffer.ABSENT) {
          disorders.add(
              "node "
                  + buffer.id8Text(common)
                  + " is in its lists "
                  + sorted.get(one).field()
                  + " and "
                  + sorted.get(other).field());
        }
      }
    }
  }

  /** The position of the first id that two sorted lists have. */
  private int common(Nodes one, Nodes other) {
    int mine = buffer.vector(root, one.slot, 8);
    int its = buffer.vector(root, other.slot, 8);
    int i = 0;
    int j = 0;
    while (i < buffer.length(mine) && j < buffer.length(its)) {
      int at = buffer.element(mine, i, 8);
      int order = Long.compareUnsigned(buffer.id8(at), buffer.id8(buffer.element(its, j, 8)));
      if (order == 0) {
        return at;
      }
      i += order < 0 ? 1 : 0;
      j += order > 0 ? 1 : 0;
    }
    return FlatBuffer.ABSENT;
  }

  private void addDisordersOfChunks(List<String> disorders) {
    int vector = buffer.vector(root, UPDATED_CHUNKS, 4);
    int last = FlatBuffer.ABSENT;
    boolean areArraysSorted = true;
    boolean areChunksSorted = true;
    long count = 0;
    for (int i = 0; i < buffer.length(vector); i++) {
      int update = buffer.tableIn(vector, i);
      int id = buffer.struct(update, 0, 8, "id of an array");
      if (areArraysSorted
          && last != FlatBuffer.ABSENT
          && Long.compareUnsigned(buffer.id8(last), buffer.id8(id)) >= 0) {
        areArraysSorted = false;
        disorders.add(
            "its list updated_chunks is not in the order of the ids: "
                + buffer.id8Text(id)
                + " stands behind "
                + buffer.id8Text(last));
      }
      last = id;
      int chunks = buffer.vector(update, 1, 4);
      count += buffer.length(chunks);
      if (count > buffer.size() / 4) {
        throw buffer.damaged("it claims more chunks than fit into it");
      }
      String disorder = areChunksSorted ? disorderOfChunks(chunks) : null;
      if (disorder != null) {
        areChunksSorted = false;
        disorders.add(
            "the chunks of array "
                + buffer.id8Text(id)
                + " are not in the order of their indices: "
                + disorder);
      }
    }
  }

  private @Nullable String disorderOfChunks(int chunks) {
    int last = FlatBuffer.ABSENT;
    for (int i = 0; i < buffer.length(chunks); i++) {
      int index = buffer.vector(buffer.tableIn(chunks, i), 0, 4, "index of a chunk");
      if (buffer.length(index) > MOST_DIMENSIONS) {
        throw buffer.damaged("a chunk of " + buffer.length(index) + " dimensions");
      }
      if (last != FlatBuffer.ABSENT && compare(last, index) >= 0) {
        return text(index) + " stands behind " + text(last);
      }
      last = index;
    }
    return null;
  }

  private int compare(int one, int other) {
    int axes = Math.min(buffer.length(one), buffer.length(other));
    for (int axis = 0; axis < axes; axis++) {
      int order =
          Long.compare(
              buffer.u32(buffer.element(one, axis, 4)), buffer.u32(buffer.element(other, axis, 4)));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(buffer.length(one), buffer.length(other));
  }

  private String text(int index) {
    StringJoiner text = new StringJoiner(", ", "(", ")");
    for (int axis = 0; axis < buffer.length(index); axis++) {
      text.add(Long.toString(buffer.u32(buffer.element(index, axis, 4))));
    }
    return text.toString();
  }

  private @Nullable String disorderOfMoves() {
    int vector = buffer.vector(root, MOVED_NODES, 4);
    Bytes last = null;
    long length = 0;
    for (int i = 0; i < buffer.length(vector); i++) {
      Bytes path = buffer.bytes(buffer.tableIn(vector, i), 1, "new path of a moved node");
      length += path.size();
      if (length > buffer.size()) {
        throw buffer.damaged("its moved nodes have paths that are longer than the file");
      }
      if (last != null && Orders.compareNames(last, path) >= 0) {
        return "its list moved_nodes is not in the order of the new paths: "
            + buffer.text(path)
            + " stands behind "
            + buffer.text(last);
      }
      last = path;
    }
    return null;
  }
}
