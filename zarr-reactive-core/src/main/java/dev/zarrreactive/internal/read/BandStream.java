package dev.zarrreactive.internal.read;

import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.flow.CodecScheduler;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.decorator.RequestLimit;
import java.util.Iterator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/**
 * One subscription to a selection's bytes. The first band is read when the subscriber demands a
 * piece, and each further band when the subscriber has received three quarters of the band before.
 *
 * <p>A band acquires one lease for all the bytes that it needs: for its elements and for the chunks
 * in flight. So it never waits for a second lease while it holds the first. It releases the chunks'
 * part when its elements are decoded, and the rest when the subscriber has received its last piece,
 * since the pieces are views of one byte array.
 */
final class BandStream {
  private static final int BANDS_AT_A_TIME = 2;

  private final ChunkReader reader;
  private final BandPlan plan;
  private final int pieceSize;
  private final Scheduler codecScheduler;
  private final ByteBudget.Share share;
  private final Sinks.Empty<Void> demanded = Sinks.empty();

  /** Completes when the next band may be read. */
  private Mono<Void> nextTurn = demanded.asMono();

  BandStream(ArrayStorage array, ChunkReader reader, BandPlan plan, int pieceSize) {
    this.reader = reader;
    this.plan = plan;
    this.pieceSize = pieceSize;
    this.codecScheduler = array.limits().codecScheduler();
    this.share = array.context().budget().share();
  }

  /** Returns the pieces of all bands, in order. */
  Flux<Bytes> pieces() {
    return Concurrently.mapInOrder(
            Flux.fromIterable(plan.bands()).map(this::band), BANDS_AT_A_TIME, Band::pieces)
        .map(Piece::handOn)
        .doOnRequest(n -> demanded.tryEmitEmpty())
        .doFinally(end -> share.close())
        .contextWrite(RequestLimit::asOperation);
  }

  private Band band(ResolvedSelection part) {
    Band band = new Band(part, nextTurn);
    nextTurn = band.nearlyTaken.asMono();
    return band;
  }

  private final class Band {
    private final ResolvedSelection part;
    private final Mono<Void> turn;
    private final Sinks.Empty<Void> nearlyTaken = Sinks.empty();
    private volatile ByteBudget.@Nullable Lease lease;

    Band(ResolvedSelection part, Mono<Void> turn) {
      this.part = part;
      this.turn = turn;
    }

    Flux<Piece> pieces() {
      return turn.publishOn(codecScheduler).then(Mono.defer(this::read)).flatMapIterable(this::cut);
    }

    private Mono<Bytes> read() {
      long work = plan.work(part);
      ByteBudget.Lease held = share.lease(ByteBudget.sum(plan.bytes(part), work));
      lease = held;
      return held.granted()
          .publishOn(codecScheduler)
          .then(reader.read(part, new ByteBudget(work, CodecScheduler.shared())))
          .map(
              elements -> {
                held.giveBack(work);
                return elements.bytes();
              });
    }

    private Iterable<Piece> cut(Bytes elements) {
      if (elements.size() == 0) {
        handedOn(0, 0);
      }
      return () -> cutter(elements);
    }

    private Iterator<Piece> cutter(Bytes elements) {
      int size = elements.size();
      return IntStream.range(0, (int) (((long) size + pieceSize - 1) / pieceSize))
          .mapToObj(
              number -> {
                int from = number * pieceSize;
                return new Piece(this, elements, from, Math.min(pieceSize, size - from));
              })
          .iterator();
    }

    /** Notes that the subscriber has received the elements up to the byte {@code end}. */
    private void handedOn(long end, long size) {
      ByteBudget.Lease held = lease;
      if (end == size && held != null) {
        held.end();
      }
      if (4 * end >= 3 * size) {
        nearlyTaken.tryEmitEmpty();
      }
    }
  }

  private record Piece(Band band, Bytes elements, int from, int size) {
    Bytes handOn() {
      band.handedOn((long) from + size, elements.size());
      return elements.slice(from, size);
    }
  }
}
