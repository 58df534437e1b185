package dev.zarrreactive.icechunk;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.icechunk.ChangeSet.Gone;
import dev.zarrreactive.internal.icechunk.ObjectIds;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Reads what {@link ForkWriter} has written. Bytes may be hostile: every length is checked. */
final class ForkReader {
  private static final int MOST_DIMENSIONS = 255;
  private static final int CHECKSUM = Integer.BYTES;

  private final ByteBuffer in;
  private final Set<String> paths = new HashSet<>();

  private ForkReader(Bytes bytes, Bytes magic, String what) {
    int size = bytes.size() - CHECKSUM;
    if (size < magic.size() || !bytes.slice(0, magic.size()).equals(magic)) {
      throw new StoreException(
          "these "
              + bytes.size()
              + " bytes are not "
              + what
              + ", as this version of the library writes them",
          Location.UNKNOWN);
    }
    CRC32C sum = new CRC32C();
    sum.update(bytes.unsafeArray(), bytes.unsafeOffset(), size);
    in = ByteBuffer.wrap(bytes.unsafeArray(), bytes.unsafeOffset(), bytes.size()).slice();
    if (in.getInt(size) != (int) sum.getValue()) {
      throw damaged("their checksum is wrong");
    }
    in.position(magic.size()).limit(size);
  }

  /** Reads the state of a session. */
  static ForkState state(Bytes bytes) {
    return new ForkReader(bytes, ForkWriter.STATE, "a fork of a session").readState();
  }

  /** Reads what a fork has changed. */
  static ForkChanges changes(Bytes bytes) {
    return new ForkReader(bytes, ForkWriter.CHANGES, "the changes of a fork").readChanges();
  }

  static StoreException damaged(String problem) {
    return new StoreException("the bytes of a fork are damaged: " + problem, Location.UNKNOWN);
  }

  private StoreException damagedHere(String problem) {
    return damaged(problem + " before byte " + in.position() + " of " + in.limit());
  }

  private ForkState readState() {
    String session = id();
    String snapshot = id();
    long clock = number(Long.MAX_VALUE, "a count of writes");
    String branch = text();
    long mostInline = number(Long.MAX_VALUE, "a number of bytes");
    Map<String, Gone> gone = new HashMap<>();
    for (long left = count(); left > 0; left--) {
      String path = path();
      if (gone.put(path, new Gone(fixed(), octet() == 1)) != null) {
        throw damagedHere(path + " is gone twice");
      }
    }
    List<ForkedNode> nodes = new ArrayList<>();
    for (long left = count(); left > 0; left--) {
      nodes.add(node(clock));
    }
    checkEnd();
    return new ForkState(session, branch, snapshot, mostInline, clock, gone, nodes);
  }

  private ForkChanges readChanges() {
    String session = id();
    String snapshot = id();
    long clock = number(Long.MAX_VALUE, "a count of writes");
    Map<String, Long> removed = new LinkedHashMap<>();
    for (long left = count(); left > 0; left--) {
      String path = path();
      if (removed.put(path, fixed()) != null) {
        throw damagedHere(path + " is gone twice");
      }
    }
    List<ForkedNode> nodes = new ArrayList<>();
    for (long left = count(); left > 0; left--) {
      nodes.add(node(Long.MAX_VALUE));
    }
    checkEnd();
    return new ForkChanges(session, snapshot, clock, removed, nodes);
  }

  private void checkEnd() {
    if (in.hasRemaining()) {
      throw damagedHere(in.remaining() + " bytes are left");
    }
  }

  private ForkedNode node(long clock) {
    String path = path();
    if (!paths.add(path)) {
      throw damagedHere("a second node at " + path);
    }
    long id = fixed();
    int flags = octet();
    boolean isNew = (flags & ForkWriter.IS_NEW) != 0;
    boolean isArray = (flags & ForkWriter.IS_ARRAY) != 0;
    boolean isKept = (flags & ForkWriter.IS_KEPT) != 0;
    if (isKept && (isNew || !isArray)) {
      throw damagedHere("a node that contradicts itself");
    }
    long write = number(clock, "the number of a write");
    long chunkWrite = number(clock, "the number of a write");
    int rank = isArray ? (int) number(MOST_DIMENSIONS, "a number of dimensions") : -1;
    NodeDocument document = null;
    List<Long> kept = null;
    if (isKept) {
      kept = new ArrayList<>();
      for (int axis = 0; axis < rank; axis++) {
        kept.add(number(Long.MAX_VALUE, "a number of chunks"));
      }
    }
    if ((flags & ForkWriter.HAS_DOCUMENT) != 0) {
      document = NodeDocument.parse(documentOf(path), bytes());
      if (document.rank() != rank) {
        throw damagedHere("a document of another number of dimensions at " + path);
      }
    }
    int count = count();
    if (count > 0 && !isArray) {
      throw damagedHere("chunks of the group " + path);
    }
    ChunkChanges chunks = new ChunkChanges(Math.max(0, rank));
    long[] before = chunks(chunks, count, clock);
    return new ForkedNode(path, id, isNew, rank, write, chunkWrite, kept, document, chunks, before);
  }

  /** Reads the entries of a node; returns their stamps, or null where all are 0. */
  private long @Nullable [] chunks(ChunkChanges chunks, int count, long clock) {
    need((long) count * (1 + chunks.rank()));
    chunks.reserve(count);
    long[] before = null;
    int[] index = new int[chunks.rank()];
    for (int entry = 0; entry < count; entry++) {
      int flags = octet();
      if (flags > (ForkWriter.STATES | ForkWriter.HAS_BEFORE)) {
        throw damagedHere("an unknown state of a chunk");
      }
      for (int axis = 0; axis < index.length; axis++) {
        int step = (int) number(0xffff_ffffL, "a distance of chunks");
        index[axis] += (step >>> 1) ^ -(step & 1);
      }
      if ((flags & ForkWriter.HAS_BEFORE) != 0) {
        before = before == null ? new long[count] : before;
        before[entry] = fixed();
      }
      switch (ChunkChanges.State.of((byte) (flags & ForkWriter.STATES))) {
        case OBJECT -> {
          need(Long.BYTES + Integer.BYTES);
          chunks.putObject(
              index,
              in.getLong(),
              in.getInt(),
              Math.max(1, (int) number(Bytes.MAX_SIZE, "the bytes of a chunk")));
        }
        case INLINE -> {
          long number = number(clock, "the number of a write");
          chunks.putInline(index, bytes(), number);
        }
        case ERASED -> chunks.erase(index);
        case AS_BEFORE -> chunks.note(index);
      }
      if (chunks.size() != entry + 1) {
        throw damagedHere("a chunk that is told twice");
      }
    }
    return before;
  }

  // ---- values

  private void need(long bytes) {
    if (bytes > in.remaining()) {
      throw damagedHere(bytes + " bytes are told, and " + in.remaining() + " are left");
    }
  }

  private int octet() {
    need(1);
    return in.get() & 0xff;
  }

  private long fixed() {
    need(Long.BYTES);
    return in.getLong();
  }

  private long number(long most, String what) {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      long octet = octet();
      value |= (octet & 0x7f) << shift;
      if ((octet & 0x80) == 0) {
        if (value < 0 || value > most) {
          throw damagedHere(what + " that is " + Long.toUnsignedString(value));
        }
        return value;
      }
    }
    throw damagedHere("a number without an end");
  }

  /** The number of things, of which each takes at least a byte. */
  private int count() {
    long count = number(Integer.MAX_VALUE, "a count");
    need(count);
    return (int) count;
  }

  private Bytes bytes() {
    int size = count();
    byte[] bytes = new byte[size];
    in.get(bytes);
    return Bytes.wrap(bytes);
  }

  private String text() {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes().asByteBuffer()).toString();
    } catch (CharacterCodingException e) {
      throw damagedHere("a text that is not UTF-8");
    }
  }

  private String path() {
    String path = text();
    if (!path.startsWith("/")) {
      throw damagedHere("a path that does not begin with a slash");
    }
    documentOf(path);
    return path;
  }

  private StoreKey documentOf(String path) {
    try {
      return StoreKey.of(path.length() == 1 ? "zarr.json" : path.substring(1) + "/zarr.json");
    } catch (IllegalArgumentException e) {
      throw damagedHere("a path that no node has");
    }
  }

  private String id() {
    need(Long.BYTES + Integer.BYTES);
    return ObjectIds.text(in.getLong(), in.getInt());
  }
}
