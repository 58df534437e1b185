package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.store.ByteRange;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Divides what is wanted of one shard into windows, one by one as they are asked for. */
final class ShardWindows implements Iterator<ShardWindow> {
  /** The most chunks of a window. */
  private static final int MOST_CHUNKS = 4096;

  private final ShardOpener opener;
  private final OpenShard shard;
  private final Iterator<ChunkProjection> rest;
  private @Nullable ChunkProjection next;

  ShardWindows(ShardOpener opener, OpenShard shard, ChunkPlan plan) {
    this.opener = opener;
    this.shard = shard;
    this.rest = plan.iterator();
    advance();
  }

  private void advance() {
    next = rest.hasNext() ? rest.next() : null;
  }

  @Override
  public boolean hasNext() {
    return next != null;
  }

  @Override
  public ShardWindow next() {
    if (next == null) {
      throw new NoSuchElementException();
    }
    List<ChunkProjection> inner = new ArrayList<>();
    List<ByteRange.@Nullable Slice> places = new ArrayList<>();
    long bytes = 0;
    while (next != null && inner.size() < MOST_CHUNKS) {
      ByteRange.Slice place = shard.find(next);
      long length = place == null ? 0 : place.length();
      if (!inner.isEmpty() && length > opener.windowBytes() - bytes) {
        break;
      }
      inner.add(next);
      places.add(place);
      bytes += length;
      advance();
    }
    return opener.window(shard, inner, places, bytes);
  }
}
