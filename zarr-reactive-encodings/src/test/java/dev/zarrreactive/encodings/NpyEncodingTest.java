package dev.zarrreactive.encodings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.datatype.StructField;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.files.NpyHeader;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.testing.RandomArray;
import dev.zarrreactive.testing.RandomSelection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** NumPy's files, parsed back. */
class NpyEncodingTest {
  @Provide
  Arbitrary<RandomArray> arrays() {
    return Arbitraries.randomValue(RandomArray::of);
  }

  @Provide
  Arbitrary<Random> randoms() {
    return Arbitraries.randomValue(random -> new Random(random.nextLong()));
  }

  @Property(tries = 50)
  void a_file_of_any_selection_has_what_a_read_gives(
      @ForAll("arrays") RandomArray model, @ForAll("randoms") Random random) {
    ZarrArray array =
        model.create(ZarrOptions.defaults().withMaxInFlightBytes(1L << random.nextInt(20)));
    model.storeSomeChunks(array.store());
    for (int i = 0; i < 3; i++) {
      RandomSelection selection = model.selection();
      int pieceSize = 1 + random.nextInt(200);
      NpyFile file =
          NpyFile.parse(Encoded.bytes(array, selection.selection(), Encodings.npy(), pieceSize));
      assertThat(file.shape())
          .isEqualTo(selection.selection().resolve(array.shape()).shape().toArray());
      assertThat(file.data()).isEqualTo(model.elements(selection.elements()));
    }
  }

  @Property(tries = 50)
  void every_data_type_of_a_fixed_size_is_kept_bit_for_bit(@ForAll("randoms") Random random) {
    List<DataType> types = new ArrayList<>(DataTypes.named());
    types.addAll(
        List.of(
            DataTypes.raw(24),
            DataTypes.fixedLengthUtf32(3),
            DataTypes.datetime64(NumpyUnit.SECOND, 10),
            DataTypes.struct(
                new StructField("a", DataTypes.INT16), new StructField("b", DataTypes.COMPLEX64))));
    DataType type = types.get(random.nextInt(types.size()));
    Shape shape = Shape.of(random.nextInt(20), 1 + random.nextInt(20));
    byte[] images = new byte[shape.byteSize(type.itemSize())];
    if (!type.equals(DataTypes.BOOL)) {
      random.nextBytes(images);
    }
    NdArray data = NdArray.wrap(type, shape, Bytes.wrap(images));
    ZarrArray array =
        Encoded.array(data, 1L << (8 + random.nextInt(10)), one -> one.chunkShape(3, 5));
    int pieceSize = 1 + random.nextInt(100);
    NpyFile file = NpyFile.parse(Encoded.bytes(array, Selection.all(), Encodings.npy(), pieceSize));
    assertThat(file.data()).isEqualTo(array.read(Selection.all()).block().bytes().toByteArray());
  }

  @Test
  void bools_are_zero_or_one() {
    NdArray odd = NdArray.wrap(DataTypes.BOOL, Shape.of(4), Bytes.wrap(new byte[] {0, 1, 2, -1}));
    assertThat(NpyFile.parse(Encoded.bytes(Encoded.array(odd), Encodings.npy())).data())
        .containsExactly(0, 1, 1, 1);
  }

  @Test
  void values_are_little_endian_whatever_is_stored() {
    ZarrArray array =
        Encoded.array(
            NdArray.ofInts(DataTypes.INT32, Shape.of(1), 1),
            1 << 20,
            settings ->
                settings.codecs(
                    dev.zarrreactive.testing.Json.extension(
                        "{'name': 'bytes', 'configuration': {'endian': 'big'}}")));
    NpyFile file = NpyFile.parse(Encoded.bytes(array, Encodings.npy()));
    assertThat(file.description()).isEqualTo("'<i4'");
    assertThat(file.data()).containsExactly(1, 0, 0, 0);
  }

  @Test
  void a_header_too_long_for_version_1_is_of_version_2() {
    long[] ones = new long[23_000];
    Arrays.fill(ones, 1);
    Bytes header = NpyHeader.of(DataTypes.INT8, Shape.of(ones));
    NpyFile file = NpyFile.parse(header.toByteArray());
    assertThat(file.version()).isEqualTo(2);
    assertThat(file.shape()).isEqualTo(ones);
    assertThat(NpyFile.parse(NpyHeader.of(DataTypes.INT8, Shape.of(1, 1)).toByteArray()).version())
        .isEqualTo(1);
  }

  @Test
  void an_empty_selection_is_a_header_and_a_scalar_one_element() {
    ZarrArray array = Encoded.array(NdArray.ofInts(DataTypes.INT32, Shape.of(2), 7, 8));
    NpyFile empty =
        NpyFile.parse(Encoded.bytes(array, Selection.parse("1:1"), Encodings.npy(), 10));
    assertThat(empty.shape()).containsExactly(0);
    assertThat(empty.data()).isEmpty();
    NpyFile one = NpyFile.parse(Encoded.bytes(array, Selection.parse("1"), Encodings.npy(), 10));
    assertThat(one.shape()).isEmpty();
    assertThat(one.data()).containsExactly(8, 0, 0, 0);
  }

  @Test
  void elements_of_any_length_are_refused_with_the_encodings_that_have_them() {
    ZarrArray array = Encoded.array(NdArray.ofStrings(DataTypes.STRING, Shape.of(1), "a"));
    assertThatThrownBy(() -> array.encode(Selection.all(), Encodings.npy(), 10).blockLast())
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessage(
            "elements of string have a variable size, which an .npy file cannot have; the"
                + " encodings jsonLines, json and csv can (node /a)");
    assertThatThrownBy(() -> Encodings.npy().length(array.metadata(), Selection.all()))
        .isInstanceOf(UnsupportedFeatureException.class);
  }

  @Test
  void the_length_is_unknown_where_no_long_counts_it() {
    var metadata =
        ArrayMetadata.v3(Shape.of(1L << 40, 1L << 20), DataTypes.INT64)
            .uncompressed()
            .chunkShape(1024, 1024)
            .build();
    assertThat(Encodings.npy().length(metadata, Selection.all())).isEmpty();
    assertThat(Encodings.npy().length(metadata, Selection.parse("0:2")))
        .isEqualTo(OptionalLong.of((2L << 23) + 128));
  }
}
