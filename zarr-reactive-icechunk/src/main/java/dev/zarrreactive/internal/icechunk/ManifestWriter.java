package dev.zarrreactive.internal.icechunk;

import dev.zarrreactive.base.Bytes;
import java.util.Arrays;

/**
 * Writes a manifest of one array. References are added in the order of their indices. Not
 * thread-safe.
 */
public final class ManifestWriter {
  private static final int BYTES_OF_REFERENCE = 72;
  private static final int INLINE = 1;
  private static final int OFFSET = 2;
  private static final int LENGTH = 3;
  private static final int CHUNK = 4;
  private static final int LOCATION = 5;
  private static final int ETAG = 6;
  private static final int LAST_MODIFIED = 7;

  private final String id;
  private final long node;
  private final int[] extents;
  private final FlatBufferWriter out;
  private int[] references;
  private int size;

  /**
   * A manifest without a reference.
   *
   * @param id of the manifest
   * @param node the id of the array
   * @param rank the number of dimensions
   * @param expected about how many references it will have
   */
  public ManifestWriter(String id, long node, int rank, int expected) {
    this.id = id;
    this.node = node;
    this.extents = new int[2 * rank];
    this.references = new int[Math.max(16, expected)];
    this.out =
        new FlatBufferWriter((int) Math.min(1 << 28, (long) expected * BYTES_OF_REFERENCE + 256));
  }

  /** The number of references. */
  public int size() {
    return size;
  }

  /** Adds a chunk whose bytes stand in the manifest. */
  public void inline(int[] index, Bytes bytes) {
    int vector = index(index);
    int value = out.bytes(bytes);
    out.startTable(LAST_MODIFIED + 1);
    out.offset(INLINE, value);
    end(vector);
  }

  /** Adds a chunk that is a part of an object of the repository. */
  public void chunk(int[] index, long idFirst, int idLast, long offset, long length) {
    int vector = index(index);
    out.startTable(LAST_MODIFIED + 1);
    out.u64(LENGTH, length);
    if (offset != 0) {
      out.u64(OFFSET, offset);
    }
    out.id12(CHUNK, idFirst, idLast);
    end(vector);
  }

  /** Adds a reference that another manifest has. */
  public void add(int[] index, ChunkReference reference) {
    if (reference instanceof ChunkReference.Inline inline) {
      inline(index, inline.bytes());
    } else if (reference instanceof ChunkReference.Native own) {
      chunk(
          index,
          ObjectIds.first(own.chunk()),
          ObjectIds.last(own.chunk()),
          own.offset(),
          own.length());
    } else {
      virtual(index, (ChunkReference.Virtual) reference);
    }
  }

  private void virtual(int[] index, ChunkReference.Virtual reference) {
    int vector = index(index);
    int location = out.string(reference.location());
    String tag = reference.etag();
    int etag = tag == null ? FlatBufferWriter.ABSENT : out.string(tag);
    out.startTable(LAST_MODIFIED + 1);
    out.u64(OFFSET, reference.offset());
    out.u64(LENGTH, reference.length());
    out.offset(LOCATION, location);
    out.offset(ETAG, etag);
    if (reference.lastModified() != 0) {
      out.u32(LAST_MODIFIED, (int) reference.lastModified());
    }
    end(vector);
  }

  private int index(int[] index) {
    for (int axis = 0; axis < index.length; axis++) {
      int from = 2 * axis;
      if (size == 0 || Integer.compareUnsigned(index[axis], extents[from]) < 0) {
        extents[from] = index[axis];
      }
      if (size == 0 || Integer.compareUnsigned(index[axis] + 1, extents[from + 1]) > 0) {
        extents[from + 1] = index[axis] + 1;
      }
    }
    return out.ints(index, index.length);
  }

  private void end(int index) {
    out.offset(0, index);
    if (size == references.length) {
      references = Arrays.copyOf(references, (int) Math.min(Bytes.MAX_SIZE / 4, 2L * size));
    }
    references[size++] = out.endTable();
  }

  /** The smallest box around all indices: from and to for each axis. */
  public int[] extents() {
    return extents.clone();
  }

  /** Returns the file. */
  public Bytes finish() {
    int all = out.offsets(Arrays.copyOf(references, size));
    out.startTable(2);
    out.id8(0, node);
    out.offset(1, all);
    int arrays = out.offsets(new int[] {out.endTable()});
    out.startTable(4);
    out.id12(0, id);
    out.offset(1, arrays);
    out.u8(3, 0); // locations are not compressed
    return SealedFile.of(FileType.MANIFEST, out.finish(out.endTable()));
  }
}
