package dev.zarrreactive.internal.write;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;
import org.jspecify.annotations.Nullable;

/** New elements of one chunk: all of them, or some. */
interface NewElements {
  /** Returns the index of the chunk in the chunk grid. */
  long[] chunkIndex();

  /** Returns true if every element of the chunk inside of {@code shape} is new. */
  boolean isWhole(Shape shape);

  /** Returns the decoded copies of the chunk that a write makes, beside these elements. */
  int copies();

  /** Returns the new elements among the old ones, or else among the fill value. */
  ElementMemory among(@Nullable Bytes old, ChunkCodec codec);

  /** Returns the inner chunks of a shard that have new elements. */
  ChunkPlan inner(ShardLayout layout);

  /** Returns true if every element of an inner chunk is new. */
  boolean isWhole(ChunkProjection inner);

  /** Returns the new elements of an inner chunk among its old ones, or among the fill value. */
  ElementMemory among(@Nullable Bytes old, ChunkProjection inner, ChunkCodec codec);

  /**
   * Elements that arrive in several parts, and are in memory of their own until they are stored.
   */
  interface Gathered extends NewElements {
    /** Returns the bytes that the elements take in memory. */
    long bytes();

    /**
     * Takes the elements of a part of the chunk.
     *
     * @param data of the selection that the part belongs to
     * @return true when no more can arrive for the chunk
     */
    boolean add(ChunkProjection part, NdArray data);
  }
}
