package dev.zarrreactive.cli.describe;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.cli.console.Quantities;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.metadata.ShardingMetadata;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * How an array is divided.
 *
 * @param outer the shape of the longest chunk, which is a shard if there are inner chunks
 * @param inner the shapes of the chunks in a shard, from the outside in where shards nest; empty
 *     without shards
 */
public record ChunkLayout(Shape outer, List<Shape> inner) {
  /** Returns the layout of {@code array}. */
  public static ChunkLayout of(ZarrArray array) {
    List<Shape> inner = new ArrayList<>();
    addShards(array.metadata().codecs(), inner);
    return new ChunkLayout(array.chunkGrid().largestChunkShape(), List.copyOf(inner));
  }

  private static void addShards(List<NamedConfiguration> codecs, List<Shape> inner) {
    for (NamedConfiguration codec : codecs) {
      if (codec.name().equals(ShardingMetadata.NAME)) {
        ShardingMetadata sharding = new ShardingMetadata(codec);
        inner.add(sharding.innerShape());
        addShards(sharding.innerCodecs(), inner);
      }
    }
  }

  /** Returns true if the chunks of the grid are shards. */
  public boolean isSharded() {
    return !inner.isEmpty();
  }

  /** Returns the shape of the chunks that are decoded one by one. */
  public Shape innermost() {
    return isSharded() ? inner.get(inner.size() - 1) : outer;
  }

  /** Returns the noun of a chunk of the grid. */
  public String noun() {
    return isSharded() ? "shard" : "chunk";
  }

  /** Returns the layout of a shard in words, such as {@code 36 chunks of [60, 60]}. */
  String inShard() {
    StringBuilder text = new StringBuilder();
    Shape whole = outer;
    for (int level = 0; level < inner.size(); level++) {
      Shape part = inner.get(level);
      String noun = level == inner.size() - 1 ? "chunk" : "shard";
      text.append(level == 0 ? "" : ", each of ");
      text.append(Quantities.plural(count(whole, part), noun)).append(" of ").append(part);
      whole = part;
    }
    return text.toString();
  }

  private static BigInteger count(Shape whole, Shape part) {
    long[] counts = new long[whole.rank()];
    for (int d = 0; d < counts.length; d++) {
      counts[d] = -Math.floorDiv(-whole.extent(d), Math.max(1, part.extent(d)));
    }
    return Shape.of(counts).elementCount();
  }

  /** Returns the layout in few words, such as {@code [60, 60] in shards of [360, 360]}. */
  @Override
  public String toString() {
    return innermost() + (isSharded() ? " in shards of " + outer : "");
  }
}
