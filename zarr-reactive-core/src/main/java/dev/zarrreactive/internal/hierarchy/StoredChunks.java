package dev.zarrreactive.internal.hierarchy;

import dev.zarrreactive.chunkgrid.ChunkEdges;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.chunkkey.ChunkKeyEncoding;
import dev.zarrreactive.internal.planning.ArrayPart;
import dev.zarrreactive.internal.planning.SaturatingSize;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * The chunks of an array that are stored, as a listing names them. A listing costs one request for
 * many keys; asking for each chunk of a sparse array costs one for each that is missing.
 */
public final class StoredChunks {
  /** The most chunks of a grid that are asked for without a listing. */
  private static final int FEW = 16;

  private final NodePath path;
  private final ArrayMetadata metadata;
  private final ChunkGrid grid;
  private final ArrayPart part;
  private final Store requests;

  /**
   * Creates the stored chunks of a part of an array.
   *
   * @param requests the store of the array, within the limits of its hierarchy
   */
  public StoredChunks(
      NodePath path, ArrayMetadata metadata, ChunkGrid grid, ArrayPart part, Store requests) {
    this.path = path;
    this.metadata = metadata;
    this.grid = grid;
    this.part = part;
    this.requests = requests;
  }

  /** A stored chunk, and the box of its elements in the part. */
  public static final class Stored {
    private final long[] index;
    private final long[] start;
    private final long[] end;
    private final long size;

    private Stored(long[] index, long[][] box, long size) {
      this.index = index;
      this.start = box[0];
      this.end = box[1];
      this.size = size;
    }

    /** Returns the index in the chunk grid; not a copy. */
    public long[] index() {
      return index;
    }

    /** Returns the first index of the box in each dimension; not a copy. */
    public long[] start() {
      return start;
    }

    /** Returns the index behind the last one; not a copy. */
    public long[] end() {
      return end;
    }

    /** Returns the size of the stored value, negative if the listing does not tell it. */
    public long size() {
      return size;
    }
  }

  /** Returns whether the keys of the chunks can be listed. */
  public boolean areListed() {
    return requests.capabilities().contains(StoreCapability.LIST)
        && metadata.draft() == null
        && part.isSpaced();
  }

  /** Returns whether a listing may cost less than asking for each chunk. */
  public boolean areManyPossible() {
    return SaturatingSize.count(grid.gridShape()) > FEW;
  }

  /** Lists the chunks with elements of the part. */
  public Flux<Stored> list() {
    String prefix = path.prefix().value();
    ChunkKeyEncoding keys = ChunkKeyEncoding.of(metadata.chunkKeyEncoding());
    int rank = metadata.shape().rank();
    return requests
        .listValues(path.prefix())
        .handle(
            (entry, sink) -> {
              long[] index = keys.decode(entry.key().value().substring(prefix.length()), rank);
              Stored stored = index == null ? null : stored(entry, index);
              if (stored != null) {
                sink.next(stored);
              }
            });
  }

  /**
   * Returns the chunk; null for one outside of the grid, or without elements of the part. A chunk
   * of the grid behind the end of the array has none, and is copied with the whole array.
   */
  private @Nullable Stored stored(ListEntry.Key entry, long[] index) {
    long[] start = new long[index.length];
    long[] end = new long[index.length];
    for (int d = 0; d < index.length; d++) {
      ChunkEdges edges = grid.dimension(d);
      if (index[d] >= edges.count()) {
        return null;
      }
      start[d] = edges.start(index[d]);
      end[d] = Math.min(metadata.shape().extent(d), start[d] + edges.length(index[d]));
    }
    long[][] box = part.box(start, end);
    if (box == null) {
      return part.isWhole() ? new Stored(index, new long[][] {start, start}, entry.size()) : null;
    }
    return new Stored(index, box, entry.size());
  }
}
