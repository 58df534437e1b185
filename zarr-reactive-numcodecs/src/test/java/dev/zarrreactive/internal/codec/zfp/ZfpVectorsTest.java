package dev.zarrreactive.internal.codec.zfp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.codec.EncodedByOthers;
import dev.zarrreactive.testing.Cases;
import dev.zarrreactive.testing.Sampled;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The codec {@code zfp} decodes and encodes as the C library does: vectors.tsv, made by its script.
 */
class ZfpVectorsTest {
  private static final int MODES_AND_TYPES = 20;
  private static final int MUTANTS = 50_000;

  private static List<EncodedByOthers> vectors() {
    return EncodedByOthers.of(ZfpVectorsTest.class, "vectors.tsv");
  }

  @Test
  void what_the_C_library_encoded_is_decoded_bit_for_bit() {
    List<EncodedByOthers> vectors = vectors();
    vectors.forEach(EncodedByOthers::assertDecodedBitForBit);
    Set<String> types = new HashSet<>();
    vectors.forEach(vector -> types.add(vector.representation().dataType().toString()));
    assertThat(types).hasSize(4);
  }

  @Test
  void chunks_are_encoded_to_the_bytes_of_the_C_library() {
    vectors().forEach(EncodedByOthers::assertEncodedToTheSame);
  }

  @Sampled
  @Test
  void random_arrays_are_decoded_and_encoded_as_by_the_C_library_of_today() {
    int each = Cases.some(100, 2000);
    int[] seen = new int[1];
    EncodedByOthers.fromPython(
        ZfpVectorsTest.class,
        "zfp_vectors.py",
        "zfpy, numpy",
        List.of(String.valueOf(each), "1"),
        vector -> {
          vector.assertDecodedBitForBit();
          vector.assertEncodedToTheSame();
          seen[0]++;
        });
    assertThat(seen[0]).isEqualTo(each * MODES_AND_TYPES);
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
