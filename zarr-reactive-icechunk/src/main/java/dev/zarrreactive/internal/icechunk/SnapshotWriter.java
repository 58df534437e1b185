package dev.zarrreactive.internal.icechunk;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Writes a snapshot of version 2. */
public final class SnapshotWriter {
  private static final int ARRAY = 1;
  private static final int GROUP = 2;

  private final FlatBufferWriter out = new FlatBufferWriter(1 << 12);

  private SnapshotWriter() {}

  /**
   * Returns the file of a snapshot.
   *
   * @param entry what is told of it; its parent stands only in the info of the repository
   * @param nodes in the order of the bytes of their paths
   * @param manifests those that nodes name, in the order of their ids
   */
  public static Bytes write(
      SnapshotEntry entry,
      Collection<NodeRecord> nodes,
      Collection<NodeRecord.Manifest> manifests) {
    return new SnapshotWriter().file(entry, nodes, manifests);
  }

  private Bytes file(
      SnapshotEntry entry,
      Collection<NodeRecord> nodes,
      Collection<NodeRecord.Manifest> manifests) {
    int[] tables = nodes.stream().mapToInt(this::node).toArray();
    int all = out.offsets(tables);
    int message = out.string(entry.message());
    int metadata = metadata(out, items(entry.metadata()));
    int old = out.nothing();
    int list = out.offsets(manifests.stream().mapToInt(this::manifest).toArray());
    out.startTable(9);
    out.u64(3, micros(entry.time()));
    out.id12(0, entry.id());
    out.offset(2, all);
    out.offset(4, message);
    out.offset(5, metadata);
    out.offset(6, old);
    out.offset(7, list);
    return SealedFile.of(FileType.SNAPSHOT, out.finish(out.endTable()));
  }

  /** The microseconds since 1970. */
  static long micros(Instant time) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, time);
  }

  /** Metadata in the form in which they are stored, by their names. */
  static Map<String, Bytes> items(JsonObject metadata) {
    Map<String, Bytes> items = new TreeMap<>(Orders.BY_BYTES);
    for (Map.Entry<String, JsonValue> each : metadata.members().entrySet()) {
      items.put(each.getKey(), FlexBufferWriter.write(each.getValue()));
    }
    return items;
  }

  static int metadata(FlatBufferWriter out, Map<String, Bytes> items) {
    List<Integer> tables = new ArrayList<>();
    items.forEach(
        (name, value) -> {
          int text = out.string(name);
          int bytes = out.bytes(value);
          out.startTable(2);
          out.offset(0, text);
          out.offset(1, bytes);
          tables.add(out.endTable());
        });
    return out.offsets(tables.stream().mapToInt(Integer::intValue).toArray());
  }

  private int manifest(NodeRecord.Manifest manifest) {
    out.startTable(4);
    out.u64(1, manifest.bytes());
    out.u32(2, (int) manifest.references());
    out.id12(0, manifest.id());
    return out.endTable();
  }

  private int node(NodeRecord node) {
    NodeRecord.Grid array = node.array();
    int data = array == null ? group() : array(array);
    int path = out.string(node.path());
    int document = out.bytes(node.document());
    Bytes others = node.extra();
    int extra = others == null ? FlatBufferWriter.ABSENT : out.bytes(others);
    out.startTable(6);
    out.id8(0, node.id());
    out.offset(1, path);
    out.offset(2, document);
    out.u8(3, array == null ? GROUP : ARRAY);
    out.offset(4, data);
    out.offset(5, extra);
    return out.endTable();
  }

  private int group() {
    out.startTable(0);
    return out.endTable();
  }

  private int array(NodeRecord.Grid array) {
    int[] axes = new int[array.lengths().size()];
    for (int axis = 0; axis < axes.length; axis++) {
      out.startTable(2);
      out.u64(0, array.lengths().get(axis));
      out.u32(1, array.chunks().get(axis).intValue());
      axes[axis] = out.endTable();
    }
    int shape = out.offsets(axes);
    int[] manifests = array.manifests().stream().mapToInt(this::extents).toArray();
    int references = out.offsets(manifests);
    int old = out.nothing();
    int names = names(array.names());
    out.startTable(4);
    out.offset(0, old);
    out.offset(1, names);
    out.offset(2, references);
    out.offset(3, shape);
    return out.endTable();
  }

  private int names(@Nullable List<@Nullable String> names) {
    if (names == null) {
      return FlatBufferWriter.ABSENT;
    }
    int[] tables = new int[names.size()];
    for (int axis = 0; axis < tables.length; axis++) {
      String name = names.get(axis);
      int text = name == null ? FlatBufferWriter.ABSENT : out.string(name);
      out.startTable(1);
      out.offset(0, text);
      tables[axis] = out.endTable();
    }
    return out.offsets(tables);
  }

  private int extents(NodeRecord.Extents manifest) {
    int box = out.ints(manifest.box(), manifest.box().length / 2);
    out.startTable(2);
    out.id12(0, manifest.manifest());
    out.offset(1, box);
    return out.endTable();
  }
}
