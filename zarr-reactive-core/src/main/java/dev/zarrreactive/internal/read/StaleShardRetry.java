package dev.zarrreactive.internal.read;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.RangeOutOfBoundsException;
import dev.zarrreactive.error.ValueTooLargeException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.cache.Generations;
import dev.zarrreactive.internal.flow.Concurrently;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Reads the remaining pieces of a fetch again when its shard was replaced after its index was read.
 * The pieces become new fetches under a fresh index and keep the lease of the failed fetch. A store
 * with versions rejects a read of a replaced shard. With other stores, a replaced shard is noticed
 * when its bytes fail to decode, or when this process has written it.
 */
final class StaleShardRetry {
  private final Generations generations;

  StaleShardRetry(Generations generations) {
    this.generations = generations;
  }

  /**
   * Reads the pieces of a fetch, and reads them again if their shard was replaced.
   *
   * @param load loads a fetch
   * @param decode decodes the remaining pieces of a loaded fetch
   */
  <T> Flux<T> read(
      Fetch fetch, Function<Fetch, Mono<Fetch>> load, Function<Fetch, Flux<T>> decode) {
    return read(fetch, load, decode, OpenShard.LOOKS);
  }

  private <T> Flux<T> read(
      Fetch fetch, Function<Fetch, Mono<Fetch>> load, Function<Fetch, Flux<T>> decode, int looks) {
    Flux<T> pieces =
        load.apply(fetch)
            .flatMapMany(
                loaded ->
                    looks > 1 && loaded.isOvertaken(generations)
                        ? again(loaded, null, load, decode, looks)
                        : decode.apply(loaded));
    OpenShard shard = fetch.shard();
    return shard == null
        ? pieces
        : pieces.onErrorResume(
            ZarrException.class,
            e ->
                mayHelp(fetch, e) && looks > 1
                    ? again(fetch, e, load, decode, looks)
                    : Flux.error(e instanceof PreconditionFailedException ? replaced(e) : e));
  }

  private static ZarrException replaced(ZarrException failure) {
    return new PreconditionFailedException(
        "the shard was replaced "
            + OpenShard.LOOKS
            + " times while it was read, at last: "
            + failure.statement()
            + "; read again when its writers pause",
        failure.location(),
        failure);
  }

  /** Returns true for a failure that a stale index may cause. */
  private static boolean mayHelp(Fetch fetch, ZarrException failure) {
    return fetch.isWholeShard()
        ? failure instanceof ValueTooLargeException
        : failure instanceof CodecException
            || failure instanceof PreconditionFailedException
            || failure instanceof RangeOutOfBoundsException;
  }

  /**
   * Reads the remaining pieces under a fresh index.
   *
   * @param failure null where this process has written the shard meanwhile
   */
  private <T> Flux<T> again(
      Fetch fetch,
      @Nullable ZarrException failure,
      Function<Fetch, Mono<Fetch>> load,
      Function<Fetch, Flux<T>> decode,
      int looks) {
    OpenShard shard = Objects.requireNonNull(fetch.shard());
    ByteLease held = fetch.lease().within();
    if (fetch.isWholeShard()) {
      return together(shard.rangesAfterAll(held), load, decode, looks - 1)
          .doOnComplete(fetch::release);
    }
    ShardSnapshot before = Objects.requireNonNull(fetch.snapshot());
    List<Piece> pieces = fetch.untaken();
    List<ByteRange.Slice> places = places(pieces);
    return shard
        .refreshed(before)
        .flatMap(now -> shard.placed(pieces, now, null))
        .onErrorMap(ZarrException.class, e -> OpenShard.located(e, fetch.location()))
        .flatMapMany(
            now -> {
              boolean isSame =
                  Objects.equals(now.version(), before.version()) && places(pieces).equals(places);
              boolean mayBeAnother =
                  failure == null || failure instanceof PreconditionFailedException;
              if (isSame && !mayBeAnother) {
                return Flux.error(failure);
              }
              Flux<Fetch> parts = Flux.fromIterable(shard.fetches(pieces, now, held));
              return together(parts, load, decode, looks - 1).doOnComplete(fetch::release);
            });
  }

  /**
   * Reads fetches side by side: their pieces may interleave, so that a piece of one is not admitted
   * before a piece of another is handed on.
   */
  private <T> Flux<T> together(
      Flux<Fetch> fetches,
      Function<Fetch, Mono<Fetch>> load,
      Function<Fetch, Flux<T>> decode,
      int looks) {
    return Concurrently.map(fetches, Integer.MAX_VALUE, part -> read(part, load, decode, looks));
  }

  private static List<ByteRange.Slice> places(List<Piece> pieces) {
    List<ByteRange.Slice> places = new ArrayList<>();
    for (Piece piece : pieces) {
      places.add(new ByteRange.Slice(Math.max(0, piece.offset()), piece.length()));
    }
    return places;
  }
}
