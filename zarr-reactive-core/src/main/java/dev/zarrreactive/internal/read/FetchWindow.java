package dev.zarrreactive.internal.read;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.internal.link.Connections;
import dev.zarrreactive.internal.link.MergedRanges;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Successive pieces of a shard that share one lease. Ranges that are close to each other are
 * coalesced into one fetch. Pieces that are missing or in memory become a fetch without a request.
 */
final class FetchWindow {
  private final ReadOperation operation;
  private final OpenShard shard;
  private final ShardSnapshot snapshot;
  private final Connections connections;
  private final List<Piece> pieces;

  FetchWindow(
      ReadOperation operation,
      OpenShard shard,
      ShardSnapshot snapshot,
      Connections connections,
      List<Piece> pieces) {
    this.operation = operation;
    this.shard = shard;
    this.snapshot = snapshot;
    this.connections = connections;
    this.pieces = pieces;
  }

  /** Adds the fetches, in the order of their first pieces. */
  void addTo(List<Fetch> fetches, @Nullable ByteLease held) {
    List<Piece> stored = new ArrayList<>();
    List<Piece> others = new ArrayList<>();
    List<ByteRange.Slice> ranges = new ArrayList<>();
    long unit = operation.held(shard.levels().unit().representation().byteSize());
    int decoded = 0;
    for (Piece piece : pieces) {
      ByteRange.Slice place = piece.known() == null && !piece.isTooLarge() ? piece.place() : null;
      if (place == null) {
        others.add(piece);
      } else {
        stored.add(piece);
        ranges.add(place);
      }
      if (piece.known() == null) {
        piece.held(unit);
        decoded++;
      }
    }
    MergedRanges merged =
        operation.array().context().coalesced(ranges, connections, operation.mostTogether() / 2);
    int count = merged.requests().size();
    ByteLease lease =
        held == null
            ? operation.lease(merged.bytes(), decoded, unit, count + (others.isEmpty() ? 0 : 1))
            : held.within();
    List<List<Piece>> served = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      served.add(new ArrayList<>());
    }
    for (int i = 0; i < stored.size(); i++) {
      served.get(merged.requestOf().get(i)).add(stored.get(i));
    }
    List<Fetch> mine = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ByteRange.Slice range = merged.requests().get(i);
      mine.add(Fetch.ofRange(shard, snapshot, range, range.length(), served.get(i), lease));
    }
    if (!others.isEmpty()) {
      mine.add(Fetch.ofNothing(shard.chunk(), shard, snapshot, others, lease));
    }
    mine.sort(Comparator.comparingLong(Fetch::nextNumber));
    fetches.addAll(mine);
  }
}
