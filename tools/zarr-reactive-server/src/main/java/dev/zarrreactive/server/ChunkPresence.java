package dev.zarrreactive.server;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.chunkkey.ChunkKeyEncoding;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.codec.CodecChain;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.codec.ShardIndex;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Tells which chunks around a selection are stored. Keys are listed below the longest prefix that
 * the chunks share. A few chunks, and those of a store that cannot list, are asked for one by one.
 * The index of a shard tells its inner chunks; of nested shards the outermost index alone is read.
 */
final class ChunkPresence {
  /** The most chunks in an answer. */
  static final int MOST = 10_000;

  /** The most keys that are listed for an answer. */
  static final int LISTED = 100_000;

  /** The most chunks that are asked for one by one where a listing could tell. */
  static final int FEW = 16;

  /** The most chunks that are asked for one by one where the store cannot list. */
  static final int ASKED = 256;

  /** The most shards whose indexes are read for an answer. */
  static final int INDEXES = 256;

  /** The most inner chunks of a shard whose index is read: 1 MiB. */
  private static final int INDEXED = 1 << 16;

  private static final int CONCURRENCY = 8;

  private final ZarrArray array;
  private final ResolvedSelection.Orthogonal selection;
  private final Store store;
  private final CodecChain chain;
  private final ChunkGrid grid;
  private final ChunkKeyEncoding keys;
  private final Box box;
  private final int size;

  private ChunkPresence(
      ZarrArray array, ResolvedSelection.Orthogonal selection, CodecRegistry codecs) {
    ArrayMetadata metadata = array.metadata();
    this.array = array;
    this.selection = selection;
    this.store = array.store();
    this.chain = CodecChain.of(metadata.codecs(), metadata.codecsSource(), codecs);
    this.grid = array.chunkGrid();
    this.keys = ChunkKeyEncoding.of(metadata.chunkKeyEncoding());
    this.box = Box.around(selection, (d, element) -> grid.dimension(d).chunkOf(element));
    this.size = box.size(MOST + 1);
  }

  /**
   * Emits the document about the chunks of the smallest box around a selection.
   *
   * @param codecs with which the array was opened
   */
  static Mono<JsonObject> document(
      ZarrArray array, ResolvedSelection selection, CodecRegistry codecs) {
    if (selection instanceof ResolvedSelection.Orthogonal orthogonal) {
      return new ChunkPresence(array, orthogonal, codecs).document();
    }
    throw new BadRequestException("chunks are told of a box, not of points");
  }

  private Mono<JsonObject> document() {
    JsonObject document = JsonObject.EMPTY.with("path", array.path().value());
    ShardLayout shards = layout(grid.largestChunkShape());
    return stored()
        .flatMap(
            stored -> {
              JsonObject outer = box.document(stored, size);
              return shards == null
                  ? Mono.just(document.with("chunks", outer))
                  : inner(stored, shards)
                      .map(chunks -> document.with("shards", outer).with("chunks", chunks))
                      .defaultIfEmpty(document.with("shards", outer));
            });
  }

  private @Nullable ShardLayout layout(Shape chunk) {
    ArrayMetadata metadata = array.metadata();
    return chain
        .bind(new ChunkRepresentation(chunk, metadata.dataType(), metadata.fillValue()))
        .shardLayout();
  }

  /** Emits the positions of the chunks in the box that are stored. */
  private Mono<BitSet> stored() {
    boolean canList = store.capabilities().contains(StoreCapability.LIST);
    if (size <= (canList ? FEW : ASKED)) {
      return Concurrently.map(
              Flux.range(0, size),
              CONCURRENCY,
              i -> array.chunkExists(box.index(i)).filter(is -> is).map(is -> i))
          .collect(BitSet::new, BitSet::set);
    } else if (size > MOST) {
      throw refused(413, "the selection has more than " + MOST + " chunks", MOST);
    } else if (!canList) {
      throw refused(501, "the store behind this server cannot list its keys", ASKED);
    }
    return listed();
  }

  private StoreKey key(long[] index) {
    return array.metadata().chunkKey(array.path(), keys.encode(index));
  }

  private static Problem.RefusedException refused(int status, String why, int most) {
    return new Problem.RefusedException(status, why + "; select at most " + most + " chunks");
  }

  private Mono<BitSet> listed() {
    Map<StoreKey, Integer> wanted = new HashMap<>();
    for (int i = 0; i < size; i++) {
      wanted.put(key(box.index(i)), i);
    }
    StorePrefix prefix = shared(wanted.keySet().stream().map(StoreKey::value).toList());
    return store
        .listPrefix(prefix)
        .index()
        .doOnNext(
            key -> {
              if (key.getT1() >= LISTED) {
                throw refused(413, "there are more than " + LISTED + " keys beside these", FEW);
              }
            })
        .mapNotNull(key -> wanted.get(key.getT2()))
        .collect(BitSet::new, BitSet::set);
  }

  /** Returns the longest prefix of all keys that ends with a slash. */
  private static StorePrefix shared(List<String> keys) {
    String shared = keys.get(0);
    for (String key : keys) {
      int end = 0;
      while (end < Math.min(shared.length(), key.length())
          && shared.charAt(end) == key.charAt(end)) {
        end++;
      }
      shared = shared.substring(0, end);
    }
    return StorePrefix.of(shared.substring(0, shared.lastIndexOf('/') + 1));
  }

  /** Emits the description of the inner chunks; empty where that costs too much. */
  private Mono<JsonObject> inner(BitSet shards, ShardLayout layout) {
    long[] edges = layout.innerGrid().largestChunkShape().toArray();
    Box inner = Box.around(selection, (d, element) -> element / edges[d]);
    int innerSize = inner.size(MOST + 1);
    if (innerSize > MOST
        || shards.cardinality() > INDEXES
        || layout.innerGrid().gridShape().elementCountUpTo(INDEXED + 1L) > INDEXED
        || !store.capabilities().contains(StoreCapability.PARTIAL_READ)) {
      return Mono.empty();
    }
    Map<Integer, List<Integer>> chunksOf =
        IntStream.range(0, innerSize)
            .boxed()
            .collect(Collectors.groupingBy(i -> box.position(shard(inner.index(i), edges))));
    return Concurrently.map(
            Flux.fromStream(shards.stream().boxed()),
            CONCURRENCY,
            shard ->
                index(box.index(shard))
                    .flatMapIterable(
                        index ->
                            chunksOf.getOrDefault(shard, List.of()).stream()
                                .filter(i -> index.find(within(inner.index(i), edges)) != null)
                                .toList()))
        .collect(BitSet::new, BitSet::set)
        .map(stored -> inner.document(stored, innerSize));
  }

  /** Returns the index of the shard of an inner chunk. */
  private long[] shard(long[] inner, long[] edges) {
    long[] shard = new long[inner.length];
    Arrays.setAll(shard, d -> grid.dimension(d).chunkOf(inner[d] * edges[d]));
    return shard;
  }

  /** Returns the index of an inner chunk in its shard. */
  private long[] within(long[] inner, long[] edges) {
    long[] start = grid.chunkStart(shard(inner, edges));
    long[] within = new long[inner.length];
    Arrays.setAll(within, d -> inner[d] - start[d] / edges[d]);
    return within;
  }

  /** Reads the index of a shard; empty if the shard has been erased meanwhile. */
  private Mono<ShardIndex> index(long[] shard) {
    StoreKey key = key(shard);
    ShardLayout layout = layout(grid.chunkShape(shard));
    return layout == null
        ? Mono.empty()
        : store
            .get(key, layout.indexRange())
            .map(layout::decodeIndex)
            .onErrorMap(
                ZarrException.class,
                e -> e.at(Location.ofNode(array.path().value()).chunk(shard).key(key.value())));
  }

  /** The smallest box of chunks around the elements of a selection. Immutable. */
  private static final class Box {
    private final long[] first;
    private final Shape counts;

    /** Finds the chunk of an element along a dimension. */
    interface ChunkOf {
      long at(int dimension, long element);
    }

    /** Returns the box of a grid around a selection. */
    static Box around(ResolvedSelection.Orthogonal selection, ChunkOf grid) {
      int rank = selection.axes().size();
      long[] first = new long[rank];
      long[] counts = new long[rank];
      for (int d = 0; d < rank; d++) {
        Axis axis = selection.axes().get(d);
        if (axis.count() > 0) {
          long[] ends = ends(axis);
          first[d] = grid.at(d, ends[0]);
          counts[d] = grid.at(d, ends[1]) - first[d] + 1;
        }
      }
      return new Box(first, Shape.of(counts));
    }

    private static long[] ends(Axis axis) {
      if (axis instanceof Axis.Range range) {
        return new long[] {range.start(), range.start() + (range.count() - 1) * range.step()};
      }
      long[] sorted = ((Axis.Indices) axis).toArray();
      Arrays.sort(sorted);
      return new long[] {sorted[0], sorted[sorted.length - 1]};
    }

    private Box(long[] first, Shape counts) {
      this.first = first;
      this.counts = counts;
    }

    /** Returns the number of chunks, or {@code most} if there are more. */
    int size(int most) {
      return (int) counts.elementCountUpTo(most);
    }

    /** Returns the index of a chunk by its position in C order. */
    long[] index(int position) {
      long[] index = new long[first.length];
      long rest = position;
      for (int d = index.length - 1; d >= 0; d--) {
        index[d] = first[d] + rest % counts.extent(d);
        rest /= counts.extent(d);
      }
      return index;
    }

    /** Returns the position of a chunk in C order; negative for one outside. */
    int position(long... index) {
      long position = 0;
      for (int d = 0; d < index.length; d++) {
        long at = index[d] - first[d];
        if (at < 0 || at >= counts.extent(d)) {
          return -1;
        }
        position = position * counts.extent(d) + at;
      }
      return (int) position;
    }

    /** Describes the box, with a digit for each chunk. */
    JsonObject document(BitSet stored, int size) {
      StringBuilder digits = new StringBuilder(size);
      for (int i = 0; i < size; i++) {
        digits.append(stored.get(i) ? '1' : '0');
      }
      return JsonObject.EMPTY
          .with("first", JsonArray.ofIntegers(first))
          .with("counts", JsonArray.ofIntegers(counts.toArray()))
          .with("stored", digits.toString());
    }
  }
}
