package dev.zarrreactive.testkit.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ArrayToBytesCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.error.CodecException;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The contract of every {@link ArrayToBytesCodec}. Extend it in the tests of a codec, with JUnit 5:
 *
 * <pre>{@code
 * class MyCodecContractTest extends ArrayToBytesCodecContract {
 *   @Override
 *   protected ArrayToBytesCodec codec() {
 *     return new MyCodec();
 *   }
 * }
 * }</pre>
 *
 * <p>Override {@code representations} and {@code chunk} for a codec that does not take just any
 * chunk, {@code assertDecoded} for one that loses something.
 */
public abstract class ArrayToBytesCodecContract {
  /** For subclasses. */
  protected ArrayToBytesCodecContract() {}

  /** The codec. */
  protected abstract ArrayToBytesCodec codec();

  /** Returns the representations of the chunks to encode. */
  protected List<ChunkRepresentation> representations() {
    return CodecTrials.representations();
  }

  /** A chunk to encode. */
  protected NdArray chunk(ChunkRepresentation representation) {
    return CodecTrials.chunk(representation);
  }

  /** Checks what became of a chunk; here, that it is the same bit for bit. */
  protected void assertDecoded(NdArray decoded, NdArray chunk) {
    assertThat(decoded.dataType()).isEqualTo(chunk.dataType());
    assertThat(decoded.shape()).isEqualTo(chunk.shape());
    assertThat(decoded).isEqualTo(chunk);
  }

  @Test
  void it_can_be_written_into_metadata() {
    ArrayToBytesCodec codec = codec();
    assertThat(codec.name()).isNotBlank().isEqualTo(codec.configuration().name());
  }

  @Test
  void what_was_encoded_is_decoded_to_the_same_chunk() {
    ArrayToBytesCodec codec = codec();
    for (ChunkRepresentation representation : representations()) {
      NdArray chunk = chunk(representation);
      Bytes encoded = codec.encode(chunk, representation);
      assertDecoded(codec.decode(encoded, representation), chunk);
      assertDecoded(codec.decode(CodecTrials.inside(encoded), representation), chunk);
    }
  }

  @Test
  void encoded_sizes_keep_within_their_bound() {
    ArrayToBytesCodec codec = codec();
    for (ChunkRepresentation representation : representations()) {
      long size = codec.encode(chunk(representation), representation).size();
      assertThat(codec.encodedSize(representation))
          .as("%s", representation)
          .matches(bound -> bound.allows(size), "allows " + size + " bytes");
    }
  }

  @Test
  void what_is_said_to_be_a_memory_image_is_one() {
    ArrayToBytesCodec codec = codec();
    for (ChunkRepresentation representation : representations()) {
      if (codec.isMemoryImage(representation)) {
        NdArray chunk = chunk(representation);
        assertThat(codec.encode(chunk, representation))
            .as("%s", representation)
            .isEqualTo(chunk.bytes());
      }
    }
  }

  @Test
  void the_same_chunk_is_always_encoded_to_the_same() {
    for (ChunkRepresentation representation : representations()) {
      NdArray chunk = chunk(representation);
      assertThat(codec().encode(CodecTrials.copyOf(chunk), representation))
          .as("%s", representation)
          .isEqualTo(codec().encode(chunk, representation));
    }
  }

  @Test
  void input_is_left_as_it_is() {
    ArrayToBytesCodec codec = codec();
    for (ChunkRepresentation representation : representations()) {
      NdArray chunk = chunk(representation);
      NdArray chunkBefore = CodecTrials.copyOf(chunk);
      Bytes encoded = codec.encode(chunk, representation);
      assertThat(chunk).as("the input of encode").isEqualTo(chunkBefore);
      byte[] before = encoded.toByteArray();
      codec.decode(encoded, representation);
      assertThat(encoded.toByteArray()).as("the input of decode").isEqualTo(before);
    }
  }

  @Test
  void what_is_cut_off_is_refused() {
    ArrayToBytesCodec codec = codec();
    for (ChunkRepresentation representation : representations()) {
      Bytes encoded = codec.encode(chunk(representation), representation);
      for (int size : CodecTrials.cuts(encoded.size())) {
        assertThatExceptionOfType(CodecException.class)
            .as("%s, cut to %s bytes", representation, size)
            .isThrownBy(() -> codec.decode(encoded.slice(0, size), representation))
            .satisfies(error -> assertThat(error.statement()).isNotBlank());
      }
    }
  }

  @Test
  void damage_is_refused_or_does_no_harm() {
    ArrayToBytesCodec codec = codec();
    for (ChunkRepresentation representation : representations()) {
      Bytes encoded = codec.encode(chunk(representation), representation);
      for (Bytes damaged : CodecTrials.damaged(encoded)) {
        decodeOrRefuse(codec, damaged, representation);
      }
      Bytes followed = CodecTrials.followedBy(encoded, Bytes.wrap(new byte[1]));
      decodeOrRefuse(codec, followed, representation);
    }
  }

  private static void decodeOrRefuse(
      ArrayToBytesCodec codec, Bytes damaged, ChunkRepresentation representation) {
    try {
      NdArray decoded = codec.decode(damaged, representation);
      assertThat(decoded.shape()).isEqualTo(representation.shape());
      assertThat(decoded.dataType()).isEqualTo(representation.dataType());
    } catch (CodecException e) {
      assertThat(e.statement()).isNotBlank();
    } catch (RuntimeException e) {
      throw new AssertionError("only a CodecException may be thrown for " + damaged, e);
    }
  }

  @Test
  void many_threads_may_use_it_at_the_same_time() {
    ArrayToBytesCodec codec = codec();
    CodecTrials.onManyThreads(
        () -> {
          for (ChunkRepresentation representation : representations()) {
            NdArray chunk = chunk(representation);
            assertDecoded(codec.decode(codec.encode(chunk, representation), representation), chunk);
          }
        });
  }
}
