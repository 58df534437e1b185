package dev.zarrreactive.testkit.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.error.CodecException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * The contract of every {@link BytesToBytesCodec}. Extend it in the tests of a codec, with JUnit 5:
 *
 * <pre>{@code
 * class MyCodecContractTest extends BytesToBytesCodecContract {
 *   @Override
 *   protected BytesToBytesCodec codec() {
 *     return new MyCodec(3);
 *   }
 * }
 * }</pre>
 *
 * <p>Override {@code samples} for a codec that does not take just any bytes, {@code scratch} for
 * one that needs much memory beside the result's.
 */
public abstract class BytesToBytesCodecContract {
  /** For subclasses. */
  protected BytesToBytesCodecContract() {}

  /** The codec. */
  protected abstract BytesToBytesCodec codec();

  /** Returns the bytes to encode. */
  protected List<Bytes> samples() {
    return CodecTrials.bytes();
  }

  /**
   * How many bytes of memory a call may take beside the result's and, encoding, twice the input's.
   */
  protected long scratch() {
    return 2 << 20;
  }

  private static DecodeTarget exactly(long size) {
    return DecodeTarget.fresh(SizeBound.exactly(size));
  }

  private static void assertRefused(BytesToBytesCodec codec, Bytes encoded, DecodeTarget target) {
    assertThatExceptionOfType(CodecException.class)
        .as("%s, decoded to %s", encoded, target.size())
        .isThrownBy(() -> codec.decode(encoded, target))
        .satisfies(error -> assertThat(error.statement()).isNotBlank());
  }

  @Test
  void it_can_be_written_into_metadata() {
    BytesToBytesCodec codec = codec();
    assertThat(codec.name()).isNotBlank().isEqualTo(codec.configuration().name());
  }

  @Test
  void what_was_encoded_is_decoded_to_the_same_bytes() {
    BytesToBytesCodec codec = codec();
    for (Bytes sample : samples()) {
      Bytes encoded = codec.encode(sample);
      assertThat(codec.decode(encoded, exactly(sample.size()))).isEqualTo(sample);
      for (long most : new long[] {sample.size(), 2L * sample.size() + 1, Long.MAX_VALUE}) {
        assertThat(codec.decode(encoded, DecodeTarget.fresh(SizeBound.atMost(most))))
            .as("%s, expecting at most %s bytes", sample, most)
            .isEqualTo(sample);
      }
    }
  }

  @Test
  void it_decodes_into_the_target_and_nowhere_else() {
    BytesToBytesCodec codec = codec();
    for (Bytes sample : samples()) {
      byte[] memory = CodecTrials.inside(sample).unsafeArray().clone();
      byte[] before = memory.clone();
      Bytes decoded =
          codec.decode(codec.encode(sample), DecodeTarget.into(memory, 7, sample.size()));
      assertThat(decoded).isEqualTo(sample);
      assertThat(memory).as("around and at the target").isEqualTo(before);

      AtomicLong asked = new AtomicLong();
      DecodeTarget longer =
          DecodeTarget.from(
              length -> {
                asked.addAndGet(length);
                return new byte[length + 100];
              },
              SizeBound.exactly(sample.size()));
      assertThat(codec.decode(codec.encode(sample), longer)).isEqualTo(sample);
      assertThat(asked).hasValueLessThanOrEqualTo(sample.size());
    }
  }

  @Test
  void the_part_that_is_wanted_is_decoded_to_the_same_bytes() {
    BytesToBytesCodec codec = codec();
    for (Bytes sample : samples()) {
      Bytes encoded = codec.encode(sample);
      int size = sample.size();
      for (int from : new int[] {0, size / 3, size - size / 9}) {
        for (int to : new int[] {from, from + (size - from) / 2, size, size + 7}) {
          Bytes decoded = codec.decode(encoded, exactly(size).part(from, to));
          int length = Math.min(to, size) - from;
          assertThat(decoded.size()).isEqualTo(size);
          assertThat(decoded.slice(from, length))
              .as("bytes %d to %d of %s", from, to, sample)
              .isEqualTo(sample.slice(from, length));
        }
      }
    }
  }

  @Test
  void encoded_sizes_keep_within_their_bound() {
    BytesToBytesCodec codec = codec();
    for (Bytes sample : samples()) {
      long size = codec.encode(sample).size();
      assertThat(codec.encodedSize(SizeBound.exactly(sample.size())))
          .matches(bound -> bound.allows(size), "allows " + size + " bytes");
      SizeBound loose = codec.encodedSize(SizeBound.atMost(sample.size()));
      assertThat(loose).matches(bound -> bound.allows(size), "allows " + size + " bytes");
      assertThat(loose.exact()).as("of what is not known exactly").isFalse();
    }
    assertThat(codec.encodedSize(SizeBound.atMost(Long.MAX_VALUE)).bytes())
        .as("of what is as large as can be said")
        .isPositive();
  }

  @Test
  void the_same_bytes_are_always_encoded_to_the_same() {
    for (Bytes sample : samples()) {
      assertThat(codec().encode(CodecTrials.inside(sample))).isEqualTo(codec().encode(sample));
    }
  }

  @Test
  void input_is_left_as_it_is_and_results_stay_what_they_are() {
    BytesToBytesCodec codec = codec();
    for (Bytes sample : samples()) {
      Bytes input = CodecTrials.inside(sample);
      byte[] before = input.unsafeArray().clone();
      Bytes encoded = codec.encode(input);
      assertThat(input.unsafeArray()).as("the input of encode").isEqualTo(before);

      Bytes stored = CodecTrials.inside(encoded);
      before = stored.unsafeArray().clone();
      Bytes decoded = codec.decode(stored, exactly(sample.size()));
      assertThat(stored.unsafeArray()).as("the input of decode").isEqualTo(before);

      Bytes first = Bytes.wrap(encoded.toByteArray());
      Bytes other = Bytes.wrap(new byte[sample.size()]);
      codec.decode(codec.encode(other), exactly(other.size()));
      assertThat(encoded).as("encoded, after another was").isEqualTo(first);
      assertThat(decoded).as("decoded, after another was").isEqualTo(sample);
    }
  }

  @Test
  void another_size_than_expected_is_refused() {
    BytesToBytesCodec codec = codec();
    for (Bytes sample : samples()) {
      Bytes encoded = codec.encode(sample);
      assertRefused(codec, encoded, exactly(sample.size() + 1L));
      assertRefused(codec, encoded, exactly(2L * sample.size() + 1));
      assertRefused(codec, encoded, exactly(1L << 40));
      if (sample.size() > 0) {
        assertRefused(codec, encoded, exactly(sample.size() - 1L));
        assertRefused(codec, encoded, exactly(0));
        assertRefused(codec, encoded, DecodeTarget.fresh(SizeBound.atMost(sample.size() - 1L)));
      }
    }
  }

  @Test
  void what_is_cut_off_is_refused() {
    BytesToBytesCodec codec = codec();
    for (Bytes sample : samples()) {
      Bytes encoded = codec.encode(sample);
      for (int size : CodecTrials.cuts(encoded.size())) {
        assertRefused(codec, encoded.slice(0, size), exactly(sample.size()));
      }
    }
  }

  @Test
  void what_is_followed_by_something_is_refused() {
    BytesToBytesCodec codec = codec();
    for (Bytes sample : samples()) {
      Bytes encoded = codec.encode(sample);
      for (byte more : new byte[] {0, 1, -1}) {
        Bytes followed = CodecTrials.followedBy(encoded, Bytes.wrap(new byte[] {more}));
        assertRefused(codec, followed, exactly(sample.size()));
      }
      if (sample.size() > 0) {
        Bytes twice = CodecTrials.followedBy(encoded, encoded);
        assertRefused(codec, twice, exactly(sample.size()));
      }
    }
  }

  @Test
  void damage_is_refused_or_does_no_harm() {
    BytesToBytesCodec codec = codec();
    for (Bytes sample : samples()) {
      Bytes encoded = codec.encode(sample);
      for (Bytes damaged : CodecTrials.damaged(encoded, sample)) {
        for (SizeBound bound :
            List.of(SizeBound.exactly(sample.size()), SizeBound.atMost(2L * sample.size()))) {
          long most = 2 * bound.bytes() + scratch();
          assertThat(CodecTrials.allocatedBy(() -> decodeOrRefuse(codec, damaged, bound), most))
              .as("bytes of memory for %s, which may decode to %s", damaged, bound)
              .isLessThan(most);
        }
      }
    }
  }

  private static void decodeOrRefuse(BytesToBytesCodec codec, Bytes damaged, SizeBound bound) {
    try {
      long size = codec.decode(damaged, DecodeTarget.fresh(bound)).size();
      assertThat(bound).matches(b -> b.allows(size), "allows " + size + " bytes");
    } catch (CodecException e) {
      assertThat(e.statement()).isNotBlank();
    } catch (RuntimeException e) {
      throw new AssertionError("only a CodecException may be thrown for " + damaged, e);
    }
  }

  @Test
  void a_bomb_costs_no_more_than_what_was_expected() {
    BytesToBytesCodec codec = codec();
    Bytes bomb = codec.encode(Bytes.wrap(new byte[16 << 20]));
    for (SizeBound bound : List.of(SizeBound.exactly(48), SizeBound.atMost(48))) {
      long allocated =
          CodecTrials.allocatedBy(
              () -> assertRefused(codec, bomb, DecodeTarget.fresh(bound)), scratch());
      assertThat(allocated)
          .as("bytes of memory for what may decode to %s", bound)
          .isLessThan(scratch());
    }
  }

  @Test
  void many_threads_may_use_it_at_the_same_time() {
    BytesToBytesCodec codec = codec();
    List<Bytes> samples = samples();
    List<Bytes> expected = samples.stream().map(codec::encode).toList();
    CodecTrials.onManyThreads(
        () -> {
          for (int i = 0; i < samples.size(); i++) {
            Bytes sample = samples.get(i);
            assertThat(codec.encode(sample)).isEqualTo(expected.get(i));
            assertThat(codec.decode(expected.get(i), exactly(sample.size()))).isEqualTo(sample);
          }
        });
  }
}
