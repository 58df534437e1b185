package dev.zarrreactive.internal.read;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.codec.ShardIndex;
import dev.zarrreactive.internal.context.ShardIndexEntry;
import dev.zarrreactive.internal.context.ShardLevels;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.planning.ChunkPlan;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * The decision to fetch a shard whole, in one request. The operation must read nearly all of it,
 * its size must be within the bound of its inner chunks, and its encoded and decoded bytes must fit
 * into half of the budget.
 */
final class WholeShard {
  private static final double NEARLY_ALL = 0.9;

  private final ReadOperation operation;
  private final ShardLevels levels;
  private final long pieces;
  private final long encoded;

  private WholeShard(ReadOperation operation, ShardLevels levels, long pieces, long encoded) {
    this.operation = operation;
    this.levels = levels;
    this.pieces = pieces;
    this.encoded = encoded;
  }

  /**
   * Returns the decision; null if the shard is read by ranges.
   *
   * @param known its index if it is cached
   */
  static @Nullable WholeShard of(
      ReadOperation operation,
      ChunkRequest chunk,
      ShardLevels levels,
      @Nullable ShardIndexEntry known) {
    ChunkPlan plan = chunk.innerChunks();
    ShardIndex index = known == null ? null : known.index();
    if (!chunk.isWantedWhole() && !wantsNearlyAll(plan, levels, index)) {
      return null;
    }
    long encoded =
        index == null
            ? ByteBudget.expected(chunk.codec().representation().byteSize())
            : Math.max(index.end(), 0);
    long most = operation.budget().total() / 2;
    if (encoded > most || (index != null && encoded > chunk.codec().maxStoredBytes())) {
      return null;
    }
    WholeShard whole = new WholeShard(operation, levels, plan.size(), encoded);
    long decoded = ByteBudget.product(operation.decodedAtOnce(whole.pieces), whole.decodedEach());
    return decoded <= most - encoded ? whole : null;
  }

  private static boolean wantsNearlyAll(
      ChunkPlan plan, ShardLevels levels, @Nullable ShardIndex index) {
    if (index == null || levels.layouts().size() > 1) {
      double all = levels.grid().gridShape().elementCount().doubleValue();
      return plan.size() >= NEARLY_ALL * all;
    }
    return plan.size() > 1 && wantedBytes(plan, index) >= NEARLY_ALL * index.end();
  }

  private static double wantedBytes(ChunkPlan plan, ShardIndex index) {
    long[] bytes = new long[1];
    plan.forEachIndex(
        inner -> {
          ByteRange.Slice place = index.find(inner);
          bytes[0] = place == null ? bytes[0] : ByteBudget.sum(bytes[0], place.length());
        });
    return bytes[0];
  }

  /** Returns the lease for a shard whose bytes were fetched with its index. */
  static ByteLease lease(
      ReadOperation operation, ChunkRequest chunk, ShardLevels levels, long fetched) {
    return new WholeShard(operation, levels, chunk.innerChunks().size(), fetched).lease();
  }

  private ByteLease lease() {
    return operation.lease(encoded, pieces, decodedEach(), 1);
  }

  /** Returns the number of decoded bytes that are leased for each piece. */
  long decodedEach() {
    return operation.held(levels.unit().representation().byteSize());
  }

  /** Returns the fetch. The store refuses a shard that is much larger than expected. */
  Fetch fetch(OpenShard shard, Iterator<Piece> all) {
    return Fetch.ofShard(shard, encoded, all, lease());
  }
}
