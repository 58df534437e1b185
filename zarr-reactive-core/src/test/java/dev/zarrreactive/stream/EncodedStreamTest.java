package dev.zarrreactive.stream;

import static dev.zarrreactive.testing.CodecThreads.settled;
import static dev.zarrreactive.testing.TestArrays.CHUNK_BYTES;
import static dev.zarrreactive.testing.TestArrays.chunk;
import static dev.zarrreactive.testing.TestArrays.chunks;
import static dev.zarrreactive.testing.TestArrays.row;
import static dev.zarrreactive.testing.Waiting.eventually;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.encoding.Encoder;
import dev.zarrreactive.encoding.Encoding;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.HeadedImages;
import dev.zarrreactive.testing.LineEncoding;
import dev.zarrreactive.testing.NothingIsDropped;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

/** A stream of encoded elements reads and encodes what the subscriber demands. */
@ExtendWith(NothingIsDropped.class)
class EncodedStreamTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** A band has two chunks of a row: 8 elements in 32 bytes. */
  private static final ZarrOptions TWO_CHUNKS =
      ZarrOptions.defaults().withMaxInFlightBytes(64 * CHUNK_BYTES);

  private final InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());

  /** One piece for each element: a byte. */
  private static class OneByte implements Encoding, Encoder {
    final AtomicInteger encoded = new AtomicInteger();
    final Queue<String> threads = new ConcurrentLinkedQueue<>();

    @Override
    public String mediaType() {
      return "application/octet-stream";
    }

    @Override
    public String fileSuffix() {
      return ".one";
    }

    @Override
    public Encoder encoder(ArrayMetadata array, ResolvedSelection selection) {
      return this;
    }

    @Override
    public Part encode(NdArray band, int from, int size) {
      threads.add(Thread.currentThread().getName());
      encoded.incrementAndGet();
      return new Part(Bytes.wrap(new byte[] {(byte) band.asIntBuffer().get(from)}), from + 1);
    }
  }

  @Test
  void nothing_is_read_before_a_piece_is_demanded() {
    ZarrArray array = row(100, store, TWO_CHUNKS);
    StepVerifier.create(array.encode(Selection.all(), new HeadedImages(), 128), 0)
        .expectSubscription()
        .then(() -> assertThat(store.counts().total()).isZero())
        .thenRequest(1)
        .expectNextMatches(header -> header.size() == 128)
        .then(() -> assertThat(store.counts().total()).isEqualTo(2))
        .thenCancel()
        .verify(PATIENCE);
  }

  @Test
  void the_elements_are_encoded_one_piece_ahead_and_read_one_band_ahead() {
    ZarrArray array = row(100, store, TWO_CHUNKS);
    OneByte one = new OneByte();
    StepVerifier.create(array.encode(Selection.all(), one, 100), 0)
        .thenRequest(5)
        .expectNextCount(5)
        .then(() -> assertState(one, 6, 2))
        .thenRequest(1)
        .expectNextCount(1)
        .then(() -> assertState(one, 7, 4))
        .thenRequest(4)
        .expectNextCount(4)
        .then(() -> assertState(one, 11, 4))
        .thenRequest(Long.MAX_VALUE)
        .expectNextCount(390)
        .expectComplete()
        .verify(PATIENCE);
    assertThat(one.encoded).hasValue(400);
    assertThat(store.counts().total()).isEqualTo(100);
  }

  private void assertState(OneByte one, int encoded, int requests) {
    eventually("encoded", () -> one.encoded.get() >= encoded);
    eventually("requested", () -> store.counts().total() >= requests);
    settled();
    assertThat(one.encoded).hasValue(encoded);
    assertThat(store.counts().total()).isEqualTo(requests);
  }

  @Test
  void bands_are_smaller_beside_many_streams() {
    ZarrArray array = row(100, store, TWO_CHUNKS);
    List<Disposable> others =
        IntStream.range(0, 31)
            .mapToObj(i -> array.encode(Selection.all(), Encoding.raw(LITTLE_ENDIAN), 1 << 10))
            .map(stream -> stream.subscribeWith(new Stopped()))
            .map(Disposable.class::cast)
            .toList();
    assertThat(bandBytes(array)).isEqualTo(CHUNK_BYTES);
    others.forEach(Disposable::dispose);
    assertThat(bandBytes(array)).isEqualTo(2 * CHUNK_BYTES);
  }

  /** A subscriber that demands nothing. */
  private static final class Stopped extends BaseSubscriber<Bytes> {
    @Override
    protected void hookOnSubscribe(Subscription subscription) {}
  }

  /** A piece is a part of one band. */
  private static int bandBytes(ZarrArray array) {
    Bytes first =
        array.encode(Selection.all(), Encoding.raw(LITTLE_ENDIAN), 1 << 10).blockFirst(PATIENCE);
    return Objects.requireNonNull(first).size();
  }

  @Test
  void the_codec_threads_encode_whichever_thread_demands() {
    Scheduler codecs = Schedulers.newParallel("codecs-of-the-test", 2, true);
    try {
      ZarrArray array = row(10, store, TWO_CHUNKS.withCodecScheduler(codecs));
      OneByte one = new OneByte();
      StepVerifier.create(array.encode(Selection.all(), one, 100), 0)
          .thenRequest(1)
          .expectNextCount(1)
          .thenRequest(13)
          .expectNextCount(13)
          .thenRequest(100)
          .expectNextCount(26)
          .expectComplete()
          .verify(PATIENCE);
      assertThat(one.threads)
          .hasSize(40)
          .allSatisfy(thread -> assertThat(thread).startsWith("codecs-of-the-test"));
    } finally {
      codecs.dispose();
    }
  }

  @Test
  void a_band_counts_until_a_slow_subscriber_has_taken_its_last_piece() {
    row(4, store, TWO_CHUNKS);
    ZarrHierarchy client = Zarr.hierarchy(store, TWO_CHUNKS);
    ZarrArray array = client.openArray("a").block();
    StepVerifier.create(array.encode(Selection.all(), new LineEncoding(), 2), 0)
        .thenRequest(1)
        .expectNextCount(1)
        .then(() -> assertInFlight(client, 2 * CHUNK_BYTES))
        .thenRequest(6) // of 8 in the first band: the second one is read
        .expectNextCount(6)
        .then(() -> assertInFlight(client, 4 * CHUNK_BYTES))
        .thenRequest(1)
        .expectNextCount(1)
        .then(() -> assertInFlight(client, 2 * CHUNK_BYTES))
        .thenRequest(Long.MAX_VALUE)
        .thenConsumeWhile(piece -> true)
        .expectComplete()
        .verify(PATIENCE);
    assertThat(client.bytesInFlight()).isZero();
  }

  private static void assertInFlight(ZarrHierarchy client, long bytes) {
    eventually("the bytes in flight", () -> client.bytesInFlight() == bytes);
    settled();
    assertThat(client.bytesInFlight()).isEqualTo(bytes);
  }

  @Test
  void a_cancel_gives_up_the_requests_and_the_bytes() {
    row(100, store, TWO_CHUNKS);
    ZarrHierarchy client = Zarr.hierarchy(store, TWO_CHUNKS);
    ZarrArray array = client.openArray("a").block();
    store.counts().reset();
    HeldRequests held = store.hold(chunks());
    StepVerifier.create(array.encode(Selection.all(), new LineEncoding(), 100))
        .expectSubscription()
        .then(() -> eventually("the first band is requested", () -> held.waiting() == 2))
        .thenCancel()
        .verify(PATIENCE);
    eventually("no request is in flight", () -> store.counts().inFlight() == 0);
    assertThat(store.counts().total()).isEqualTo(2);
    assertThat(client.bytesInFlight()).isZero();
  }

  @Test
  void cancels_at_any_piece_leave_nothing_behind() {
    row(40, store, TWO_CHUNKS);
    ZarrHierarchy client = Zarr.hierarchy(store, TWO_CHUNKS);
    ZarrArray array = client.openArray("a").block();
    for (int pieces = 1; pieces < 80; pieces++) {
      List<Bytes> taken =
          array
              .encode(Selection.all(), new LineEncoding(), 4)
              .take(pieces)
              .collectList()
              .block(PATIENCE);
      assertThat(taken).hasSize(pieces);
    }
    settled();
    eventually("nothing is held", () -> client.bytesInFlight() == 0);
    eventually("no request is in flight", () -> store.counts().inFlight() == 0);
  }

  @Test
  void an_error_names_the_chunk_and_ends_the_stream() {
    ZarrArray array = row(10, store, TWO_CHUNKS);
    store.fail(chunk(5), () -> new StoreException("broken", Location.UNKNOWN));
    StepVerifier.create(array.encode(Selection.all(), new LineEncoding(), 8))
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
  void an_error_before_the_first_band_is_the_first_signal() {
    ZarrArray array = row(10, store, TWO_CHUNKS);
    store.fail(chunk(0), () -> new StoreException("broken", Location.UNKNOWN));
    StepVerifier.create(array.encode(Selection.all(), new HeadedImages(), 8))
        .expectError(StoreException.class)
        .verify(PATIENCE);
  }

  @Test
  void an_encoder_that_throws_ends_the_stream_and_gives_the_bytes_back() {
    row(100, store, TWO_CHUNKS);
    ZarrHierarchy client = Zarr.hierarchy(store, TWO_CHUNKS);
    ZarrArray array = client.openArray("a").block();
    OneByte failing =
        new OneByte() {
          @Override
          public Part encode(NdArray band, int from, int size) {
            if (encoded.get() == 20) {
              throw new IllegalArgumentException("no more");
            }
            return super.encode(band, from, size);
          }
        };
    StepVerifier.create(array.encode(Selection.all(), failing, 8))
        .expectNextCount(20)
        .expectErrorMessage("no more")
        .verify(PATIENCE);
    eventually("nothing is held", () -> client.bytesInFlight() == 0);
  }

  @Test
  void an_encoder_that_takes_no_element_is_found() {
    ZarrArray array = row(1, store, TWO_CHUNKS);
    OneByte stuck =
        new OneByte() {
          @Override
          public Part encode(NdArray band, int from, int size) {
            return new Part(Bytes.EMPTY, from);
          }
        };
    StepVerifier.create(array.encode(Selection.all(), stuck, 8))
        .expectErrorMessage("the encoder took the elements from 0 to 0 of a band of 4")
        .verify(PATIENCE);
  }

  @Test
  void parts_without_bytes_are_no_pieces() {
    ZarrArray array = row(4, store, TWO_CHUNKS);
    OneByte odd =
        new OneByte() {
          @Override
          public Part encode(NdArray band, int from, int size) {
            Part part = super.encode(band, from, size);
            return from % 2 == 0 ? part : new Part(Bytes.EMPTY, part.next());
          }
        };
    Flux<Bytes> pieces = array.encode(Selection.all(), odd, 8);
    assertThat(pieces.map(piece -> (int) piece.get(0)).collectList().block(PATIENCE))
        .containsExactly(1, 3, 5, 7, 9, 11, 13, 15);
  }

  @Test
  void every_subscription_encodes_again() {
    ZarrArray array = row(4, store, TWO_CHUNKS);
    Flux<Bytes> lines = array.encode(Selection.all(), new LineEncoding(), 8);
    assertThat(lines.collectList().block(PATIENCE)).isEqualTo(lines.collectList().block(PATIENCE));
    assertThat(store.counts().total()).isEqualTo(8);
  }

  @Test
  void pieces_without_bytes_and_selections_outside_are_refused_at_once() {
    ZarrArray array = row(1, store, TWO_CHUNKS);
    assertThatThrownBy(() -> array.encode(Selection.all(), new LineEncoding(), 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("pieceSize must be at least 1, not 0");
    assertThatThrownBy(() -> array.encode(Selection.parse("0:9"), new LineEncoding(), 8))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
