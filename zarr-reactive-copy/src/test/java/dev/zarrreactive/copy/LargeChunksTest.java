package dev.zarrreactive.copy;

import static dev.zarrreactive.testing.CodecThreads.settled;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.observation.StoreOperation;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

/** Copies into and of chunks that are larger than the bytes in flight. */
class LargeChunksTest {
  private static final ZarrOptions SMALL = ZarrOptions.defaults().withMaxInFlightBytes(4 << 10);
  private static final int EXTENT = 96;
  private static final StoreKey SHARD = StoreKey.of("c/0/0");

  private final MemoryStore values = MemoryStore.create();
  private final InstrumentedStore store = InstrumentedStore.of(values);
  private final InstrumentedStore target = InstrumentedStore.of(MemoryStore.create());

  private static NdArray numbers() {
    int[] numbers = new int[EXTENT * EXTENT];
    Arrays.setAll(numbers, i -> i * 7919);
    return NdArray.ofInts(DataTypes.INT32, Shape.of(EXTENT, EXTENT), numbers);
  }

  private static ArrayMetadataBuilder square() {
    return ArrayMetadata.v3(Shape.of(EXTENT, EXTENT), DataTypes.INT32);
  }

  private void source(ArrayMetadata metadata) {
    Zarr.hierarchy(store)
        .createArray("", metadata)
        .flatMap(array -> array.write(Selection.all(), numbers()))
        .block();
    store.counts().reset();
  }

  private ZarrCopy copy() {
    return ZarrCopy.of(Zarr.hierarchy(store), Zarr.hierarchy(target, SMALL));
  }

  private static long requests(InstrumentedStore from, StoreOperation... operations) {
    return from.counts().requests().stream()
        .filter(request -> request.target().startsWith("c/"))
        .filter(request -> List.of(operations).contains(request.operation()))
        .count();
  }

  private void checkCopied() {
    assertThat(Zarr.hierarchy(target).openArray("").flatMap(ZarrArray::read).block())
        .isEqualTo(numbers());
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 8, 24, 96})
  void a_shard_beyond_the_bound_is_stored_once_from_any_chunks(int chunk) {
    source(square().chunkShape(chunk, chunk).build());
    List<CopyProgress> steps =
        copy().chunkShape(8, 8).shardShape(64, 64).run().collectList().block();
    assertThat(requests(target, StoreOperation.SET)).isEqualTo(4);
    assertThat(requests(target, StoreOperation.GET, StoreOperation.GET_RANGE)).isZero();
    CopyProgress end = steps.get(steps.size() - 1);
    assertThat(end.chunks()).isEqualTo(end.chunksInAll()).isEqualTo(4);
    assertThat(end.bytes()).isEqualTo(end.bytesInAll());
    assertThat(steps.size()).isGreaterThan(8); // the bytes of a shard count as they are read
    checkCopied();
  }

  @Test
  void a_shard_with_several_layers_along_its_first_dimension_is_stored_in_parts() {
    Shape shape = Shape.of(4, 48, 48);
    NdArray data = numbers().reshape(shape);
    Zarr.hierarchy(store)
        .createArray("", ArrayMetadata.v3(shape, DataTypes.INT32).chunkShape(1, 48, 48).build())
        .flatMap(array -> array.write(Selection.all(), data))
        .block();
    copy().chunkShape(4, 8, 8).shardShape(4, 48, 48).run().blockLast();
    assertThat(Zarr.hierarchy(target).openArray("").flatMap(ZarrArray::read).block())
        .isEqualTo(data);
  }

  @Test
  void no_more_of_a_shard_is_read_than_the_store_takes() {
    source(square().chunkShape(8, 8).build());
    HeldRequests held =
        target.hold(
            request ->
                request.operation() == StoreOperation.SET && request.target().startsWith("c/"));
    Disposable running = copy().chunkShape(8, 8).shardShape(96, 96).run().subscribe();
    eventually("an upload begins", () -> held.waiting() == 1);
    settled();
    assertThat(requests(store, StoreOperation.GET)).isLessThan(40); // of 144 chunks
    running.dispose();
    held.release();
    eventually("all are given up", () -> target.counts().inFlight() == 0);
  }

  @Test
  void a_copy_into_large_shards_is_resumed_with_those_that_are_missing() {
    source(square().chunkShape(8, 8).build());
    target.fail(
        request -> request.operation() == StoreOperation.SET && request.target().equals("c/1/1"),
        () -> new StoreException("the disk is full", Location.UNKNOWN));
    ZarrCopy broken = copy().chunkShape(8, 8).shardShape(48, 48);
    assertThat(errorOf(broken.run().then())).hasMessageContaining("the disk is full");
    target.behave();
    target.counts().reset();
    CopyProgress end =
        copy().chunkShape(8, 8).shardShape(48, 48).ifExists(IfExists.RESUME).run().blockLast();
    assertThat(end.chunksSkipped()).isEqualTo(3);
    assertThat(requests(target, StoreOperation.SET)).isOne();
    checkCopied();
  }

  @Test
  void a_stored_value_beyond_the_bound_is_copied_by_its_ranges(@TempDir Path directory) {
    source(square().chunkShape(8, 8).shardShape(96, 96).build());
    ZarrCopy.of(Zarr.hierarchy(store), Zarr.hierarchy(FileSystemStore.open(directory), SMALL))
        .run()
        .blockLast();
    assertThat(requests(store, StoreOperation.GET)).isZero();
    assertThat(requests(store, StoreOperation.GET_RANGE)).isGreaterThan(8);
    assertThat(FileSystemStore.open(directory).get(StoreKey.of("c/0/0")).block())
        .isEqualTo(store.get(StoreKey.of("c/0/0")).block());
  }

  @Test
  void a_stored_value_that_is_small_is_copied_whole_though_its_chunk_is_large() {
    Zarr.hierarchy(store)
        .createArray("", square().chunkShape(96, 96).build())
        .flatMap(array -> array.write(Selection.all(), 1))
        .block();
    store.counts().reset();
    copy().run().blockLast();
    assertThat(requests(store, StoreOperation.GET)).isOne();
    assertThat(Zarr.hierarchy(target).openArray("").flatMap(ZarrArray::read).block().toIntArray())
        .containsOnly(1);
  }

  @Test
  void a_value_that_is_replaced_while_its_ranges_are_read_is_copied_anew() {
    copiedWhileReplaced(3);
  }

  @Test
  void a_value_that_is_replaced_before_its_size_is_known_is_copied_anew() {
    copiedWhileReplaced(2);
  }

  /** Replaces a shard by a longer value when this number of its requests have begun. */
  private void copiedWhileReplaced(int requests) {
    source(square().chunkShape(8, 8).shardShape(96, 96).build());
    AtomicInteger begun = new AtomicInteger();
    HeldRequests held =
        store.hold(
            request ->
                request.target().equals(SHARD.value()) && begun.incrementAndGet() == requests);
    CompletableFuture<Void> copied = copy().run().then().toFuture();
    eventually("the request is made", () -> held.waiting() == 1);
    Bytes longer = twice(values.get(SHARD).block());
    values.set(SHARD, longer).block();
    held.release();
    eventually("the copy ends", copied::isDone);
    copied.join();
    assertThat(target.get(SHARD).block()).isEqualTo(longer);
  }

  private static Bytes twice(Bytes value) {
    byte[] twice = Arrays.copyOf(value.toByteArray(), 2 * value.size());
    value.copyTo(0, twice, value.size(), value.size());
    return Bytes.wrap(twice);
  }

  @Test
  void a_value_that_is_replaced_at_each_look_fails_the_copy() {
    source(square().chunkShape(8, 8).shardShape(96, 96).build());
    store.hold(
        request -> {
          if (request.target().equals(SHARD.value())) {
            values.get(SHARD).flatMap(value -> values.set(SHARD, value)).subscribe();
          }
          return false;
        });
    CompletableFuture<Void> copied = copy().run().then().toFuture();
    eventually("the copy ends", copied::isDone);
    assertThatExceptionOfType(CompletionException.class)
        .isThrownBy(copied::join)
        .havingCause()
        .isInstanceOf(PreconditionFailedException.class)
        .withMessageContaining("replaced 5 times while it was copied")
        .withMessageContaining(SHARD.value());
    assertThat(target.get(SHARD).block()).isNull();
  }

  private ZarrArray shard() {
    return Zarr.hierarchy(target, SMALL)
        .createArray(
            "a", square().chunkShape(32, 32).shardShape(64, 64).compressors(Codecs.zstd(1)).build())
        .block();
  }

  private static Chunk part(ZarrArray array, String selection) {
    Selection place = Selection.parse(selection);
    return new Chunk(new long[2], place.resolve(array.shape()), numbers().slice(place));
  }

  private static Flux<Chunk> parts(ZarrArray array, String... selections) {
    return Flux.fromStream(() -> Stream.of(selections).map(text -> part(array, text)));
  }

  @Test
  void a_shard_is_stored_from_its_parts_in_any_order_and_ends_with_the_array() {
    ZarrArray array = shard();
    array
        .writeShard(new long[] {0, 0}, parts(array, "32:64,0:32", "0:32,0:64", "32:64,32:64"))
        .block();
    array.writeShard(new long[] {0, 1}, parts(array, "32:64,64:96", "0:32,64:96")).block();
    assertThat(array.read("0:64").block()).isEqualTo(numbers().slice(Selection.parse("0:64")));
    assertThat(array.chunkExists(1, 0).block()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0:32,0:64", // parts are missing
        "0:32,0:64 0:32,0:32 32:64,0:64", // one came before
        "0:31,0:64 31:64,0:64", // not whole inner chunks
        "0:64,0:96", // of two shards
      })
  void parts_that_are_not_the_shard_are_refused_and_nothing_is_stored(String selections) {
    ZarrArray array = shard();
    Throwable error =
        errorOf(array.writeShard(new long[] {0, 0}, parts(array, selections.split(" "))));
    assertThat(error).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("inner");
    eventually("the upload is given up", () -> target.counts().inFlight() == 0);
    assertThat(array.chunkExists(0, 0).block()).isFalse();
  }

  @Test
  void a_chunk_that_is_no_shard_is_refused() {
    ZarrArray plain = Zarr.hierarchy(target).createArray("b", square().build()).block();
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(() -> plain.writeShard(new long[] {0, 0}, Flux.empty()))
        .withMessageContaining("index is at its end");
  }
}
