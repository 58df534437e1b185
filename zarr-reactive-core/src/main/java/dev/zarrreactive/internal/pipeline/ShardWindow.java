package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.internal.planning.MergedRanges;
import dev.zarrreactive.internal.sharing.SharedRequest;
import dev.zarrreactive.store.ByteRange;
import dev.zarrreactive.store.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Inner chunks of one shard that follow each other in the plan. Ranges that are close are fetched
 * by one request, which is made when the first of its chunks is read and is cancelled when nobody
 * waits for it. All of the window's bytes are leased at once.
 */
final class ShardWindow {
  /** The request of an inner chunk that is merged with no other. */
  private static final int ALONE = -1;

  private final Reading reading;
  private final @Nullable OpenShard shard;
  private final List<ChunkProjection> inner;
  private final List<ByteRange.@Nullable Slice> places;
  private final MergedRanges merged;
  private final HeldBytes held;
  private final List<SharedRequest<Bytes>> requests = new ArrayList<>();
  private final int[] requestOf;
  private int taken;

  /**
   * A window; its bytes are behind all that was leased before.
   *
   * @param shard the shard; null where it is missing
   * @param inner the inner chunks
   * @param places where they are in the shard; null for those that are missing
   * @param mostUnwanted the most bytes to fetch too many
   * @param leased the lease that the window's bytes are part of; null where it makes its own
   */
  ShardWindow(
      Reading reading,
      ShardLayout layout,
      @Nullable OpenShard shard,
      List<ChunkProjection> inner,
      List<ByteRange.@Nullable Slice> places,
      long mostUnwanted,
      @Nullable HeldBytes leased) {
    this.reading = reading;
    this.shard = shard;
    this.inner = inner;
    this.places = places;
    this.requestOf = new int[inner.size()];
    List<ByteRange.Slice> ranges = new ArrayList<>();
    for (int i = 0; i < requestOf.length; i++) {
      ByteRange.Slice place = places.get(i);
      requestOf[i] = ranges.size();
      if (place != null && !isTooLarge(place)) {
        ranges.add(place);
      }
    }
    Client client = reading.array().client();
    merged = client.merged(ranges, reading.connections(), mostUnwanted);
    held =
        leased != null
            ? leased
            : reading.hold(
                inner.size(), merged.bytes(), layout.innerCodec().representation().byteSize());
    for (int i = 0; i < merged.requests().size(); i++) {
      ByteRange.Slice request = merged.requests().get(i);
      ByteSource source = Objects.requireNonNull(shard).source();
      Mono<Bytes> fetch = Mono.defer(() -> source.range(request));
      requests.add(
          new SharedRequest<>(
              held.granted().then(client.telling().merged(merged, ranges, i, fetch))));
    }
  }

  /** True where each of the chunks was asked for. */
  boolean isTaken() {
    return taken == inner.size();
  }

  /** One of the chunks. */
  ChunkBytes chunk(int number) {
    taken++;
    ByteRange.Slice place = places.get(number);
    if (place == null) {
      return new StoredChunk(Mono.empty(), held);
    }
    return new Member(
        Objects.requireNonNull(shard),
        inner.get(number),
        place,
        isTooLarge(place) ? ALONE : merged.requestOf().get(requestOf[number]));
  }

  private boolean isTooLarge(ByteRange.Slice place) {
    return Objects.requireNonNull(shard).isTooLarge(place);
  }

  /** An inner chunk whose bytes are in one of the requests. */
  private final class Member implements ChunkBytes {
    private final OpenShard shard;
    private final ChunkProjection inner;
    private final ByteRange.Slice place;
    private final int request;

    Member(OpenShard shard, ChunkProjection inner, ByteRange.Slice place, int request) {
      this.shard = shard;
      this.inner = inner;
      this.place = place;
      this.request = request;
    }

    @Override
    public Mono<Void> lease() {
      return held.granted();
    }

    @Override
    public Mono<Bytes> fetch() {
      return Mono.defer(
              () -> {
                if (request == ALONE) {
                  return alone();
                }
                Mono<Bytes> joined = requests.get(request).tryJoin();
                return joined == null ? alone() : joined.map(this::part);
              })
          .onErrorResume(
              SecondLook::isOutside, failure -> isAlone() ? Mono.error(failure) : alone())
          .flatMap(this::current);
    }

    private Bytes part(Bytes fetched) {
      long offset = merged.requests().get(request).offset();
      return fetched.slice((int) (place.offset() - offset), (int) place.length());
    }

    private boolean isAlone() {
      return merged.requests().get(request).equals(place);
    }

    /** Where a merged request fails since one of its chunks is outside, the others are not. */
    private Mono<Bytes> alone() {
      return shard.bytes(inner, place);
    }

    /** Where we have written the shard meanwhile, its index may not be that of these bytes. */
    private Mono<Bytes> current(Bytes bytes) {
      return shard.known().isStale() ? anew(Mono.just(bytes)) : Mono.just(bytes);
    }

    @Override
    public Mono<Bytes> fetchAnew(ZarrException failure) {
      if (SecondLook.isReplaced(failure)) {
        return anew(alone()); // where nothing has moved, what answered was behind or ahead
      }
      return SecondLook.mayHelp(failure) ? anew(Mono.error(failure)) : Mono.error(failure);
    }

    private Mono<Bytes> anew(Mono<Bytes> unmoved) {
      return new SecondLook(reading.array().client().shardIndexes()).bytes(shard, inner, unmoved);
    }

    @Override
    public HeldBytes held() {
      return held;
    }
  }
}
