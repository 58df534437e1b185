package dev.zarrreactive.stream;

import static dev.zarrreactive.testing.ShardArrays.checked;
import static dev.zarrreactive.testing.ShardArrays.sharding;
import static dev.zarrreactive.testing.TestArrays.CHUNK_BYTES;
import static dev.zarrreactive.testing.TestArrays.chunk;
import static dev.zarrreactive.testing.TestArrays.chunks;
import static dev.zarrreactive.testing.TestArrays.row;
import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.NothingIsDropped;
import dev.zarrreactive.testing.TestArrays;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** A stream of bytes reads one band of chunks at a time, when the subscriber demands it. */
@ExtendWith(NothingIsDropped.class)
class BytesStreamTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** A band has two chunks of a row, of 16 bytes each. */
  private static final ZarrOptions TWO_CHUNKS =
      ZarrOptions.defaults().withMaxInFlightBytes(64 * CHUNK_BYTES);

  private final InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());

  @Test
  void the_first_band_is_read_when_a_piece_is_demanded() {
    ZarrArray array = row(100, store, TWO_CHUNKS);
    StepVerifier.create(array.readBytes(Selection.all(), 8), 0)
        .expectSubscription()
        .then(() -> assertThat(store.counts().total()).isZero())
        .thenRequest(1)
        .expectNextCount(1)
        .then(() -> assertThat(store.counts().total()).isEqualTo(2))
        .thenCancel()
        .verify(PATIENCE);
  }

  @Test
  void the_next_band_is_read_when_three_quarters_of_a_band_are_handed_on() {
    ZarrHierarchy client = hierarchy(100, TWO_CHUNKS);
    ZarrArray array = client.openArray("a").block();
    store.counts().reset();
    StepVerifier.create(array.readBytes(Selection.all(), 8), 0)
        .thenRequest(2)
        .expectNextCount(2)
        .then(() -> assertThat(store.counts().total()).isEqualTo(2))
        .thenRequest(1)
        .expectNextCount(1)
        .then(() -> assertDecoded(client, 4))
        .thenRequest(4)
        .expectNextCount(4)
        .then(() -> assertDecoded(client, 6))
        .thenRequest(Long.MAX_VALUE)
        .expectNextCount(50 * 4 - 7)
        .expectComplete()
        .verify(PATIENCE);
    assertThat(store.counts().total()).isEqualTo(100);
  }

  private void assertDecoded(ZarrHierarchy client, int chunks) {
    eventually("the next band is requested", () -> store.counts().total() >= chunks);
    eventually("only elements are held", () -> client.bytesInFlight() == 4 * CHUNK_BYTES);
    assertThat(store.counts().total()).isEqualTo(chunks);
  }

  @Test
  void each_chunk_is_read_once() {
    ZarrArray array =
        TestArrays.counting(
            ArrayMetadata.v3(Shape.of(30, 50), DataTypes.INT32).uncompressed().chunkShape(7, 9),
            store,
            ZarrOptions.defaults().withMaxInFlightBytes(4 * 7 * 50 * 4));
    byte[] all = joined(array.readBytes(Selection.all(), 100));
    assertThat(all).isEqualTo(TestArrays.counting(array.shape()).bytes().toByteArray());
    assertThat(store.counts().total()).isEqualTo(5 * 6);
  }

  @Test
  void the_memory_is_little_endian_whatever_is_stored() {
    ZarrArray array =
        TestArrays.counting(
            ArrayMetadata.v3(Shape.of(2), DataTypes.INT32)
                .codecs(NamedConfiguration.of("bytes", JsonObject.EMPTY.with("endian", "big"))),
            store,
            ZarrOptions.defaults());
    assertThat(joined(array.readBytes(Selection.all(), 3))).containsExactly(1, 0, 0, 0, 2, 0, 0, 0);
  }

  @Test
  void a_scalar_is_one_piece_and_an_empty_selection_none() {
    ZarrArray scalar =
        TestArrays.counting(
            ArrayMetadata.v3(Shape.SCALAR, DataTypes.INT32).uncompressed(),
            store,
            ZarrOptions.defaults());
    assertThat(joined(scalar.readBytes(Selection.all(), 1000))).containsExactly(1, 0, 0, 0);
    ZarrArray array = row(3, InstrumentedStore.of(MemoryStore.create()), TWO_CHUNKS);
    StepVerifier.create(array.readBytes(Selection.parse("5:5"), 8)).verifyComplete();
    StepVerifier.create(array.readBytes(Selection.points(), 8)).verifyComplete();
  }

  @Test
  void pieces_are_views_of_one_band() {
    ZarrArray array = row(2, store, TWO_CHUNKS);
    List<Bytes> pieces = array.readBytes(Selection.all(), 8).collectList().block(PATIENCE);
    assertThat(pieces).extracting(Bytes::size).containsExactly(8, 8, 8, 8);
    assertThat(pieces).extracting(Bytes::unsafeArray).containsOnly(pieces.get(0).unsafeArray());
  }

  @Test
  void a_band_counts_until_its_last_piece_is_handed_on() {
    ZarrHierarchy client = hierarchy(2, TWO_CHUNKS);
    ZarrArray array = client.openArray("a").block();
    StepVerifier.create(array.readBytes(Selection.all(), 8), 0)
        .thenRequest(3)
        .expectNextCount(3)
        .then(() -> assertThat(client.bytesInFlight()).isEqualTo(2 * CHUNK_BYTES))
        .thenRequest(1)
        .expectNextCount(1)
        .then(() -> assertThat(client.bytesInFlight()).isZero())
        .thenRequest(1)
        .expectComplete()
        .verify(PATIENCE);
  }

  private ZarrHierarchy hierarchy(int chunks, ZarrOptions options) {
    row(chunks, store, options);
    return Zarr.hierarchy(store, options);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 8, 64})
  void clients_that_stop_do_not_stop_others_and_get_everything_when_they_go_on(int budgetInChunks) {
    ZarrHierarchy client =
        hierarchy(8, ZarrOptions.defaults().withMaxInFlightBytes(budgetInChunks * CHUNK_BYTES));
    ZarrArray array = client.openArray("a").block();
    byte[] expected = TestArrays.counting(array.shape()).bytes().toByteArray();
    List<Stopping> stopped = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      stopped.add(array.readBytes(Selection.all(), 5).subscribeWith(new Stopping()));
    }
    stopped.forEach(one -> eventually("a piece is there", () -> one.received.size() > 0));
    assertThat(array.read(Selection.parse("0:8")).block(PATIENCE).bytes().size()).isEqualTo(32);
    assertThat(joined(array.readBytes(Selection.parse("0:8"), 16))).hasSize(32);
    stopped.forEach(one -> one.request(Long.MAX_VALUE));
    for (Stopping one : stopped) {
      eventually("the stream is over", one::isDisposed);
      assertThat(one.received.toByteArray()).isEqualTo(expected);
    }
    eventually("nothing is held", () -> client.bytesInFlight() == 0);
  }

  /** Takes one piece and stops. */
  private static final class Stopping extends BaseSubscriber<Bytes> {
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();

    @Override
    protected void hookOnSubscribe(Subscription subscription) {
      subscription.request(1);
    }

    @Override
    protected void hookOnNext(Bytes piece) {
      received.writeBytes(piece.toByteArray());
    }
  }

  @Test
  void shards_are_streamed_while_other_streams_hold_the_whole_budget() {
    Shape shape = Shape.of(32, 32);
    ZarrOptions options = ZarrOptions.defaults().withMaxInFlightBytes(512);
    TestArrays.counting(
        ArrayMetadata.v3(shape, DataTypes.INT32)
            .chunkShape(16, 16)
            .codecs(sharding("end", checked(), 4, 4)),
        store,
        options);
    ZarrArray array = TestArrays.open(store, options);
    byte[] expected = TestArrays.counting(shape).bytes().toByteArray();
    List<byte[]> all =
        Flux.range(0, 4)
            .flatMap(i -> collected(array.readBytes(Selection.all(), 100)), 4)
            .collectList()
            .block(PATIENCE);
    assertThat(all).hasSize(4).allSatisfy(bytes -> assertThat(bytes).isEqualTo(expected));
  }

  @Test
  void a_cancel_gives_up_the_requests_and_the_bytes() {
    ZarrHierarchy client = hierarchy(100, TWO_CHUNKS);
    ZarrArray array = client.openArray("a").block();
    store.counts().reset();
    HeldRequests held = store.hold(chunks());
    StepVerifier.create(array.readBytes(Selection.all(), 8))
        .expectSubscription()
        .then(() -> eventually("the first band is requested", () -> held.waiting() == 2))
        .thenCancel()
        .verify(PATIENCE);
    eventually("no request is in flight", () -> store.counts().inFlight() == 0);
    assertThat(store.counts().total()).isEqualTo(2);
    assertThat(client.bytesInFlight()).isZero();
  }

  @Test
  void an_error_names_the_chunk() {
    ZarrArray array = row(10, store, TWO_CHUNKS);
    store.fail(chunk(5), () -> new StoreException("broken", Location.UNKNOWN));
    StepVerifier.create(array.readBytes(Selection.all(), 8))
        .thenConsumeWhile(piece -> true)
        .expectErrorSatisfies(
            e ->
                assertThat(e)
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("broken")
                    .hasMessageContaining("a/c/5"))
        .verify(PATIENCE);
  }

  @Test
  void every_subscription_reads_again() {
    ZarrArray array = row(4, store, TWO_CHUNKS);
    Flux<Bytes> bytes = array.readBytes(Selection.all(), 8);
    assertThat(store.counts().total()).isZero();
    assertThat(joined(bytes)).isEqualTo(joined(bytes));
    assertThat(store.counts().total()).isEqualTo(8);
  }

  @Test
  void elements_of_any_length_are_refused() {
    ZarrArray array =
        TestArrays.empty(
            ArrayMetadata.v3(Shape.of(3), DataTypes.STRING).uncompressed(), store, TWO_CHUNKS);
    StepVerifier.create(array.readBytes(Selection.all(), 8))
        .expectErrorSatisfies(
            e ->
                assertThat(e)
                    .isInstanceOf(UnsupportedFeatureException.class)
                    .hasMessageContaining("elements of string have a variable size")
                    .hasMessageContaining("node /a"))
        .verify(PATIENCE);
  }

  @Test
  void pieces_without_bytes_and_selections_outside_are_refused_at_once() {
    ZarrArray array = row(1, store, TWO_CHUNKS);
    assertThatThrownBy(() -> array.readBytes(Selection.all(), 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("pieceSize must be at least 1, not 0");
    assertThatThrownBy(() -> array.readBytes(Selection.parse("0:9"), 8))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static byte[] joined(Flux<Bytes> pieces) {
    return collected(pieces).block(PATIENCE);
  }

  private static Mono<byte[]> collected(Flux<Bytes> pieces) {
    return pieces
        .collect(ByteArrayOutputStream::new, (all, piece) -> all.writeBytes(piece.toByteArray()))
        .map(ByteArrayOutputStream::toByteArray);
  }
}
