package dev.zarrreactive.dataset;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.chunkgrid.ChunkEdges;
import dev.zarrreactive.chunkkey.ChunkKeyEncoding;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.StoreCapability;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The versions of what a read of an array reads, for HTTP: no chunk is fetched or decoded. */
public final class ReadVersions {
  /** The most chunks whose versions are asked for. */
  private static final int MOST = 256;

  /** The most elements along a dimension whose chunks are looked up. */
  private static final int MOST_ELEMENTS = 1 << 20;

  private static final int CONCURRENCY = 8;
  private static final ByteRange NOTHING = new ByteRange.Slice(0, 0);

  private ReadVersions() {}

  /**
   * Emits a strong ETag of a selection of an array: it changes with the metadata of the array, with
   * each stored chunk or shard that the selection touches, and with {@code made}. Asks for the
   * version of each such chunk, a small request without a body, eight at a time. Ask for it before
   * the elements are read: elements may then be newer than the tag, and never older.
   *
   * <p>Empty where there is no such tag: the store has no versions or reads no ranges, more than
   * 256 chunks are touched, or the selection is one of points. Thread and errors are those of the
   * store; a cancel ends the requests.
   *
   * @param made how the response is made of the elements, such as its format and its colours
   * @return with quotes, as the header has it
   * @throws IllegalArgumentException if the selection does not fit the shape
   */
  public static Mono<String> tag(ZarrArray array, Selection selection, String made) {
    ResolvedSelection resolved = selection.resolve(array.shape());
    Set<StoreCapability> can = array.store().capabilities();
    List<StoreKey> keys =
        can.contains(StoreCapability.VERSIONS) && can.contains(StoreCapability.PARTIAL_READ)
            ? keys(array, resolved)
            : null;
    return keys == null
        ? Mono.empty()
        : Concurrently.mapInOrder(Flux.fromIterable(keys), CONCURRENCY, key -> version(array, key))
            .collectList()
            .filter(versions -> !versions.contains(""))
            .map(
                versions ->
                    tag(
                        array.path()
                            + "\n"
                            + array.metadata().document()
                            + "\n"
                            + resolved
                            + "\n"
                            + made
                            + "\n"
                            + String.join("\n", versions)));
  }

  /**
   * Emits the version of a value: one that says that it is missing, and none for an unknown one.
   */
  private static Mono<String> version(ZarrArray array, StoreKey key) {
    return array
        .store()
        .getVersioned(key, NOTHING, ReadCondition.ALWAYS)
        .map(read -> read.version() == null ? "" : "version " + read.version().tag())
        .defaultIfEmpty("missing");
  }

  /** Returns the keys of the chunks that a selection touches; null for too many, and for points. */
  private static @Nullable List<StoreKey> keys(ZarrArray array, ResolvedSelection selection) {
    if (!(selection instanceof ResolvedSelection.Orthogonal orthogonal)) {
      return null;
    }
    ChunkKeyEncoding encoding = ChunkKeyEncoding.of(array.metadata().chunkKeyEncoding());
    List<long[]> indices = new ArrayList<>();
    indices.add(new long[array.shape().rank()]);
    for (int d = 0; d < array.shape().rank(); d++) {
      Axis axis = orthogonal.axes().get(d);
      if (axis.count() > MOST_ELEMENTS) {
        return null;
      }
      List<long[]> more = new ArrayList<>();
      for (long chunk : chunks(axis, array.chunkGrid().dimension(d))) {
        for (long[] index : indices) {
          long[] next = index.clone();
          next[d] = chunk;
          more.add(next);
        }
      }
      if (more.size() > MOST) {
        return null;
      }
      indices = more;
    }
    return indices.stream()
        .map(index -> array.metadata().chunkKey(array.path(), encoding.encode(index)))
        .toList();
  }

  private static Set<Long> chunks(Axis axis, ChunkEdges grid) {
    Set<Long> chunks = new TreeSet<>();
    if (axis instanceof Axis.Range range) {
      for (long i = 0; i < range.count(); i++) {
        chunks.add(grid.chunkOf(range.start() + i * range.step()));
      }
    } else {
      for (long element : ((Axis.Indices) axis).toArray()) {
        chunks.add(grid.chunkOf(element));
      }
    }
    return chunks;
  }

  private static String tag(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] bytes = digest.digest(text.getBytes(StandardCharsets.UTF_8));
      return "\"r-" + HexFormat.of().formatHex(bytes, 0, 16) + "\"";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every JVM has it
    }
  }
}
