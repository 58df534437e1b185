package dev.zarrreactive.internal.read;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.flow.ByteBudget.SharedLease;
import dev.zarrreactive.internal.link.Connections;
import dev.zarrreactive.internal.link.MergedRanges;
import dev.zarrreactive.internal.read.ChunkRequest.Piece;
import dev.zarrreactive.store.LocatedValues;
import dev.zarrreactive.store.StoredObject;
import dev.zarrreactive.store.ValuePlace;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The chunks of an array whose values are parts of objects, such as the chunks of a netCDF file.
 * Chunks that lie in one object become fetches of many pieces, coalesced by the measured link to
 * the object's store as the inner chunks of a shard are. A chunk that lies in no object, or whose
 * place cannot be right, is a fetch of its own.
 */
final class LocatedChunks {
  /** The number of chunks that are located together. */
  private static final int GROUP = 1024;

  /**
   * The most requests for one object at the same time: with more, each of them has too few bytes to
   * be worth its latency.
   */
  private static final int CONNECTIONS = 16;

  private final ReadOperation operation;
  private final ArrayStorage array;
  private final LocatedValues located;

  LocatedChunks(ReadOperation operation, LocatedValues located) {
    this.operation = operation;
    this.array = operation.array();
    this.located = located;
  }

  /** A chunk, and where its value lies; no place for a chunk that is a fetch of its own. */
  private record PlacedChunk(Piece piece, Optional<ValuePlace> place) {
    /** Returns the bytes to lease for its value; an estimate where that is not located. */
    long encoded() {
      if (piece.known() != null) {
        return 0;
      }
      if (place.isPresent()) {
        return place.get().range().length();
      }
      SizeBound bound = piece.codec().encodedSize();
      return bound.exact() ? bound.bytes() : ByteBudget.expected(piece.decodedBytes());
    }
  }

  /** Returns the fetches of chunks in the order of the plan. Locates a group of them at a time. */
  Flux<Fetch> fetches(Flux<ChunkRequest> chunks) {
    return chunks.buffer(GROUP).concatMap(this::group, 0);
  }

  private Flux<Fetch> group(List<ChunkRequest> chunks) {
    List<Piece> pieces = new ArrayList<>(chunks.size());
    List<StoreKey> keys = new ArrayList<>(chunks.size());
    for (ChunkRequest chunk : chunks) {
      Piece piece = Piece.of(chunk);
      pieces.add(piece);
      if (!operation.tryTakeCached(piece)) {
        keys.add(chunk.key());
      }
    }
    return keys.isEmpty()
        ? Flux.fromIterable(windows(pieces, List.of()))
        : places(keys).flatMapIterable(places -> windows(pieces, places));
  }

  /**
   * Emits the places, on a codec thread. A chunk that cannot be located tells why when it is read.
   */
  private Mono<List<Optional<ValuePlace>>> places(List<StoreKey> keys) {
    return Mono.defer(() -> located.places(keys))
        .onErrorReturn(ZarrException.class, Collections.nCopies(keys.size(), Optional.empty()))
        .publishOn(array.limits().codecScheduler());
  }

  /** Returns the fetches of windows of successive chunks, as large as may be fetched together. */
  private List<Fetch> windows(List<Piece> pieces, List<Optional<ValuePlace>> places) {
    List<PlacedChunk> chunks = new ArrayList<>(pieces.size());
    int next = 0;
    for (Piece piece : pieces) {
      Optional<ValuePlace> place =
          piece.known() == null
              ? places.get(next++).filter(found -> isPlausible(piece, found))
              : Optional.empty();
      chunks.add(new PlacedChunk(piece, place));
    }
    List<Fetch> fetches = new ArrayList<>();
    operation.windows(chunks, this::bytes).forEach(window -> fetches.addAll(window(window)));
    return fetches;
  }

  private long bytes(PlacedChunk chunk) {
    long decoded = operation.isStreamed() ? chunk.piece().decodedBytes() : 0;
    return ByteBudget.sum(chunk.encoded(), decoded);
  }

  /** Returns false for a place with more bytes than the codecs can need, or none. */
  private static boolean isPlausible(Piece piece, ValuePlace place) {
    long length = place.range().length();
    return length > 0 && length <= piece.codec().maxStoredBytes();
  }

  /** Returns the fetches of successive chunks that share one lease, in the order of their first. */
  private List<Fetch> window(List<PlacedChunk> chunks) {
    Map<StoredObject, List<Piece>> byObject = new LinkedHashMap<>();
    List<PlacedChunk> alone = new ArrayList<>();
    long decodedEach = 0;
    int decoded = 0;
    long encoded = 0;
    for (PlacedChunk chunk : chunks) {
      Piece piece = chunk.piece();
      if (chunk.place().isPresent()) {
        ValuePlace place = chunk.place().get();
        piece.locate(place.range());
        byObject.computeIfAbsent(place.object(), any -> new ArrayList<>()).add(piece);
      } else {
        alone.add(chunk);
        encoded = ByteBudget.sum(encoded, chunk.encoded());
      }
      if (piece.known() == null) {
        decodedEach = Math.max(decodedEach, operation.held(piece.decodedBytes()));
        decoded++;
      }
    }
    for (PlacedChunk chunk : chunks) {
      if (chunk.piece().known() == null) {
        chunk.piece().held(decodedEach);
      }
    }
    List<ObjectParts> parts = new ArrayList<>();
    int fetches = alone.size();
    for (Map.Entry<StoredObject, List<Piece>> object : byObject.entrySet()) {
      ObjectParts merged = merge(object.getKey(), object.getValue(), byObject.size());
      parts.add(merged);
      fetches += merged.ranges().requests().size();
      encoded = ByteBudget.sum(encoded, merged.ranges().bytes());
    }
    SharedLease lease = operation.lease(encoded, decoded, decodedEach, fetches);
    List<Fetch> all = new ArrayList<>(fetches);
    for (PlacedChunk chunk : alone) {
      all.add(alone(chunk.piece(), chunk.encoded(), lease));
    }
    parts.forEach(each -> each.addFetches(lease, all));
    all.sort(Comparator.comparingLong(Fetch::nextNumber));
    return all;
  }

  private static Fetch alone(Piece piece, long encoded, SharedLease lease) {
    List<Piece> itself = List.of(piece);
    return piece.known() == null
        ? new Fetch.OfChunk(piece.chunk(), itself, encoded, lease)
        : new Fetch.OfKnown(piece.chunk(), itself, lease);
  }

  private ObjectParts merge(StoredObject object, List<Piece> pieces, int objects) {
    List<ByteRange.Slice> ranges = new ArrayList<>(pieces.size());
    for (Piece piece : pieces) {
      ranges.add(Objects.requireNonNull(piece.range()));
    }
    int most = Math.min(CONNECTIONS, operation.concurrency());
    Connections connections = Connections.sharedBy(objects, operation.concurrency());
    MergedRanges merged =
        array
            .context()
            .coalesced(
                ranges,
                new Connections(Math.min(most, connections.count()), connections.shared()),
                operation.mostTogether() / 2 / objects,
                object.store());
    return new ObjectParts(object, pieces, merged);
  }

  /** Chunks that lie in one object, and the requests for them. */
  private record ObjectParts(StoredObject object, List<Piece> pieces, MergedRanges ranges) {
    void addFetches(SharedLease lease, List<Fetch> all) {
      List<List<Piece>> served = ranges.byRequest(pieces);
      for (int i = 0; i < served.size(); i++) {
        all.add(new Fetch.OfParts(object, ranges.requests().get(i), served.get(i), lease));
      }
    }
  }
}
