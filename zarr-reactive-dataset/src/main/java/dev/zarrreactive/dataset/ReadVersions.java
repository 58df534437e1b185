package dev.zarrreactive.dataset;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.chunkkey.ChunkKeyEncoding;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.StoreSnapshot;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The versions of what a read of an array reads, for HTTP: no chunk is fetched or decoded. */
public final class ReadVersions {
  /** The most chunks whose versions are asked for. */
  private static final int MOST = 256;

  private static final int CONCURRENCY = 8;
  private static final int BYTES = 16;
  private static final ByteRange NOTHING = new ByteRange.Slice(0, 0);

  private ReadVersions() {}

  /**
   * Emits the state of a selection of an array, as 32 hexadecimal digits: it changes with the
   * metadata of the array, and with each stored chunk or shard that the selection touches. In a
   * store that shows a {@linkplain StoreSnapshot snapshot} it is made of the snapshot, without a
   * request. In any other it asks for the version of each such chunk, a small request without a
   * body, eight at a time. Ask for it before the elements are read: elements may then be newer than
   * the state, and never older.
   *
   * <p>Empty where there is no such state: the store has no versions or reads no ranges, or more
   * than 256 chunks are touched. Thread and errors are those of the store; a cancel ends the
   * requests.
   *
   * @return an error if the selection does not fit the shape: {@link IllegalArgumentException}
   */
  public static Mono<String> state(ZarrArray array, Selection selection) {
    return Mono.defer(
        () -> {
          ResolvedSelection resolved = selection.resolve(array.shape());
          String read = array.path() + "\n" + array.metadata().document() + "\n" + resolved + "\n";
          StoreSnapshot snapshot = StoreSnapshot.of(array.store());
          if (snapshot != null) {
            return Mono.just(hash(read + snapshot.id()));
          }
          Set<StoreCapability> can = array.store().capabilities();
          List<StoreKey> keys =
              can.contains(StoreCapability.VERSIONS) && can.contains(StoreCapability.PARTIAL_READ)
                  ? keys(array, resolved)
                  : null;
          return keys == null
              ? Mono.empty()
              : Concurrently.mapInOrder(
                      Flux.fromIterable(keys), CONCURRENCY, key -> version(array, key))
                  .collectList()
                  .filter(versions -> !versions.contains(""))
                  .map(versions -> hash(read + String.join("\n", versions)));
        });
  }

  /**
   * Emits a strong ETag of a response that is made of a selection of an array: it changes with the
   * {@link #state}, and with {@code made}. Empty where there is no state.
   *
   * @param made how the response is made of the elements, such as its format and its colours
   * @return with quotes, as the header has it
   */
  public static Mono<String> tag(ZarrArray array, Selection selection, String made) {
    return state(array, selection).map(state -> "\"r-" + hash(state + "\n" + made) + "\"");
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

  /** Returns the keys of the chunks that a selection touches; null for too many. */
  private static @Nullable List<StoreKey> keys(ZarrArray array, ResolvedSelection selection) {
    ChunkKeyEncoding encoding = ChunkKeyEncoding.of(array.metadata().chunkKeyEncoding());
    List<StoreKey> keys = new ArrayList<>();
    for (ChunkProjection chunk : ChunkPlan.of(selection, array.chunkGrid())) {
      if (keys.size() == MOST) {
        return null;
      }
      keys.add(array.metadata().chunkKey(array.path(), encoding.encode(chunk.chunkIndex())));
    }
    return keys;
  }

  private static String hash(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] bytes = digest.digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(bytes, 0, BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every JVM has it
    }
  }
}
