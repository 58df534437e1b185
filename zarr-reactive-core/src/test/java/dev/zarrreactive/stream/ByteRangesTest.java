package dev.zarrreactive.stream;

import static dev.zarrreactive.testing.TestArrays.CHUNK_BYTES;
import static dev.zarrreactive.testing.TestArrays.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.encoding.Encoding;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.HeadedImages;
import dev.zarrreactive.testing.LineEncoding;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.io.ByteArrayOutputStream;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

/** A range of an encoded selection is that part of it, and nothing before it is read. */
class ByteRangesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** A band has two chunks of a row, of 16 bytes each. */
  private static final ZarrOptions TWO_CHUNKS =
      ZarrOptions.defaults().withMaxInFlightBytes(64 * CHUNK_BYTES);

  private static final List<Encoding> FIXED =
      List.of(
          Encoding.raw(ByteOrder.LITTLE_ENDIAN),
          Encoding.raw(ByteOrder.BIG_ENDIAN),
          new HeadedImages());

  private final InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());

  @Property(tries = 150)
  void a_range_is_that_part_of_everything(
      @ForAll @IntRange(max = 2) int format,
      @ForAll @IntRange(max = 700) int offset,
      @ForAll @IntRange(max = 700) int count,
      @ForAll @IntRange(min = 1, max = 40) int pieceSize) {
    ZarrArray array = row(9, InstrumentedStore.of(MemoryStore.create()), TWO_CHUNKS);
    byte[] all = joined(array.encode(Selection.all(), FIXED.get(format), 1000));
    byte[] part =
        joined(array.encode(Selection.all(), FIXED.get(format), offset, count, pieceSize));
    assertThat(part)
        .isEqualTo(
            Arrays.copyOfRange(
                all, Math.min(offset, all.length), Math.min(offset + count, all.length)));
  }

  @Test
  void only_the_bands_of_the_range_are_read() {
    ZarrArray array = row(100, store, TWO_CHUNKS);
    byte[] part =
        joined(array.encode(Selection.all(), new HeadedImages(), 128 + 32 * 20 + 3, 30, 8));
    assertThat(part).hasSize(30);
    assertThat(store.counts().total()).isEqualTo(4);
  }

  @Test
  void the_header_alone_reads_nothing() {
    ZarrArray array = row(100, store, TWO_CHUNKS);
    assertThat(joined(array.encode(Selection.all(), new HeadedImages(), 1, 100, 8))).hasSize(100);
    assertThat(store.counts().total()).isZero();
  }

  @Test
  void text_has_no_ranges_and_the_error_says_which_formats_have() {
    StepVerifier.create(
            row(4, store, TWO_CHUNKS).encode(Selection.all(), new LineEncoding(), 0, 1, 8))
        .expectErrorSatisfies(
            error ->
                assertThat(error)
                    .isInstanceOf(UnsupportedFeatureException.class)
                    .hasMessageContaining("raw or .npy"))
        .verify(PATIENCE);
  }

  @Test
  void a_negative_offset_is_refused_at_once() {
    ZarrArray array = row(4, store, TWO_CHUNKS);
    assertThatThrownBy(() -> array.encode(Selection.all(), new HeadedImages(), -1, 1, 8))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at least 0, not -1");
  }

  private static byte[] joined(Flux<Bytes> pieces) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (Bytes piece : pieces.collectList().block(PATIENCE)) {
      all.writeBytes(piece.toByteArray());
    }
    return all.toByteArray();
  }
}
