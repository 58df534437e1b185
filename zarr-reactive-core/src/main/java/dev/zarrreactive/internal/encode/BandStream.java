package dev.zarrreactive.internal.encode;

import dev.zarrreactive.array.ElementConversion;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.encoding.Encoder;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.context.HierarchyContext;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.flow.ReadAhead;
import dev.zarrreactive.internal.read.ChunkReader;
import dev.zarrreactive.internal.threads.Environment;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * One subscription to a selection's encoded elements. {@link ReadAhead} says when each band is
 * read. The bands are encoded one after the other.
 *
 * <p>A band acquires one lease for all the bytes that it needs: for its elements and for the chunks
 * in flight. So it never waits for a second lease while it holds the first. It releases the chunks'
 * part when its elements are decoded, and the rest when the subscriber has received its last piece,
 * since the pieces may be views of one byte array.
 */
final class BandStream {
  private static final int BANDS_AT_A_TIME = ReadAhead.MOST + 1;
  private static final NdArray NONE = NdArray.scalar(DataTypes.UINT8, 0);

  /** The most bytes that an encoder is asked for, however large the pieces may be. */
  private static final int LARGEST_PART = 1 << 20;

  private final ChunkReader reader;
  private final BandPlan plan;
  private final Encoder encoder;
  private final @Nullable ElementConversion conversion;
  private final int pieceSize;
  private final ByteWindow window;
  private final Scheduler codecScheduler;
  private final HierarchyContext context;

  /** All bytes are few, so that a connection takes them at once. */
  private final boolean isSmall;

  private final ByteBudget.Share share;
  private final ReadAhead ahead = new ReadAhead();
  private boolean isBegun;

  BandStream(
      ArrayStorage array,
      ChunkReader reader,
      BandPlan plan,
      Encoder encoder,
      @Nullable ElementConversion conversion,
      int pieceSize,
      ByteWindow window) {
    this.reader = reader;
    this.plan = plan;
    this.encoder = encoder;
    this.conversion = conversion;
    this.pieceSize = pieceSize;
    this.window = window;
    this.codecScheduler = array.limits().codecScheduler();
    this.context = array.context();
    this.isSmall = ByteBudget.isSmall(Math.min(plan.bytes(), window.size()));
    this.share = context.budget().share(isSmall);
  }

  /** Returns the pieces of the bands in the window, in order. */
  Flux<Bytes> pieces() {
    Flux<Piece> bands =
        Concurrently.mapInOrder(
                Flux.fromIterable(plan.bands())
                    .takeWhile(band -> window.isOpen())
                    .filter(band -> window.needs(plan.bytes(band)))
                    .map(Band::new),
                BANDS_AT_A_TIME,
                Band::read)
            .concatMap(Pieces::asDemanded, 1);
    Flux<Piece> encoded =
        Flux.concat(
            List.of(bands, Flux.defer(this::end).map(bytes -> new Piece(bytes, null, 0, 0))));
    Flux<Bytes> pieces =
        (encoder.isView() ? encoded : encoded.publishOn(codecScheduler, 1))
            .map(Piece::handOn)
            .map(window::cut)
            .filter(bytes -> bytes.size() > 0)
            .doOnRequest(n -> ahead.demanded());
    return share
        .onDemand(pieces)
        .doOnTerminate(share::close)
        .doOnCancel(share::close)
        .contextWrite(HierarchyContext::inOperation);
  }

  private final class Band {
    private final ResolvedSelection part;
    private final Mono<Void> turn = ahead.turn();
    private volatile ByteBudget.@Nullable Lease lease;
    private boolean isNearlyReceived;

    Band(ResolvedSelection part) {
      this.part = part;
    }

    Mono<Pieces> read() {
      return turn.publishOn(codecScheduler).then(Mono.defer(this::lease)).map(this::pieces);
    }

    private Mono<NdArray> lease() {
      long work = isSmall ? plan.workInReserve(part) : plan.work(part);
      ByteBudget.Lease held = share.lease(ByteBudget.sum(plan.bytes(part), work));
      lease = held;
      ahead.asked();
      return context
          .granted(held)
          .publishOn(codecScheduler)
          .then(
              reader.read(
                  part, conversion, new ByteBudget(work, Environment.current().codecScheduler())))
          .doOnNext(elements -> held.giveBack(work));
    }

    private Pieces pieces(NdArray elements) {
      ahead.decoded();
      return new Pieces(this, elements);
    }

    /** Notes that the subscriber has received the first {@code end} of the elements. */
    private void handedOn(long end, long count) {
      if (!isNearlyReceived && 4 * end >= 3 * count) {
        isNearlyReceived = true;
        ahead.nearlyReceived();
      }
      ByteBudget.Lease held = lease;
      if (held != null && end == count) {
        held.end();
        ahead.received();
      } else if (held != null) {
        held.progress();
      }
    }
  }

  /** The pieces of a band. */
  private final class Pieces {
    private final Band band;
    private NdArray elements;
    private final int count;
    private Bytes part = Bytes.EMPTY;
    private int cut;
    private int first;
    private int next;

    Pieces(Band band, NdArray elements) {
      this.band = band;
      this.elements = elements;
      this.count = (int) elements.shape().elementCountUpTo(Integer.MAX_VALUE);
    }

    /** Returns the pieces, each of which is made when it is demanded. */
    Flux<Piece> asDemanded() {
      return Flux.generate(
          sink -> {
            sink.next(next());
            if (cut == part.size() && next == count) {
              sink.complete();
              elements = NONE; // operators keep a stream that has ended until the next one begins
              part = Bytes.EMPTY;
            }
          });
    }

    private Piece next() {
      if (cut == part.size()) {
        encode();
      }
      int size = Math.min(pieceSize, part.size() - cut);
      Bytes piece = part.slice(cut, size);
      cut += size;
      long done = cut == part.size() ? next : first + (long) (next - first) * cut / part.size();
      return new Piece(piece, band, done, count);
    }

    private void encode() {
      cut = 0;
      first = next;
      if (!isBegun) {
        isBegun = true;
        part = encoder.begin();
        if (part.size() > 0) {
          return;
        }
      }
      Encoder.Part encoded = encoder.encode(elements, first, Math.min(pieceSize, LARGEST_PART));
      if (encoded.next() <= first || encoded.next() > count) {
        throw new IllegalStateException(
            "the encoder took the elements from "
                + first
                + " to "
                + encoded.next()
                + " of a band of "
                + count);
      }
      part = encoded.bytes();
      next = encoded.next();
    }
  }

  /** Returns the bytes after the last band, with the header of an empty selection. */
  private Flux<Bytes> end() {
    Bytes begin = isBegun ? Bytes.EMPTY : encoder.begin();
    Bytes end = encoder.end();
    return Flux.just(begin, end).concatMapIterable(this::cut);
  }

  private Iterable<Bytes> cut(Bytes bytes) {
    int pieces = (int) (((long) bytes.size() + pieceSize - 1) / pieceSize);
    return () ->
        IntStream.range(0, pieces)
            .map(number -> number * pieceSize)
            .mapToObj(from -> bytes.slice(from, Math.min(pieceSize, bytes.size() - from)))
            .iterator();
  }

  /**
   * A piece.
   *
   * @param band the band of its elements, or null after the last one
   * @param done the elements of the band up to its end
   * @param count the elements of the band
   */
  private record Piece(Bytes bytes, @Nullable Band band, long done, long count) {
    Bytes handOn() {
      if (band != null) {
        band.handedOn(done, count);
      }
      return bytes;
    }
  }
}
