package dev.zarrreactive.array;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataTypes;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Arrays in print: what a person sees. */
class NdArrayPrinterTest {

  private static NdArray counting(long... extents) {
    Shape shape = Shape.of(extents);
    int count = shape.elementCount().intValueExact();
    return NdArray.ofInts(DataTypes.INT32, shape, IntStream.range(0, count).toArray());
  }

  @Test
  void columns_stand_under_each_other() {
    assertThat(NdArray.ofInts(DataTypes.INT32, Shape.of(2, 3), 0, 1, -20, 300, 4, 5))
        .hasToString(
            """
            int32 [2, 3]
            [[  0   1 -20]
             [300   4   5]]""");
  }

  @Test
  void blank_lines_part_the_outer_dimensions() {
    assertThat(counting(2, 2, 2))
        .hasToString(
            """
            int32 [2, 2, 2]
            [[[0 1]
              [2 3]]

             [[4 5]
              [6 7]]]""");
  }

  @Test
  void decimal_points_stand_under_each_other() {
    assertThat(
            NdArray.ofFloats(
                DataTypes.FLOAT32,
                Shape.of(2, 4),
                0,
                1.5f,
                -20.25f,
                300,
                Float.NaN,
                Float.POSITIVE_INFINITY,
                -0f,
                0.1f))
        .hasToString(
            """
            float32 [2, 4]
            [[  0.     1.5  -20.25 300.  ]
             [   nan    inf  -0.     0.1 ]]""");
  }

  @Test
  void very_large_and_very_small_floats_have_an_exponent() {
    assertThat(NdArray.ofDoubles(Shape.of(5), 1e300, -1.5e-10, 0.0001, 12345678, 123456789))
        .hasToString(
            """
            float64 [5]
            [      1.e+300      -1.5e-10        0.0001 12345678.     1.2345679e+08]""");
  }

  @Test
  void floats_have_eight_digits_at_most() {
    assertThat(NdArray.ofDoubles(Shape.of(2), 0.1 + 0.2, -2 / 3.0))
        .hasToString("float64 [2]\n[ 0.3        -0.66666667]");
  }

  @Test
  void halves_have_as_many_digits_as_they_need() {
    assertThat(NdArray.ofFloats(DataTypes.FLOAT16, Shape.of(3), 0.1f, 65504, Float.NaN))
        .hasToString("float16 [3]\n[    0.1 65504.      nan]");
  }

  @Test
  void complex_numbers_truth_values_and_raw_bytes() {
    assertThat(NdArray.ofComplex(Shape.of(3), 1f, 2f, -3.5f, -4f, Float.NaN, -0f))
        .hasToString("complex64 [3]\n[  1.+2.j -3.5-4.j  nan-0.j]");
    assertThat(NdArray.ofBooleans(Shape.of(3), true, false, true))
        .hasToString("bool [3]\n[ True False  True]");
    assertThat(
            NdArray.wrap(
                DataTypes.raw(24), Shape.of(2), Bytes.wrap(new byte[] {1, 2, 3, 4, 5, -1})))
        .hasToString("r24 [2]\n[010203 0405ff]");
  }

  @Test
  void of_a_large_raw_item_the_first_bytes_are_shown() {
    assertThat(NdArrayTest.zeros("r8000000", Shape.SCALAR))
        .hasToString("r8000000 []\n" + "00".repeat(16) + "...");
  }

  @Test
  void unsigned_numbers_are_not_negative() {
    assertThat(NdArray.ofLongs(DataTypes.UINT64, Shape.of(2), -1, 1))
        .hasToString("uint64 [2]\n[18446744073709551615                    1]");
    assertThat(NdArray.ofBytes(DataTypes.UINT8, Shape.of(1), (byte) -1))
        .hasToString("uint8 [1]\n[255]");
  }

  @Test
  void scalars_have_no_brackets_and_empty_arrays_nothing_else() {
    assertThat(NdArray.scalar(DataTypes.INT8, 5)).hasToString("int8 []\n5");
    assertThat(counting(2, 0)).hasToString("int32 [2, 0]\n[]");
    assertThat(counting(0)).hasToString("int32 [0]\n[]");
  }

  @Test
  void long_rows_are_wrapped() {
    assertThat(counting(2, 30).toString())
        .isEqualTo(
            """
            int32 [2, 30]
            [[ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25
              26 27 28 29]
             [30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55
              56 57 58 59]]""")
        .satisfies(text -> assertThat(text.lines()).allMatch(line -> line.length() <= 80));
  }

  @Test
  void up_to_a_thousand_elements_are_all_shown() {
    assertThat(counting(1000).toString()).contains(" 499 ").contains(" 999]");
  }

  @Test
  void of_more_than_a_thousand_elements_the_edges_are_shown() {
    assertThat(counting(1001)).hasToString("int32 [1001]\n[   0    1    2 ...  998  999 1000]");
    assertThat(counting(40, 50))
        .hasToString(
            """
            int32 [40, 50]
            [[   0    1    2 ...   47   48   49]
             [  50   51   52 ...   97   98   99]
             [ 100  101  102 ...  147  148  149]
             ...
             [1850 1851 1852 ... 1897 1898 1899]
             [1900 1901 1902 ... 1947 1948 1949]
             [1950 1951 1952 ... 1997 1998 1999]]""");
    assertThat(counting(3, 400))
        .hasToString(
            """
            int32 [3, 400]
            [[   0    1    2 ...  397  398  399]
             [ 400  401  402 ...  797  798  799]
             [ 800  801  802 ... 1197 1198 1199]]""");
  }

  @Test
  void many_dimensions_show_fewer_elements_of_each() {
    long[] fours = IntStream.range(0, 6).mapToLong(i -> 4).toArray();
    assertThat(counting(fours).toString())
        .contains("[[[[[[   0 ...    3]\n     ...\n     [  12 ...   15]]")
        .endsWith("[4092 ... 4095]]]]]]");
    long[] twos = IntStream.range(0, 13).mapToLong(i -> 2).toArray();
    assertThat(counting(twos).toString()).contains("[[[[[[[[[[[[[0 ...]\n").doesNotContain("1 ");
  }

  @Test
  void ten_thousand_dimensions_are_printed_as_one() {
    long[] ones = IntStream.range(0, 10_000).mapToLong(i -> 1).toArray();
    assertThat(counting(ones).toString()).endsWith("\n[0]");
  }
}
