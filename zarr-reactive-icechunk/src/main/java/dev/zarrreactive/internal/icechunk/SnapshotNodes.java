package dev.zarrreactive.internal.icechunk;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads the nodes of a snapshot as those of the next one are written. */
public final class SnapshotNodes {
  private SnapshotNodes() {}

  /** Returns the node at a rank, with the shape as version 2 has it. */
  public static NodeRecord node(SnapshotFile snapshot, int rank) {
    FlatBuffer buffer = snapshot.buffer();
    int node = snapshot.position(rank);
    return new NodeRecord(
        snapshot.idOf(rank),
        snapshot.pathOf(rank),
        snapshot.document(rank),
        snapshot.isArray(rank) ? grid(snapshot, rank, buffer.table(node, 4, "data")) : null,
        buffer.bytes(node, 5));
  }

  private static NodeRecord.Grid grid(SnapshotFile snapshot, int rank, int data) {
    FlatBuffer buffer = snapshot.buffer();
    SnapshotFile.ArrayNode array = snapshot.array(rank);
    int shape = buffer.vector(data, 3, 4);
    int old = buffer.vector(data, 0, 16);
    List<Long> lengths = new ArrayList<>();
    for (int axis = 0; axis < array.rank(); axis++) {
      lengths.add(
          shape == FlatBuffer.ABSENT
              ? buffer.u64(buffer.element(old, axis, 16))
              : buffer.u64(buffer.tableIn(shape, axis), 0));
    }
    List<NodeRecord.Extents> manifests = new ArrayList<>();
    for (int i = 0; i < array.manifests(); i++) {
      List<Long> box = array.extentsOf(i);
      manifests.add(
          new NodeRecord.Extents(
              array.manifest(i), box.stream().mapToInt(Long::intValue).toArray()));
    }
    return new NodeRecord.Grid(lengths, array.grid(), names(buffer, data), manifests);
  }

  private static @Nullable List<@Nullable String> names(FlatBuffer buffer, int data) {
    int vector = buffer.vector(data, 1, 4);
    if (vector == FlatBuffer.ABSENT) {
      return null;
    }
    List<@Nullable String> names = new ArrayList<>();
    for (int i = 0; i < buffer.length(vector); i++) {
      names.add(buffer.string(buffer.tableIn(vector, i), 0));
    }
    return names;
  }

  /** Returns the manifests in the list of a snapshot by their ids. */
  public static SortedMap<String, NodeRecord.Manifest> manifests(SnapshotFile snapshot) {
    FlatBuffer buffer = snapshot.buffer();
    SortedMap<String, NodeRecord.Manifest> all = new TreeMap<>();
    int files = buffer.vector(buffer.root(), 7, 4);
    for (int i = 0; i < buffer.length(files); i++) {
      int info = buffer.tableIn(files, i);
      add(
          all,
          buffer.id12(buffer.struct(info, 0, 12, "id of a manifest")),
          buffer.u64(info, 1),
          buffer.u32(info, 2));
    }
    int old = buffer.vector(buffer.root(), 6, 32);
    for (int i = 0; i < buffer.length(old); i++) {
      int info = buffer.element(old, i, 32);
      add(all, buffer.id12(info), buffer.u64(info + 16), buffer.u32(info + 24));
    }
    return all;
  }

  private static void add(
      SortedMap<String, NodeRecord.Manifest> all, String id, long bytes, long references) {
    all.put(id, new NodeRecord.Manifest(id, bytes, references));
  }
}
