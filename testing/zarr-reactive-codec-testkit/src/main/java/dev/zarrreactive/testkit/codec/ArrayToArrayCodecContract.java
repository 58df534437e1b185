package dev.zarrreactive.testkit.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.codec.ArrayToArrayCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The contract of every {@link ArrayToArrayCodec}. Extend it in the tests of a codec, with JUnit 5:
 *
 * <pre>{@code
 * class MyCodecContractTest extends ArrayToArrayCodecContract {
 *   @Override
 *   protected ArrayToArrayCodec codec() {
 *     return new MyCodec();
 *   }
 *
 *   @Override
 *   protected List<ChunkRepresentation> representations() {
 *     return List.of(new ChunkRepresentation(Shape.of(2, 3), INT16, FillValue.zero(INT16)));
 *   }
 * }
 * }</pre>
 *
 * <p>Override {@code chunk} for a codec that does not take just any elements, {@code assertDecoded}
 * for one that loses something.
 */
public abstract class ArrayToArrayCodecContract {
  /** For subclasses. */
  protected ArrayToArrayCodecContract() {}

  /** The codec. */
  protected abstract ArrayToArrayCodec codec();

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
    ArrayToArrayCodec codec = codec();
    assertThat(codec.name()).isNotBlank().isEqualTo(codec.configuration().name());
  }

  @Test
  void encoded_chunks_are_what_was_said_when_the_array_was_opened() {
    ArrayToArrayCodec codec = codec();
    for (ChunkRepresentation representation : representations()) {
      NdArray encoded = codec.encode(chunk(representation));
      ChunkRepresentation said = codec.encodedRepresentation(representation);
      assertThat(encoded.shape()).as("%s", representation).isEqualTo(said.shape());
      assertThat(encoded.dataType()).as("%s", representation).isEqualTo(said.dataType());
      assertThat(said.fillValue().dataType()).as("%s", representation).isEqualTo(said.dataType());
    }
  }

  @Test
  void the_fill_value_is_encoded_as_elements_are() {
    ArrayToArrayCodec codec = codec();
    for (ChunkRepresentation representation : representations()) {
      NdArray filled = NdArray.filled(representation.shape(), representation.fillValue());
      ChunkRepresentation said = codec.encodedRepresentation(representation);
      assertThat(codec.encode(filled))
          .as("%s", representation)
          .isEqualTo(NdArray.filled(said.shape(), said.fillValue()));
    }
  }

  @Test
  void what_was_encoded_is_decoded_to_the_same_chunk() {
    ArrayToArrayCodec codec = codec();
    for (ChunkRepresentation representation : representations()) {
      NdArray chunk = chunk(representation);
      NdArray encoded = codec.encode(chunk);
      assertDecoded(codec.decode(encoded, representation), chunk);
      assertDecoded(codec.decode(CodecTrials.copyOf(encoded), representation), chunk);
    }
  }

  @Test
  void the_same_chunk_is_always_encoded_to_the_same() {
    for (ChunkRepresentation representation : representations()) {
      NdArray chunk = chunk(representation);
      assertThat(codec().encode(CodecTrials.copyOf(chunk)))
          .as("%s", representation)
          .isEqualTo(codec().encode(chunk));
    }
  }

  @Test
  void input_is_left_as_it_is() {
    ArrayToArrayCodec codec = codec();
    for (ChunkRepresentation representation : representations()) {
      NdArray chunk = chunk(representation);
      NdArray before = CodecTrials.copyOf(chunk);
      NdArray encoded = codec.encode(chunk);
      assertThat(chunk).as("the input of encode").isEqualTo(before);
      before = CodecTrials.copyOf(encoded);
      codec.decode(encoded, representation);
      assertThat(encoded).as("the input of decode").isEqualTo(before);
    }
  }

  @Test
  void many_threads_may_use_it_at_the_same_time() {
    ArrayToArrayCodec codec = codec();
    CodecTrials.onManyThreads(
        () -> {
          for (ChunkRepresentation representation : representations()) {
            NdArray chunk = chunk(representation);
            assertDecoded(codec.decode(codec.encode(chunk), representation), chunk);
          }
        });
  }
}
