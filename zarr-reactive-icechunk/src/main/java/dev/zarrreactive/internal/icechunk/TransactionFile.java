package dev.zarrreactive.internal.icechunk;

import dev.zarrreactive.base.Bytes;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A transaction log: what one commit has changed. Nodes stand in it by their ids, whose 8 bytes are
 * a number here. Immutable, thread-safe.
 */
public final class TransactionFile implements ImmutableFile {
  private static final int UPDATED_CHUNKS = 7;
  private static final int MOVED_NODES = 8;

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
}
