package dev.zarrreactive.icechunk;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.icechunk.ChangeSet.ChangedNode;
import dev.zarrreactive.icechunk.ChangeSet.Gone;
import dev.zarrreactive.internal.icechunk.NodeRecord;
import dev.zarrreactive.internal.icechunk.ObjectIds;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Writes what a fork begins with, and what it has changed: a magic number, ids, nodes by path, the
 * changed chunks of each by index, and a CRC32C. Numbers are varints; an index is told by its
 * distance from the one before, so that a chunk in an object takes some 16 bytes.
 */
final class ForkWriter {
  static final Bytes STATE = Bytes.utf8("ZRFORK1s");
  static final Bytes CHANGES = Bytes.utf8("ZRFORK1c");

  // what follows the path and the id of a node
  static final int IS_NEW = 1;
  static final int IS_ARRAY = 2;
  static final int HAS_DOCUMENT = 4;
  static final int IS_KEPT = 8;

  // what begins an entry: the state, and whether the session of the fork had one
  static final int STATES = 3;
  static final int HAS_BEFORE = 4;

  private byte[] out = new byte[256];
  private int size;

  private ForkWriter(Bytes magic) {
    bytes(magic);
  }

  /** The state of a session, from within {@link ChangeSet#use}. */
  static Bytes state(String session, String branch, long mostInline, ChangeSet changes) {
    ForkWriter out = new ForkWriter(STATE);
    out.id(session);
    out.id(changes.base().entry().id());
    out.number(changes.clock());
    out.text(branch);
    out.number(mostInline);
    Map<String, Gone> gone = changes.goneNodes();
    out.number(gone.size());
    gone.forEach(
        (path, node) -> {
          out.text(path);
          out.fixed(node.id());
          out.octet(node.isArray() ? 1 : 0);
        });
    out.number(changes.nodes().size());
    for (ChangedNode node : changes.nodes().values()) {
      out.node(new Part(node, node.isNew, node.document, node.chunks.sorted(), null));
    }
    return out.finish();
  }

  /**
   * What a fork has changed, from within {@link ChangeSet#use}.
   *
   * @param session of which the fork was made
   * @param origin what the session had changed then
   */
  static Bytes changes(String session, ChangeSet origin, ChangeSet now) {
    ForkWriter out = new ForkWriter(CHANGES);
    out.id(session);
    out.id(origin.base().entry().id());
    out.number(origin.clock());
    Map<String, Long> removed = removed(origin, now);
    out.number(removed.size());
    removed.forEach(
        (path, id) -> {
          out.text(path);
          out.fixed(id);
        });
    List<Part> parts = new ArrayList<>();
    for (ChangedNode node : now.nodes().values()) {
      Part part = part(origin, node);
      if (part.document() != null || part.entries().length > 0) {
        parts.add(part);
      }
    }
    out.number(parts.size());
    parts.forEach(out::node);
    return out.finish();
  }

  /**
   * What is told of a node.
   *
   * @param entries of its chunks, in the order of their indices
   * @param before its chunks in the session that the fork was made of; null where it had none
   */
  @SuppressWarnings("ArrayRecordComponent")
  private record Part(
      ChangedNode node,
      boolean isNew,
      @Nullable NodeDocument document,
      int[] entries,
      @Nullable ChunkChanges before) {}

  private static Part part(ChangeSet origin, ChangedNode node) {
    Long known = origin.idAt(node.path);
    boolean isNew = known == null || known != node.id;
    ChangedNode its = isNew ? null : origin.nodes().get(node.path);
    ChunkChanges before = its == null ? null : its.chunks;
    boolean isOfFork = node.isChangedSince(origin.clock());
    return new Part(
        node,
        isNew,
        node.write > origin.clock() ? node.document : null,
        !isOfFork
            ? new int[0]
            : before == null ? node.chunks.sorted() : changed(before, node.chunks),
        before);
  }

  /** The ids of the nodes that were there and are gone, or have given way to others. */
  private static Map<String, Long> removed(ChangeSet origin, ChangeSet now) {
    Map<String, Long> removed = new TreeMap<>();
    now.goneNodes().keySet().forEach(path -> addRemoved(removed, path, origin, now));
    origin.nodes().keySet().forEach(path -> addRemoved(removed, path, origin, now));
    return removed;
  }

  private static void addRemoved(
      Map<String, Long> removed, String path, ChangeSet origin, ChangeSet now) {
    Long before = origin.idAt(path);
    if (before != null && !before.equals(now.idAt(path))) {
      removed.put(path, before);
    }
  }

  /** The entries that are not as they were, in the order of their indices. */
  private static int[] changed(ChunkChanges before, ChunkChanges now) {
    return Arrays.stream(now.allSorted())
        .filter(entry -> now.stamp(entry) != before.stamp(now.indexAt(entry)))
        .toArray();
  }

  private void node(Part part) {
    ChangedNode node = part.node();
    NodeDocument document = part.document();
    int[] entries = part.entries();
    ChunkChanges before = part.before();
    NodeRecord.Grid kept = part.isNew() ? null : node.baseGrid;
    text(node.path);
    fixed(node.id);
    octet(
        (part.isNew() ? IS_NEW : 0)
            | (node.isArray() ? IS_ARRAY : 0)
            | (document == null ? 0 : HAS_DOCUMENT)
            | (kept == null ? 0 : IS_KEPT));
    number(node.write);
    number(node.chunkWrite);
    if (node.isArray()) {
      number(node.rank);
    }
    if (kept != null) {
      kept.chunks().forEach(this::number);
    }
    if (document != null) {
      number(document.bytes().size());
      bytes(document.bytes());
    }
    number(entries.length);
    int[] last = new int[Math.max(0, node.rank)];
    for (int entry : entries) {
      int[] index = node.chunks.indexAt(entry);
      long stamp = before == null ? 0 : before.stamp(index);
      entry(node.chunks, entry, index, last, stamp);
      last = index;
    }
  }

  private void entry(ChunkChanges chunks, int entry, int[] index, int[] last, long stamp) {
    octet(chunks.state(entry).code() | (stamp == 0 ? 0 : HAS_BEFORE));
    for (int axis = 0; axis < index.length; axis++) {
      int step = index[axis] - last[axis];
      number(Integer.toUnsignedLong((step << 1) ^ (step >> 31)));
    }
    if (stamp != 0) {
      fixed(stamp);
    }
    switch (chunks.state(entry)) {
      case OBJECT -> {
        fixed(chunks.first(entry));
        room(Integer.BYTES).putInt(chunks.last(entry));
        number(chunks.length(entry));
      }
      case INLINE -> {
        number(chunks.first(entry));
        number(chunks.length(entry));
        bytes(chunks.inline(entry));
      }
      case ERASED, AS_BEFORE -> {}
    }
  }

  // ---- values

  private ByteBuffer room(int count) {
    if (count > out.length - size) {
      long wanted = Math.max(2L * out.length, (long) size + count);
      if ((long) size + count > Bytes.MAX_SIZE) {
        throw new StoreException(
            "the changes of the session are more than the "
                + Bytes.MAX_SIZE
                + " bytes that can be passed on at once: use more forks, with fewer changes each",
            Location.UNKNOWN);
      }
      out = Arrays.copyOf(out, (int) Math.min(wanted, Bytes.MAX_SIZE));
    }
    ByteBuffer room = ByteBuffer.wrap(out, size, count);
    size += count;
    return room;
  }

  private void octet(int value) {
    room(1).put((byte) value);
  }

  private void fixed(long value) {
    room(Long.BYTES).putLong(value);
  }

  private void number(long value) {
    long left = value;
    while (left >>> 7 != 0) {
      octet(((int) left & 0x7f) | 0x80);
      left >>>= 7;
    }
    octet((int) left);
  }

  private void id(String id) {
    fixed(ObjectIds.first(id));
    room(Integer.BYTES).putInt(ObjectIds.last(id));
  }

  private void text(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    number(utf8.length);
    bytes(Bytes.wrap(utf8));
  }

  private void bytes(Bytes bytes) {
    room(bytes.size()).put(bytes.asByteBuffer());
  }

  private Bytes finish() {
    CRC32C sum = new CRC32C();
    sum.update(out, 0, size);
    room(Integer.BYTES).putInt((int) sum.getValue());
    return Bytes.wrap(Arrays.copyOf(out, size));
  }
}
