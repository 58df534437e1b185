package dev.zarrreactive.internal.icechunk;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.internal.icechunk.TransactionFile.Nodes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Writes a transaction log: what one commit changes. Not thread-safe. */
public final class TransactionWriter {
  private static final int SLOTS = 10;

  private final String id;
  private final Map<Nodes, List<Long>> nodes = new EnumMap<>(Nodes.class);
  private final FlatBufferWriter out = new FlatBufferWriter(1 << 10);
  private final List<Integer> arrays = new ArrayList<>();

  /**
   * The log of no changes.
   *
   * @param snapshot the id of its snapshot
   */
  public TransactionWriter(String snapshot) {
    this.id = snapshot;
  }

  /** Adds a node to a list. */
  public void add(Nodes list, long node) {
    nodes.computeIfAbsent(list, each -> new ArrayList<>()).add(node);
  }

  /**
   * Adds the changed chunks of an array. The arrays are added in the order of their ids, which is
   * unsigned.
   *
   * @param indices in their order
   */
  public void add(long array, Iterable<int[]> indices) {
    int[] tables = new int[16];
    int size = 0;
    for (int[] index : indices) {
      int coords = out.ints(index, index.length);
      out.startTable(1);
      out.offset(0, coords);
      if (size == tables.length) {
        tables = Arrays.copyOf(tables, 2 * size);
      }
      tables[size++] = out.endTable();
    }
    int chunks = out.offsets(Arrays.copyOf(tables, size));
    out.startTable(2);
    out.id8(0, array);
    out.offset(1, chunks);
    arrays.add(out.endTable());
  }

  /** Returns the file. */
  public Bytes finish() {
    int chunks = out.offsets(arrays.stream().mapToInt(Integer::intValue).toArray());
    int moved = out.offsets(new int[0]);
    int[] lists = new int[SLOTS];
    for (Nodes list : Nodes.values()) {
      lists[list.slot()] =
          out.ids8(
              nodes.getOrDefault(list, List.of()).stream()
                  .sorted(Long::compareUnsigned)
                  .mapToLong(Long::longValue)
                  .toArray());
    }
    out.startTable(SLOTS);
    out.id12(0, id);
    for (Nodes list : Nodes.values()) {
      out.offset(list.slot(), lists[list.slot()]);
    }
    out.offset(7, chunks);
    out.offset(8, moved);
    return SealedFile.of(FileType.TRANSACTION, out.finish(out.endTable()));
  }
}
