package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.store.ByteRange;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A shard whose inner chunks are read by their ranges, or are all missing. What is wanted is
 * divided into windows in the order of the plan, when the first chunk of each is read.
 */
final class RangedShard implements ShardContents {
  /** The most chunks of a window. */
  private static final int MOST_CHUNKS = 4096;

  private final Reading reading;
  private final ShardLayout layout;
  private final @Nullable OpenShard open;
  private final Turn turn;
  private final @Nullable HeldBytes held;
  private final NavigableMap<Long, ShardWindow> windows = new TreeMap<>();
  private final Iterator<ChunkProjection> rest;
  private long planned;
  private @Nullable ChunkProjection next;
  private final @Nullable NestedIndexes nested;

  /**
   * A shard.
   *
   * @param open the shard; null where it is missing
   * @param turn the turn of leasing bytes, which has begun
   * @param held the lease of all that is wanted of it; null where each window is to lease its own
   */
  RangedShard(
      Reading reading,
      WantedChunk shard,
      ShardLayout layout,
      @Nullable OpenShard open,
      Turn turn,
      @Nullable HeldBytes held) {
    this.reading = reading;
    this.held = held;
    this.layout = layout;
    this.open = open;
    this.turn = turn;
    boolean holdsShards = layout.innerCodec().shardLayout() != null;
    ChunkPlan plan = shard.innerChunks(layout);
    this.rest = plan.iterator();
    this.nested = holdsShards && open != null ? new NestedIndexes(reading, open, plan) : null;
    advance();
    if (holdsShards || next == null) {
      turn.end(); // the turns of the shards inside are their own
    }
  }

  private void advance() {
    next = rest.hasNext() ? rest.next() : null;
  }

  @Override
  public Place shard(long number, ChunkProjection inner) {
    OpenShard shard = open;
    ByteRange.Slice place = shard == null ? null : shard.find(inner);
    if (shard == null || place == null) {
      return Place.MISSING;
    }
    NestedIndexes indexes = Objects.requireNonNull(nested);
    return new Place(
        new ByteSource.Part(shard.source(), place), null, shard, indexes.index(number));
  }

  @Override
  public ChunkBytes chunk(long number, ChunkProjection inner) {
    ChunkBytes chunk;
    boolean last;
    synchronized (this) {
      boolean before = next == null;
      while (planned <= number && next != null) {
        plan();
      }
      Map.Entry<Long, ShardWindow> window = Objects.requireNonNull(windows.floorEntry(number));
      chunk = window.getValue().chunk((int) (number - window.getKey()));
      if (window.getValue().isTaken()) {
        windows.remove(window.getKey());
      }
      last = next == null && !before;
    }
    if (last) {
      turn.end();
    }
    return chunk;
  }

  /** The next window: what an eighth of the budget holds, or one chunk. */
  private void plan() {
    long most = reading.mostBytes() / 8;
    long decoded = reading.isStreamed() ? layout.innerCodec().representation().byteSize() : 0;
    List<ChunkProjection> inner = new ArrayList<>();
    List<ByteRange.@Nullable Slice> places = new ArrayList<>();
    long bytes = 0;
    while (next != null && inner.size() < MOST_CHUNKS) {
      ByteRange.Slice place = open == null ? null : open.find(next);
      long length = HeldBytes.sum(decoded, place == null ? 0 : place.length());
      if (!inner.isEmpty() && length > most - bytes) {
        break;
      }
      inner.add(next);
      places.add(place);
      bytes = HeldBytes.sum(bytes, length);
      advance();
    }
    windows.put(planned, new ShardWindow(reading, layout, open, inner, places, most / 2, held));
    planned += inner.size();
  }
}
