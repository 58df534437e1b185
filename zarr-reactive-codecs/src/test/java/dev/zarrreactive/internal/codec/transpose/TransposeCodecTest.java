package dev.zarrreactive.internal.codec.transpose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ArrayToArrayCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.internal.codec.Codecs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TransposeCodecTest {

  private static ArrayToArrayCodec transpose(List<Integer> order) {
    return Codecs.of(
        ArrayToArrayCodec.class,
        "{'name': 'transpose', 'configuration': {'order': " + order + "}}");
  }

  @Test
  void dimension_i_of_the_encoded_chunk_is_dimension_order_i_of_the_decoded_one() {
    ArrayToArrayCodec codec = transpose(List.of(2, 0, 1));
    byte[] image = new byte[24];
    for (int i = 0; i < 24; i++) {
      image[i] = (byte) i;
    }
    NdArray chunk = NdArray.wrap(DataTypes.UINT8, Shape.of(2, 3, 4), Bytes.wrap(image));
    NdArray encoded = codec.encode(chunk);
    assertThat(encoded.shape()).isEqualTo(Shape.of(4, 2, 3));
    assertThat(encoded.bytes())
        .isEqualTo(
            Codecs.hex(
                "00 04 08  0c 10 14   01 05 09  0d 11 15   02 06 0a  0e 12 16   03 07 0b  0f 13"
                    + " 17"));
    assertThat(codec.decode(encoded, Codecs.representationOf(chunk)).bytes())
        .isEqualTo(chunk.bytes());
  }

  @Test
  void the_reversed_order_is_column_major() {
    NdArray chunk =
        NdArray.wrap(DataTypes.INT16, Shape.of(2, 3), Codecs.hex("0000 0100 0200 0300 0400 0500"));
    assertThat(transpose(List.of(1, 0)).encode(chunk).bytes())
        .isEqualTo(Codecs.hex("0000 0300 0100 0400 0200 0500"));
  }

  @Test
  void the_encoded_representation_has_the_permuted_shape_and_the_same_type_and_fill_value() {
    FillValue fill = FillValue.of(DataTypes.INT16, new byte[] {7, 0});
    ChunkRepresentation encoded =
        transpose(List.of(2, 0, 1))
            .encodedRepresentation(
                new ChunkRepresentation(Shape.of(2, 3, 4), DataTypes.INT16, fill));
    assertThat(encoded)
        .isEqualTo(new ChunkRepresentation(Shape.of(4, 2, 3), DataTypes.INT16, fill));
  }

  @Test
  void an_order_for_another_number_of_dimensions_is_refused_at_its_place() {
    assertThatExceptionOfType(MetadataException.class)
        .isThrownBy(
            () ->
                transpose(List.of(1, 0))
                    .encodedRepresentation(
                        Codecs.representation(DataTypes.INT8, Shape.of(2, 3, 4))))
        .withMessage(
            "the order [1, 0] is for 2 dimensions, but the chunk has 3 (at"
                + " /codecs/1/configuration/order)");
  }

  @Test
  void an_encoded_chunk_of_another_shape_is_a_programming_error() {
    NdArray wrong = Codecs.random(DataTypes.INT8, 2, 3);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> transpose(List.of(1, 0)).decode(wrong, Codecs.representationOf(wrong)))
        .withMessage("expected an encoded chunk of shape [3, 2], not [2, 3]");
  }

  static Stream<Arguments> ordersThatMoveNothing() {
    return Stream.of(
        Arguments.of(List.of(), Shape.SCALAR),
        Arguments.of(List.of(0), Shape.of(5)),
        Arguments.of(List.of(0, 1, 2), Shape.of(2, 3, 4)),
        Arguments.of(List.of(1, 0), Shape.of(1, 4)),
        Arguments.of(List.of(2, 0, 1), Shape.of(3, 4, 1)),
        Arguments.of(List.of(1, 0), Shape.of(0, 4)));
  }

  @ParameterizedTest
  @MethodSource("ordersThatMoveNothing")
  void where_nothing_moves_nothing_is_copied(List<Integer> order, Shape shape) {
    NdArray chunk = Codecs.random(DataTypes.FLOAT32, shape.toArray());
    NdArray encoded = transpose(order).encode(chunk);
    assertThat(encoded.bytes().unsafeArray()).isSameAs(chunk.bytes().unsafeArray());
    NdArray decoded = transpose(order).decode(encoded, Codecs.representationOf(chunk));
    assertThat(decoded.shape()).isEqualTo(shape);
    assertThat(decoded.bytes()).isEqualTo(chunk.bytes());
  }

  static Stream<Arguments> largeChunks() {
    List<DataType> types =
        List.of(
            DataTypes.UINT8,
            DataTypes.INT16,
            DataTypes.FLOAT32,
            DataTypes.FLOAT64,
            DataTypes.COMPLEX128,
            DataTypes.raw(24),
            DataTypes.raw(8 * 70));
    List<Arguments> cases = new ArrayList<>();
    for (DataType type : types) {
      cases.add(Arguments.of(type, List.of(1, 0), Shape.of(130, 67)));
      cases.add(Arguments.of(type, List.of(1, 0), Shape.of(3, 3000)));
      cases.add(Arguments.of(type, List.of(1, 0), Shape.of(3000, 5)));
      cases.add(Arguments.of(type, List.of(2, 1, 0), Shape.of(2, 1300, 3)));
      cases.add(Arguments.of(type, List.of(2, 0, 1), Shape.of(33, 20, 9)));
      cases.add(Arguments.of(type, List.of(1, 0, 2), Shape.of(40, 30, 4)));
      cases.add(Arguments.of(type, List.of(3, 1, 2, 0), Shape.of(9, 8, 7, 17)));
    }
    return cases.stream();
  }

  @ParameterizedTest
  @MethodSource("largeChunks")
  void chunks_of_many_tiles_are_permuted_item_by_item(
      DataType type, List<Integer> order, Shape shape) {
    NdArray chunk = Codecs.random(type, shape.toArray());
    assertPermuted(chunk, order);
  }

  @Property(tries = 400)
  void any_chunk_is_permuted_item_by_item(
      @ForAll("types") DataType type, @ForAll("shapes") List<Integer> shape, @ForAll long seed) {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < shape.size(); i++) {
      order.add(i);
    }
    Collections.shuffle(order, new Random(seed));
    assertPermuted(
        Codecs.random(type, shape.stream().mapToLong(Integer::longValue).toArray()), order);
  }

  @Provide
  Arbitrary<DataType> types() {
    return Arbitraries.of(
        DataTypes.BOOL,
        DataTypes.INT16,
        DataTypes.FLOAT32,
        DataTypes.FLOAT64,
        DataTypes.COMPLEX128,
        DataTypes.raw(24),
        DataTypes.raw(160));
  }

  @Provide
  Arbitrary<List<Integer>> shapes() {
    Arbitrary<Integer> extent =
        Arbitraries.frequencyOf(
            net.jqwik.api.Tuple.of(1, Arbitraries.of(0, 1)),
            net.jqwik.api.Tuple.of(8, Arbitraries.integers().between(2, 4)),
            net.jqwik.api.Tuple.of(2, Arbitraries.integers().between(5, 11)));
    return extent.list().ofMinSize(0).ofMaxSize(7).filter(TransposeCodecTest::isSmall);
  }

  private static boolean isSmall(List<Integer> shape) {
    return shape.stream().mapToLong(Integer::longValue).reduce(1, (a, b) -> a * b) <= 100_000;
  }

  private static void assertPermuted(NdArray chunk, List<Integer> order) {
    // A part of a larger array, so that an offset that is forgotten shows
    byte[] larger = new byte[chunk.bytes().size() + 8];
    chunk.bytes().copyTo(0, larger, 5, chunk.bytes().size());
    NdArray part =
        NdArray.wrap(chunk.dataType(), chunk.shape(), Bytes.wrap(larger, 5, chunk.bytes().size()));

    ArrayToArrayCodec codec = transpose(order);
    NdArray encoded = codec.encode(part);
    long[] shape = order.stream().mapToLong(i -> chunk.shape().extent(i)).toArray();
    assertThat(encoded.shape()).isEqualTo(Shape.of(shape));
    assertThat(encoded.bytes()).isEqualTo(Bytes.wrap(permutedOneByOne(chunk, order)));

    NdArray decoded = codec.decode(encoded, Codecs.representationOf(chunk));
    assertThat(decoded.shape()).isEqualTo(chunk.shape());
    assertThat(decoded.bytes()).isEqualTo(chunk.bytes());
  }

  /** The definition, word for word. */
  private static byte[] permutedOneByOne(NdArray chunk, List<Integer> order) {
    int itemSize = chunk.dataType().itemSize();
    byte[] image = chunk.bytes().toByteArray();
    byte[] permuted = new byte[image.length];
    long[] extents = chunk.shape().toArray();
    long[] index = new long[extents.length];
    for (int item = 0; item < image.length / itemSize; item++) {
      long to = 0;
      for (int dimension : order) {
        to = to * extents[dimension] + index[dimension];
      }
      System.arraycopy(image, item * itemSize, permuted, (int) to * itemSize, itemSize);
      for (int i = index.length - 1; i >= 0 && ++index[i] == extents[i]; i--) {
        index[i] = 0;
      }
    }
    assertThat(Arrays.stream(index).sum()).isZero();
    return permuted;
  }
}
