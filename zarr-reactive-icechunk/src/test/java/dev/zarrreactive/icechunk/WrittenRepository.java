package dev.zarrreactive.icechunk;

import static dev.zarrreactive.testing.Waiting.await;

import com.github.luben.zstd.Zstd;
import com.google.flatbuffers.FlatBufferBuilder;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A repository of version 2 with one commit, written by Google's FlatBuffers: what Python does not
 * write, and what nobody should.
 */
final class WrittenRepository {
  static final String ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  static final String SNAPSHOT = id(1);

  private final int snapshot;
  private final List<Node> nodes = new ArrayList<>();
  private final Store store = MemoryStore.create();
  private int manifests;
  private boolean hasList;
  private byte status;
  private @Nullable String reason;
  private int specVersion = 2;
  private int headerVersion = 2;
  private int parent = -1;
  private byte @Nullable [] config;

  WrittenRepository() {
    this(1);
  }

  /** A repository whose snapshot has an id of its own. */
  WrittenRepository(int snapshot) {
    this.snapshot = snapshot;
  }

  /** A node; {@code grid} is null for a group. */
  private record Node(
      String path, byte[] document, long id, int @Nullable [] grid, List<Manifest> manifests) {}

  private record Manifest(int number, int count, long bytes, int[] from, int[] to) {}

  /** A reference to a chunk. */
  record Ref(
      int[] index,
      byte @Nullable [] inline,
      int chunk,
      @Nullable String location,
      long offset,
      long length,
      @Nullable String etag) {
    static Ref inline(byte[] bytes, int... index) {
      return new Ref(index, bytes, 0, null, 0, 0, null);
    }

    static Ref chunk(int chunk, long offset, long length, int... index) {
      return new Ref(index, null, chunk, null, offset, length, null);
    }

    static Ref virtual(String location, long offset, long length, int... index) {
      return new Ref(index, null, 0, location, offset, length, null);
    }

    Ref with(String tag) {
      return new Ref(index, inline, chunk, location, offset, length, tag);
    }
  }

  /** The text of an id whose last byte is {@code number}, by the specification's rule. */
  static String id(int number) {
    StringBuilder bits = new StringBuilder();
    for (byte each : bytes12(number)) {
      bits.append(String.format("%8s", Integer.toBinaryString(each & 0xff)).replace(' ', '0'));
    }
    bits.append("0000");
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < bits.length(); i += 5) {
      text.append(ALPHABET.charAt(Integer.parseInt(bits.substring(i, i + 5), 2)));
    }
    return text.toString();
  }

  static byte[] bytes12(int number) {
    return ByteBuffer.allocate(12).putInt(8, number).array();
  }

  WrittenRepository group(String path, String document) {
    return group(path, utf8(document));
  }

  WrittenRepository group(String path, byte[] document) {
    nodes.add(new Node(path, document, nodes.size() + 1, null, List.of()));
    return this;
  }

  /** Adds an array with one manifest for each list of references, in their order. */
  @SafeVarargs
  final WrittenRepository array(String path, String document, int[] grid, List<Ref>... refs) {
    long id = nodes.size() + 1;
    List<Manifest> its = new ArrayList<>();
    for (List<Ref> each : refs) {
      int number = 100 * snapshot + manifests++;
      int[] from = new int[grid.length];
      int[] to = new int[grid.length];
      for (int axis = 0; axis < grid.length; axis++) {
        int at = axis;
        from[axis] = each.stream().mapToInt(ref -> ref.index()[at]).min().orElse(0);
        to[axis] = each.stream().mapToInt(ref -> ref.index()[at]).max().orElse(-1) + 1;
      }
      byte[] file = file(2, manifest(bytes12(number), id, each, null));
      its.add(new Manifest(number, each.size(), file.length, from, to));
      put("manifests/" + id(number), file);
    }
    nodes.add(new Node(path, utf8(document), id, grid, its));
    return this;
  }

  /** Adds an array with one manifest of many references to chunk 7, to be searched. */
  WrittenRepository largeArray(String path, String document, int count, IntUnaryOperator length) {
    long id = nodes.size() + 1;
    int number = 100 * snapshot + manifests++;
    FlatBufferBuilder builder = new FlatBufferBuilder(96 * count);
    int[] refs = new int[count];
    for (int i = 0; i < count; i++) {
      refs[i] = ref(builder, Ref.chunk(7, 8L * i, length.applyAsInt(i), i / 1000, i % 1000), null);
    }
    byte[] file = file(2, manifest(builder, bytes12(number), id, refs, null));
    put("manifests/" + id(number), file);
    nodes.add(
        new Node(
            path,
            utf8(document),
            id,
            new int[] {count / 1000, 1000},
            List.of(
                new Manifest(
                    number,
                    count,
                    file.length,
                    new int[] {0, 0},
                    new int[] {count / 1000, 1000}))));
    return this;
  }

  /** Lets the snapshot have a list of its manifests, as Python writes it. */
  WrittenRepository listed() {
    hasList = true;
    return this;
  }

  WrittenRepository status(int availability, @Nullable String why) {
    status = (byte) availability;
    reason = why;
    return this;
  }

  WrittenRepository specVersion(int inHeader, int inRepo) {
    headerVersion = inHeader;
    specVersion = inRepo;
    return this;
  }

  WrittenRepository parent(int place) {
    parent = place;
    return this;
  }

  WrittenRepository config(byte[] flexBuffer) {
    config = flexBuffer;
    return this;
  }

  WrittenRepository object(int chunk, byte[] bytes) {
    return put("chunks/" + id(chunk), bytes);
  }

  WrittenRepository put(String key, byte[] bytes) {
    store.set(StoreKey.of(key), Bytes.wrap(bytes)).block();
    return this;
  }

  /** The chunks of an array that a log tells of, by their indices. */
  record Updated(long node, int[]... chunks) {}

  /**
   * Adds the log of the commit.
   *
   * @param nodes the ids of new groups, new arrays, deleted groups, deleted arrays, updated arrays
   *     and updated groups
   * @param moves old and new paths in turns
   */
  WrittenRepository log(long[][] nodes, List<Updated> updates, List<String> moves) {
    return put("transactions/" + id(snapshot), file(4, log(snapshot, nodes, updates, moves)));
  }

  private static byte[] log(
      int snapshot, long[][] nodes, List<Updated> updates, List<String> moves) {
    FlatBufferBuilder builder = new FlatBufferBuilder();
    int[] lists = new int[nodes.length];
    for (int list = 0; list < nodes.length; list++) {
      builder.startVector(8, nodes[list].length, 1);
      for (int i = nodes[list].length - 1; i >= 0; i--) {
        id8(builder, nodes[list][i]);
      }
      lists[list] = builder.endVector();
    }
    int updated =
        vector(builder, updates.stream().mapToInt(each -> updated(builder, each)).toArray());
    int[] moved = new int[moves.size() / 2];
    for (int i = 0; i < moved.length; i++) {
      int from = builder.createString(moves.get(2 * i));
      int to = builder.createString(moves.get(2 * i + 1));
      builder.startTable(4);
      builder.addOffset(0, from, 0);
      builder.addOffset(1, to, 0);
      moved[i] = builder.endTable();
    }
    int allMoved = vector(builder, moved);
    builder.startTable(10);
    builder.addStruct(0, id12(builder, bytes12(snapshot)), 0);
    for (int list = 0; list < lists.length; list++) {
      builder.addOffset(list + 1, lists[list], 0);
    }
    builder.addOffset(7, updated, 0);
    builder.addOffset(8, allMoved, 0);
    return finish(builder);
  }

  private static int updated(FlatBufferBuilder builder, Updated update) {
    int[] chunks = new int[update.chunks().length];
    for (int i = 0; i < chunks.length; i++) {
      int coordinates = indices(builder, update.chunks()[i]);
      builder.startTable(1);
      builder.addOffset(0, coordinates, 0);
      chunks[i] = builder.endTable();
    }
    int all = vector(builder, chunks);
    builder.startTable(2);
    builder.addStruct(0, id8(builder, update.node()), 0);
    builder.addOffset(1, all, 0);
    return builder.endTable();
  }

  private static int indices(FlatBufferBuilder builder, int[] index) {
    builder.startVector(4, index.length, 4);
    for (int axis = index.length - 1; axis >= 0; axis--) {
      builder.addInt(index[axis]);
    }
    return builder.endVector();
  }

  /** The store with all files. */
  Store store() {
    nodes.sort(
        Comparator.comparing(
            node -> utf8(node.path()), (one, other) -> Arrays.compareUnsigned(one, other)));
    put("snapshots/" + id(snapshot), file(1, snapshot()));
    byte[] repo = file(6, repo());
    repo[36] = (byte) headerVersion;
    put("repo", repo);
    return store;
  }

  /** A repository of version 1 whose branch main has a history of this length. */
  static Store oldHistory(int length) {
    Store store = MemoryStore.create();
    for (int number = 1; number <= length; number++) {
      byte[] file = file(1, oldSnapshot(number));
      file[36] = 1;
      await(store.set(StoreKey.of("snapshots/" + id(number)), Bytes.wrap(file)));
    }
    await(
        store.set(
            StoreKey.of("refs/branch.main/ref.json"),
            Bytes.utf8("{\"snapshot\":\"" + id(length) + "\"}")));
    return store;
  }

  private static byte[] oldSnapshot(int number) {
    FlatBufferBuilder builder = new FlatBufferBuilder();
    int none = vector(builder);
    int message = builder.createString("commit " + number);
    builder.startTable(9);
    builder.addStruct(0, id12(builder, bytes12(number)), 0);
    if (number > 1) {
      builder.addStruct(1, id12(builder, bytes12(number - 1)), 0);
    }
    builder.addOffset(2, none, 0);
    builder.addLong(3, 1_700_000_000_000_000L + number, 0);
    builder.addOffset(4, message, 0);
    builder.addOffset(5, none, 0);
    builder.addOffset(6, none, 0);
    return finish(builder);
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static byte[] file(int type, byte[] payload) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(utf8("ICE🧊CHUNK"));
    out.writeBytes(Arrays.copyOf(utf8("a test                  "), 24));
    out.write(2);
    out.write(type);
    out.write(1);
    out.writeBytes(Zstd.compress(payload, 3));
    return out.toByteArray();
  }

  private byte[] repo() {
    FlatBufferBuilder builder = new FlatBufferBuilder();
    int main = builder.createString("main");
    builder.startTable(2);
    builder.addOffset(0, main, 0);
    builder.addInt(1, 0, 0);
    int branches = vector(builder, builder.endTable());
    int message = builder.createString("a commit");
    builder.startTable(6);
    builder.addStruct(0, id12(builder, bytes12(snapshot)), 0);
    builder.addInt(1, parent, 0);
    builder.addLong(2, 1_700_000_000_000_000L, 0);
    builder.addOffset(3, message, 0);
    int snapshots = vector(builder, builder.endTable());
    int why = reason == null ? 0 : builder.createString(reason);
    builder.startTable(3);
    builder.addByte(0, status, 0);
    builder.addLong(1, 1_700_000_000_000_000L, 0);
    builder.addOffset(2, why, 0);
    int itsStatus = builder.endTable();
    int none = vector(builder);
    int itsConfig = config == null ? 0 : builder.createByteVector(config);
    builder.startTable(13);
    builder.addByte(0, (byte) specVersion, 0);
    builder.addOffset(1, none, 0);
    builder.addOffset(2, branches, 0);
    builder.addOffset(3, none, 0);
    builder.addOffset(4, snapshots, 0);
    builder.addOffset(5, itsStatus, 0);
    builder.addOffset(7, none, 0);
    builder.addOffset(9, itsConfig, 0);
    return finish(builder);
  }

  private byte[] snapshot() {
    FlatBufferBuilder builder = new FlatBufferBuilder();
    int[] tables = new int[nodes.size()];
    for (int i = 0; i < tables.length; i++) {
      tables[i] = node(builder, nodes.get(i));
    }
    int all = vector(builder, tables);
    int none = vector(builder);
    int list = hasList ? list(builder) : 0;
    int message = builder.createString("a commit");
    builder.startTable(9);
    builder.addStruct(0, id12(builder, bytes12(snapshot)), 0);
    builder.addOffset(2, all, 0);
    builder.addLong(3, 1_700_000_000_000_000L, 0);
    builder.addOffset(4, message, 0);
    builder.addOffset(5, none, 0);
    builder.addOffset(6, none, 0);
    builder.addOffset(7, list, 0);
    return finish(builder);
  }

  private int list(FlatBufferBuilder builder) {
    int[] infos =
        nodes.stream()
            .flatMap(node -> node.manifests().stream())
            .sorted(Comparator.comparingInt(Manifest::number))
            .mapToInt(
                manifest -> {
                  builder.startTable(4);
                  builder.addStruct(0, id12(builder, bytes12(manifest.number())), 0);
                  builder.addLong(1, manifest.bytes(), 0);
                  builder.addInt(2, manifest.count(), 0);
                  return builder.endTable();
                })
            .toArray();
    return vector(builder, infos);
  }

  private static int node(FlatBufferBuilder builder, Node node) {
    int data;
    if (node.grid() == null) {
      builder.startTable(0);
      data = builder.endTable();
    } else {
      data = array(builder, node.grid(), node.manifests());
    }
    int path = builder.createString(node.path());
    int document = builder.createByteVector(node.document());
    builder.startTable(6);
    builder.addStruct(0, id8(builder, node.id()), 0);
    builder.addOffset(1, path, 0);
    builder.addOffset(2, document, 0);
    builder.addByte(3, (byte) (node.grid() == null ? 2 : 1), 0);
    builder.addOffset(4, data, 0);
    return builder.endTable();
  }

  private static int array(FlatBufferBuilder builder, int[] grid, List<Manifest> manifests) {
    int[] axes = new int[grid.length];
    for (int axis = 0; axis < grid.length; axis++) {
      builder.startTable(2);
      builder.addLong(0, 10L * grid[axis], 0);
      builder.addInt(1, grid[axis], 0);
      axes[axis] = builder.endTable();
    }
    int shape = vector(builder, axes);
    int[] refs = new int[manifests.size()];
    for (int i = 0; i < refs.length; i++) {
      Manifest manifest = manifests.get(i);
      builder.startVector(8, manifest.from().length, 4);
      for (int axis = manifest.from().length - 1; axis >= 0; axis--) {
        builder.prep(4, 8);
        builder.putInt(manifest.to()[axis]);
        builder.putInt(manifest.from()[axis]);
      }
      int extents = builder.endVector();
      builder.startTable(2);
      builder.addStruct(0, id12(builder, bytes12(manifest.number())), 0);
      builder.addOffset(1, extents, 0);
      refs[i] = builder.endTable();
    }
    int its = vector(builder, refs);
    int none = vector(builder);
    builder.startTable(4);
    builder.addOffset(0, none, 0);
    builder.addOffset(2, its, 0);
    builder.addOffset(3, shape, 0);
    return builder.endTable();
  }

  /** A manifest of one array; with a dictionary locations are compressed. */
  static byte[] manifest(byte[] id, long node, List<Ref> refs, byte @Nullable [] dictionary) {
    FlatBufferBuilder builder = new FlatBufferBuilder();
    int[] tables = new int[refs.size()];
    for (int i = 0; i < tables.length; i++) {
      tables[i] = ref(builder, refs.get(i), dictionary);
    }
    return manifest(builder, id, node, tables, dictionary);
  }

  private static byte[] manifest(
      FlatBufferBuilder builder, byte[] id, long node, int[] refs, byte @Nullable [] dictionary) {
    int all = vector(builder, refs);
    builder.startTable(3);
    builder.addStruct(0, id8(builder, node), 0);
    builder.addOffset(1, all, 0);
    int arrays = vector(builder, builder.endTable());
    int its = dictionary == null ? 0 : builder.createByteVector(dictionary);
    builder.startTable(5);
    builder.addStruct(0, id12(builder, id), 0);
    builder.addOffset(1, arrays, 0);
    builder.addOffset(2, its, 0);
    return finish(builder);
  }

  private static int ref(FlatBufferBuilder builder, Ref ref, byte @Nullable [] dictionary) {
    int index = indices(builder, ref.index());
    int inline = ref.inline() == null ? 0 : builder.createByteVector(ref.inline());
    boolean isPlain = ref.location() != null && dictionary == null;
    int location = isPlain ? builder.createString(ref.location()) : 0;
    int compressed =
        ref.location() != null && dictionary != null
            ? builder.createByteVector(Zstd.compressUsingDict(utf8(ref.location()), dictionary, 3))
            : 0;
    int etag = ref.etag() == null ? 0 : builder.createString(ref.etag());
    builder.startTable(10);
    builder.addOffset(0, index, 0);
    builder.addOffset(1, inline, 0);
    builder.addLong(2, ref.offset(), 0);
    builder.addLong(3, ref.length(), 0);
    if (ref.chunk() > 0) {
      builder.addStruct(4, id12(builder, bytes12(ref.chunk())), 0);
    }
    builder.addOffset(5, location, 0);
    builder.addOffset(6, etag, 0);
    builder.addOffset(8, compressed, 0);
    return builder.endTable();
  }

  private static int vector(FlatBufferBuilder builder, int... tables) {
    builder.startVector(4, tables.length, 4);
    for (int i = tables.length - 1; i >= 0; i--) {
      builder.addOffset(tables[i]);
    }
    return builder.endVector();
  }

  private static int id12(FlatBufferBuilder builder, byte[] id) {
    builder.prep(1, id.length);
    for (int i = id.length - 1; i >= 0; i--) {
      builder.putByte(id[i]);
    }
    return builder.offset();
  }

  private static int id8(FlatBufferBuilder builder, long id) {
    return id12(builder, ByteBuffer.allocate(8).putLong(id).array());
  }

  private static byte[] finish(FlatBufferBuilder builder) {
    builder.finish(builder.endTable(), "Ichk");
    return builder.sizedByteArray();
  }
}
