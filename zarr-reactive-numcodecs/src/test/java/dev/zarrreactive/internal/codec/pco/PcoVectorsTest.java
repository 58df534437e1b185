package dev.zarrreactive.internal.codec.pco;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.EncodedByOthers;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.testing.Cases;
import dev.zarrreactive.testing.Sampled;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The codec pcodec decodes what the Rust library has encoded: vectors.tsv, made by its script, and
 * the library decodes what it encodes.
 */
class PcoVectorsTest {
  private static final int TYPES = 11;
  private static final int MUTANTS = 50_000;

  private static List<EncodedByOthers> vectors() {
    return EncodedByOthers.of(PcoVectorsTest.class, "vectors.tsv");
  }

  @Test
  void what_the_Rust_library_encoded_is_decoded_bit_for_bit() {
    List<EncodedByOthers> vectors = vectors();
    vectors.forEach(EncodedByOthers::assertDecodedBitForBit);
    Set<String> types = new HashSet<>();
    vectors.forEach(vector -> types.add(vector.representation().dataType().toString()));
    assertThat(types).hasSize(TYPES);
  }

  @Test
  void chunks_come_back_bit_for_bit() {
    vectors().forEach(PcoVectorsTest::assertEncodedAndDecoded);
  }

  private static void assertEncodedAndDecoded(EncodedByOthers vector) {
    Bytes encoded = vector.codec().encode(vector.chunk(), vector.representation());
    NdArray decoded = vector.codec().decode(encoded, vector.representation());
    assertThat(decoded.bytes()).as("%s", vector.representation()).isEqualTo(vector.original());
  }

  @Test
  void a_file_with_bytes_behind_its_end_is_refused() {
    EncodedByOthers vector = vectors().get(0);
    Bytes longer = Bytes.join(List.of(vector.encoded(), Bytes.wrap(new byte[3])));
    assertThatExceptionOfType(CodecException.class)
        .isThrownBy(() -> vector.codec().decode(longer, vector.representation()))
        .withMessageContaining("3 bytes follow its end");
  }

  @Sampled
  @Test
  void random_arrays_of_the_Rust_library_of_today_are_decoded_bit_for_bit() {
    int each = Cases.some(10, 400);
    int[] seen = new int[1];
    EncodedByOthers.fromPython(
        PcoVectorsTest.class,
        "pco_vectors.py",
        "pcodec, numpy",
        List.of(String.valueOf(each), "1"),
        vector -> {
          vector.assertDecodedBitForBit();
          assertEncodedAndDecoded(vector);
          seen[0]++;
        });
    assertThat(seen[0]).isGreaterThan(200 * each);
  }

  @Sampled
  @Test
  void the_Rust_library_of_today_decodes_what_is_encoded_here() {
    List<EncodedByOthers> vectors = vectors();
    EncodedByOthers.readByPython(PcoVectorsTest.class, "pco_reader.py", "pcodec, numpy", vectors);
  }

  @Sampled
  @Test
  void damaged_bytes_are_refused_or_decoded_in_bounded_memory() {
    Random random = new Random(3);
    List<EncodedByOthers> vectors = vectors();
    int mutants = Cases.some(MUTANTS / 10, MUTANTS);
    int errors = 0;
    for (int i = 0; i < mutants; i++) {
      errors += vectors.get(i % vectors.size()).decodeMutants(1, random);
    }
    assertThat(errors).isGreaterThan(mutants / 10);
  }
}
