package dev.zarrreactive.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.ShardReading;
import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.cli.CommandRun;
import dev.zarrreactive.encoding.Encoding;
import dev.zarrreactive.encodings.Encodings;
import dev.zarrreactive.encodings.GreyScale;
import dev.zarrreactive.store.Coalescing;
import dev.zarrreactive.store.Price;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.store.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** The samples of docs/streaming.md. */
class StreamingSamplesTest {
  private final Store store = FileSystemStore.open(CommandRun.EARTH);
  private final ZarrArray array = Zarr.hierarchy(store).openArray("earth/rgb").block();
  private final List<String> seen = new CopyOnWriteArrayList<>();

  private Mono<Void> send(Chunk chunk) {
    return Mono.fromRunnable(() -> seen.add(chunk.toString()));
  }

  @Test
  void chunks() {
    // docs: chunks
    Flux<Chunk> asTheyArrive = array.chunks(Selection.parse("0:180"));
    Flux<Chunk> inOrder = array.chunksInOrder(Selection.parse("0:180"));
    // docs: end
    assertThat(asTheyArrive.count().block()).isEqualTo(24);
    assertThat(inOrder.map(Chunk::toString).collectList().block())
        .hasSize(24)
        .startsWith("chunk [0, 0, 0] [0:60,0:90,0:3]", "chunk [0, 1, 0] [0:60,90:180,0:3]");
  }

  @Test
  void a_chunk_knows_its_place() {
    List<String> lines = new CopyOnWriteArrayList<>();
    // docs: place
    Mono<Void> printed =
        array
            .chunks(Selection.parse("100:200,::2,0"))
            .doOnNext(
                chunk -> {
                  long[] index = chunk.index(); // in the chunk grid
                  String place =
                      chunk.selection().toString(); // in the array, such as 120:180,0:89:2,0
                  int first = chunk.data().getInt(0, 0); // the elements
                  lines.add(java.util.Arrays.toString(index) + " " + place + " " + first);
                })
            .then();
    // docs: end
    printed.block();
    assertThat(lines).hasSize(24).anyMatch(line -> line.startsWith("[2, 0, 0] 120:180,0:89:2,0 "));
  }

  @Test
  void a_slow_consumer() {
    // docs: slow
    Flux<Void> sent =
        array
            .chunks(Selection.all())
            .concatMap(this::send, 1); // one at a time; the next chunk is asked for meanwhile
    // docs: end
    sent.blockLast();
    assertThat(seen).hasSize(48);
  }

  @Test
  void bytes() {
    // docs: bytes
    Flux<Bytes> pieces = array.readBytes(Selection.parse("0:180"), 16 << 10);
    // docs: end
    assertThat(pieces.map(Bytes::size).reduce(0, Integer::sum).block()).isEqualTo(180 * 720 * 3);
  }

  @Test
  void encodings() {
    ZarrArray relief = Zarr.hierarchy(store).openArray("earth/relief").block();
    // docs: encode
    Selection north = Selection.parse("0:180");
    Encoding npy = Encodings.npy();
    Flux<Bytes> file = array.encode(north, npy, 16 << 10);
    OptionalLong length = npy.length(array.metadata(), north); // for Content-Length
    String type = npy.mediaType(); // for Content-Type

    Flux<Bytes> picture = array.encode(north, Encodings.png(), 16 << 10);
    Flux<Bytes> greys = relief.encode(Selection.all(), Encodings.png(GreyScale.of(0, 1)), 16 << 10);
    Flux<Bytes> table = relief.encode(north, Encodings.csv(), 16 << 10);
    // docs: end
    assertThat(file.map(Bytes::size).reduce(0, Integer::sum).block())
        .isEqualTo((int) length.getAsLong())
        .isEqualTo(128 + 180 * 720 * 3);
    assertThat(type).isEqualTo("application/x-npy");
    assertThat(picture.blockFirst().get(1)).isEqualTo((byte) 'P');
    assertThat(greys.count().block()).isPositive();
    assertThat(table.blockFirst()).isEqualTo(Bytes.utf8("lat,lon,value\r\n"));
  }

  @Test
  void limits() {
    // docs: limits
    ZarrOptions options =
        ZarrOptions.defaults()
            .withMaxConcurrency(8) // chunks of an operation under way at a time
            .withMaxInFlightBytes(32L << 20); // bytes of all operations, encoded and decoded
    ZarrHierarchy hierarchy = Zarr.hierarchy(store, options);
    // docs: end
    assertThat(hierarchy.openArray("earth/rgb").flatMapMany(a -> a.chunks(Selection.all())).count())
        .satisfies(count -> assertThat(count.block()).isEqualTo(48));
  }

  @Test
  void shards() {
    // docs: shards
    ShardReading reading =
        ShardReading.defaults()
            .withCoalescing(new Coalescing(256 << 10, 8 << 20, 0.5)) // gap, size, over-read
            .withIndexCacheBytes(64L << 20)
            .withSpeculativeTail(128 << 10); // smaller shards: one request
    ZarrHierarchy hierarchy =
        Zarr.hierarchy(store, ZarrOptions.defaults().withShardReading(reading));
    // docs: end
    assertThat(hierarchy.openArray("earth/rgb").block().chunks(Selection.all()).count().block())
        .isEqualTo(48);
    assertThat(hierarchy.shardIndexCounts().misses()).isZero();
  }

  @Test
  void a_price() {
    // docs: price
    Price internet = Price.of(0.40, 0.09, 0.10); // a million requests, a gigabyte, an hour
    ShardReading reading = ShardReading.defaults().withCoalescing(Coalescing.cheapest(internet));
    double dollars = internet.total(8, 8_400_000, Duration.ofMillis(250)); // what such a read costs
    // docs: end
    assertThat(dollars).isBetween(0.00076, 0.00077);
    ZarrOptions options = ZarrOptions.defaults().withShardReading(reading);
    assertThat(Zarr.hierarchy(store, options).openArray("earth/rgb").block().read().block())
        .isEqualTo(array.read().block());
  }

  @Test
  void a_cancel() {
    // docs: cancel
    Flux<Chunk> firstFew = array.chunks(Selection.all()).take(3);
    Flux<Chunk> forASecond = array.chunks(Selection.all()).take(Duration.ofSeconds(1));
    // docs: end
    assertThat(firstFew.count().block()).isEqualTo(3);
    assertThat(forASecond.count().block())
        .isLessThanOrEqualTo(array.chunks(Selection.all()).count().block());
  }

  @Test
  void a_copy() {
    Store target = MemoryStore.create();
    // docs: copy
    Mono<Void> copied =
        Zarr.hierarchy(target)
            .createArray("copy", array.metadata())
            .flatMap(copy -> copy.write(array.chunks(Selection.all())));
    // docs: end
    copied.block();
    assertThat(
            Zarr.hierarchy(target)
                .openArray("copy")
                .flatMap(copy -> copy.read(Selection.all()))
                .block())
        .isEqualTo(array.read(Selection.all()).block());
  }

  @Test
  void own_scheduler() {
    // docs: scheduler
    Scheduler codecs = Schedulers.newParallel("my-codecs", 4, true);
    ZarrOptions options = ZarrOptions.defaults().withCodecScheduler(codecs);
    // docs: end
    Zarr.hierarchy(store, options)
        .openArray("earth/lat")
        .flatMap(a -> a.read(Selection.all()))
        .doOnNext(data -> seen.add(Thread.currentThread().getName()))
        .block();
    assertThat(seen).first().asString().startsWith("my-codecs");
    codecs.dispose();
  }
}
