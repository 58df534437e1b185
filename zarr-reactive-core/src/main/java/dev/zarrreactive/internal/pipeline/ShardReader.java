package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.error.ValueTooLargeException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.internal.sharing.SharedRequest;
import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.VersionedBytes;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Reads the inner chunks that one operation wants of one shard. The shard is opened when the first
 * of them is read: fetched whole where all or nearly all of it is wanted, otherwise by its index.
 * Nested shards are opened in turn.
 */
final class ShardReader {
  private final Reading reading;
  private final WantedChunk shard;
  private final ShardLayout layout;
  private final Turn turn;
  private final SharedRequest<ShardContents> opening;
  private final Queue<Numbered> skipped = new ConcurrentLinkedQueue<>();
  private volatile @Nullable ShardContents opened;
  private boolean allIsKnown = true;

  /** A reader of a shard that is a value of its own. */
  ShardReader(Reading reading, WantedChunk shard) {
    this(
        reading,
        shard,
        Mono.fromSupplier(
            () ->
                new ShardContents.Place(
                    reading.array().source(shard.gridIndex()), null, null, null)));
  }

  private ShardReader(Reading reading, WantedChunk shard, Mono<ShardContents.Place> place) {
    this.reading = reading;
    this.shard = shard;
    this.layout = Objects.requireNonNull(shard.codec().shardLayout());
    this.turn = reading.nextTurn();
    this.opening = new SharedRequest<>(open(place));
  }

  /** What is wanted of the shard, in C order; made as it is demanded. */
  Flux<EncodedChunk> chunks() {
    Flux<Numbered> inner =
        Flux.<ChunkProjection>fromIterable(shard.innerChunks(layout)).index(Numbered::new);
    return layout.innerCodec().shardLayout() == null
        ? inner.map(this::chunk).doOnComplete(this::end)
        : inner.concatMap(this::nested, 0);
  }

  private record Numbered(long number, ChunkProjection inner) {}

  private EncodedChunk chunk(Numbered part) {
    WantedChunk wanted = shard.innerChunk(layout, part.inner());
    NdArray known = reading.known(wanted);
    if (known != null) {
      skip(part);
      return new EncodedChunk(wanted, ChunkBytes.NONE, known);
    }
    allIsKnown = false;
    return new EncodedChunk(
        wanted,
        new InnerChunk(
            contents().map(found -> found.chunk(part.number(), part.inner())), () -> skip(part)));
  }

  /** Where nothing of the shard is read, its turn is that of the next. */
  private void end() {
    if (allIsKnown) {
      reading.giveUp(turn);
    }
  }

  /** What is held for an inner chunk together with others, it does not need. */
  private void skip(Numbered part) {
    skipped.add(part);
    giveBackSkipped();
  }

  private void giveBackSkipped() {
    ShardContents open = opened;
    for (Numbered part = open == null ? null : skipped.poll();
        open != null && part != null;
        part = skipped.poll()) {
      open.chunk(part.number(), part.inner()).skip();
    }
  }

  private Flux<EncodedChunk> nested(Numbered part) {
    Mono<ShardContents.Place> place =
        contents().map(found -> found.shard(part.number(), part.inner()));
    return new ShardReader(reading, shard.innerChunk(layout, part.inner()), place).chunks();
  }

  private Mono<ShardContents> contents() {
    return Mono.defer(
        () -> {
          Mono<ShardContents> joined = opening.tryJoin();
          return joined == null ? Mono.never() : joined; // it failed, which ends the operation
        });
  }

  private Mono<ShardContents> open(Mono<ShardContents.Place> place) {
    return place
        .flatMap(found -> open(found, SecondLook.MOST))
        .switchIfEmpty(turn.begun().then(Mono.fromSupplier(() -> byRange(null))))
        .doOnNext(
            contents -> {
              opened = contents;
              giveBackSkipped();
            })
        .onErrorMap(ZarrException.class, e -> e.at(shard.location()));
  }

  /** Opens a shard; where the one around it is replaced meanwhile, where that says it is now. */
  private Mono<ShardContents> open(ShardContents.Place place, int looks) {
    OpenShard outer = place.outer();
    Mono<ShardContents> opened = open(place);
    return outer == null || looks <= 1
        ? opened
        : opened.onErrorResume(
            SecondLook::isReplaced,
            e ->
                new SecondLook(reading.array().client().shardIndexes())
                    .nested(outer, shard.projection())
                    .flatMap(now -> open(now, looks - 1)));
  }

  private Mono<ShardContents> open(ShardContents.Place place) {
    ByteSource source = place.bytes();
    HeldBytes held = place.held();
    if (held != null) {
      return turn.begun()
          .then(source == null ? Mono.<OpenShard>empty() : within(source))
          .map(open -> fetched(open, held))
          .switchIfEmpty(Mono.fromSupplier(() -> fetched(null, held)));
    }
    if (source == null) {
      return Mono.empty();
    }
    ShardIndexes indexes = reading.array().client().shardIndexes();
    ShardPlace known = ShardPlace.of(source, layout);
    WholeShard whole = WholeShard.of(reading, shard, layout, indexes.known(known));
    return whole == null
        ? byIndex(
            indexes.find(known, source, layout, place.index(), reading.indexShare()),
            place.outer(),
            source)
        : turn.begun().then(Mono.defer(() -> whole(whole, place, source, known)));
  }

  private Mono<OpenShard> within(ByteSource source) {
    return source
        .range(layout.indexRange())
        .map(index -> OpenShard.of(shard, source, layout, new VersionedBytes(index, null)));
  }

  private Mono<ShardContents> byIndex(
      Mono<KnownIndex.Found> look, @Nullable OpenShard outer, ByteSource source) {
    return look.delayUntil(found -> turn.begun())
        .map(
            found -> {
              OpenShard open = OpenShard.found(shard, outer, source, layout, found.known());
              Bytes all = found.whole();
              return all == null
                  ? byRange(open)
                  : fetched(open.from(all), WholeShard.hold(reading, shard, layout, all.size()));
            });
  }

  private Mono<ShardContents> whole(
      WholeShard whole, ShardContents.Place at, ByteSource source, ShardPlace place) {
    ShardIndexes indexes = reading.array().client().shardIndexes();
    long changes = indexes.changes();
    HeldBytes held = whole.hold();
    turn.end();
    return held.granted()
        .then(source.versionedWhole(whole.maxBytes()))
        .publishOn(reading.array().limits().codecScheduler())
        .map(
            read -> {
              OpenShard open = OpenShard.fetched(shard, layout, read);
              indexes.keep(place, open.known(), changes);
              return fetched(open, held);
            })
        .onErrorResume(
            ValueTooLargeException.class,
            e ->
                indexes
                    .find(place, source, layout, null, reading.indexShare())
                    .map(found -> large(at, found, held)))
        .doOnError(e -> held.release())
        .switchIfEmpty(Mono.fromRunnable(held::release)); // missing: what is filled is leased anew
  }

  /**
   * A shard that has far more bytes than its inner chunks need, such as those that another program
   * left behind. It is read by its index, with the lease that was made for the whole.
   */
  private ShardContents large(ShardContents.Place at, KnownIndex.Found found, HeldBytes held) {
    ByteSource source = Objects.requireNonNull(at.bytes());
    OpenShard open = OpenShard.found(shard, at.outer(), source, layout, found.known());
    return layout.innerCodec().shardLayout() == null
        ? new RangedShard(reading, shard, layout, open, turn, held)
        : fetched(open, held);
  }

  private ShardContents fetched(@Nullable OpenShard open, HeldBytes held) {
    turn.end();
    return new FetchedShard(open, held);
  }

  private ShardContents byRange(@Nullable OpenShard open) {
    return new RangedShard(reading, shard, layout, open, turn, null);
  }
}
