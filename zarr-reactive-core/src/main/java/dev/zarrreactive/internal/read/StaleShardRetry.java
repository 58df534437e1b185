package dev.zarrreactive.internal.read;

import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.RangeOutOfBoundsException;
import dev.zarrreactive.error.ValueTooLargeException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.cache.Generations;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.read.OpenShard.ShardSnapshot;
import dev.zarrreactive.internal.read.ReadOperation.ByteLease;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/**
 * Reads the remaining pieces of a fetch again when its shard was replaced after its index was read.
 * The pieces become new fetches under a fresh index and keep the lease of the failed fetch. A store
 * with versions rejects a read of a replaced shard. With other stores, a replaced shard is noticed
 * when its bytes fail to decode, or when this process has written it.
 *
 * @param <T> what becomes of the pieces
 */
final class StaleShardRetry<T> {
  private final Generations generations;
  private final Fetcher fetcher;
  private final Function<Fetch, Publisher<T>> decode;

  /**
   * Creates a retry.
   *
   * @param decode decodes the remaining pieces of a loaded fetch
   */
  StaleShardRetry(Generations generations, Fetcher fetcher, Function<Fetch, Publisher<T>> decode) {
    this.generations = generations;
    this.fetcher = fetcher;
    this.decode = decode;
  }

  /**
   * Loads a fetch and decodes its pieces, and reads them again if their shard was replaced. An
   * error has the location of the piece.
   */
  Flux<T> read(Fetch fetch) {
    return read(fetch, ShardSnapshot.LOOKS);
  }

  private Flux<T> read(Fetch fetch, int looks) {
    Flux<T> pieces =
        fetcher
            .load(fetch)
            .flatMapMany(
                loaded ->
                    looks > 1 && loaded.isOvertaken(generations)
                        ? again(loaded, null, looks)
                        : decode.apply(loaded));
    boolean mayBeStale = fetch instanceof Fetch.Indexed || fetch instanceof Fetch.OfShard;
    Flux<T> fresh =
        mayBeStale
            ? pieces.onErrorResume(
                ZarrException.class,
                e ->
                    mayHelp(fetch, e) && looks > 1
                        ? again(fetch, e, looks)
                        : Flux.error(e instanceof PreconditionFailedException ? replaced(e) : e))
            : pieces;
    return fresh.onErrorMap(ZarrException.class, e -> ChunkRequest.located(e, fetch.location()));
  }

  private static ZarrException replaced(ZarrException failure) {
    return new PreconditionFailedException(
        "the shard was replaced "
            + ShardSnapshot.LOOKS
            + " times while it was read, at last: "
            + failure.statement()
            + "; read again when its writers pause",
        failure.location(),
        failure);
  }

  /** Returns true for a failure that a stale index may cause. */
  private static boolean mayHelp(Fetch fetch, ZarrException failure) {
    return fetch instanceof Fetch.OfShard
        ? failure instanceof ValueTooLargeException
        : failure instanceof CodecException
            || failure instanceof PreconditionFailedException
            || failure instanceof RangeOutOfBoundsException;
  }

  /**
   * Reads the remaining pieces under a fresh index, side by side: the pieces of the new fetches may
   * interleave, so that a piece of one is not admitted before a piece of another is delivered.
   *
   * @param failure null where this process has written the shard meanwhile
   */
  private Flux<T> again(Fetch fetch, @Nullable ZarrException failure, int looks) {
    ByteLease held = fetch.lease().within();
    boolean mayBeAnother = failure == null || failure instanceof PreconditionFailedException;
    Flux<Fetch> planned;
    if (fetch instanceof Fetch.OfShard whole) {
      planned = whole.shard().planRanges(held);
    } else {
      Fetch.ByIndex by = ((Fetch.Indexed) fetch).by();
      ZarrException repeated = mayBeAnother ? null : failure;
      planned = by.shard().planAgain(fetch.untaken(), by.snapshot(), held, repeated);
    }
    return Concurrently.map(planned, Integer.MAX_VALUE, part -> read(part, looks - 1))
        .doOnComplete(fetch::release);
  }
}
