package dev.zarrreactive.internal.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.InvalidInputException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of bodies that arrive in pieces of any size, and of bodies that are broken. */
class RowCutterTest {
  private static final RowCutter.Rows ROWS = new RowCutter.Rows(DataTypes.INT16, Shape.of(3), 4);
  private static final NdArray DATA = NdArray.ofShorts(DataTypes.INT16, Shape.of(4, 3), numbers());

  private enum Form {
    RAW,
    NPY,
    LINES,
    ELEMENTS,
    LIST;

    RowCutter cutter(RowCutter.Rows rows) {
      return switch (this) {
        case RAW -> RowCutter.raw(rows);
        case NPY -> RowCutter.npy(rows);
        case LINES, ELEMENTS -> RowCutter.lines(rows, 100);
        case LIST -> RowCutter.json(rows, 100);
      };
    }

    byte[] body() {
      return switch (this) {
        case RAW -> DATA.bytes().toByteArray();
        case NPY -> {
          ByteArrayOutputStream file = new ByteArrayOutputStream();
          file.writeBytes(NpyHeader.of(DataTypes.INT16, Shape.of(4, 3)).toByteArray());
          file.writeBytes(DATA.bytes().toByteArray());
          yield file.toByteArray();
        }
        case LINES -> utf8("[-5,-4,-3]\n [-2,-1,0]\r\n[1,2,3]\n[4,5,6]");
        case ELEMENTS -> utf8("-5\n-4\n-3\n-2\n-1\n0\n1\n2\n3\n4\n5\n6\n");
        case LIST -> utf8(" [[-5,-4,-3], [-2,-1,0],\n[1,2,3],[4,5,6]] \n");
      };
    }
  }

  private static short[] numbers() {
    short[] numbers = new short[12];
    for (int i = 0; i < 12; i++) {
      numbers[i] = (short) (i - 5);
    }
    return numbers;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static List<NdArray> cut(RowCutter cutter, byte[] body, int piece) {
    List<NdArray> rows = new ArrayList<>();
    for (int from = 0; from < body.length; from += piece) {
      rows.addAll(cutter.take(ByteBuffer.wrap(body, from, Math.min(piece, body.length - from))));
    }
    rows.addAll(cutter.end());
    return rows;
  }

  private static int[] elements(List<NdArray> rows) {
    return rows.stream()
        .flatMapToInt(block -> Arrays.stream(block.cast(DataTypes.INT32).toIntArray()))
        .toArray();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 7, 64, 1000})
  void rows_are_the_same_however_the_bytes_arrive(int piece) {
    for (Form form : Form.values()) {
      List<NdArray> rows = cut(form.cutter(ROWS), form.body(), piece);
      assertThat(elements(rows)).as("%s", form).isEqualTo(IntStream.range(-5, 7).toArray());
      assertThat(rows).allSatisfy(block -> assertThat(block.shape().extent(1)).isEqualTo(3));
    }
  }

  @Test
  void any_number_of_rows_is_taken_where_none_is_named() {
    RowCutter.Rows any = new RowCutter.Rows(DataTypes.INT16, Shape.of(3), -1);
    for (Form form : Form.values()) {
      assertThat(elements(cut(form.cutter(any), form.body(), 11))).as("%s", form).hasSize(12);
    }
  }

  @Test
  void what_is_broken_is_refused_in_a_sentence_whatever_is_broken() {
    Random random = new Random(20);
    int refused = 0;
    for (int round = 0; round < 4000; round++) {
      Form form = Form.values()[round % Form.values().length];
      byte[] body = Arrays.copyOf(form.body(), random.nextInt(form.body().length + 8));
      for (int flips = random.nextInt(4); flips > 0 && body.length > 0; flips--) {
        body[random.nextInt(body.length)] = (byte) random.nextInt();
      }
      try {
        cut(form.cutter(ROWS), body, 1 + random.nextInt(40));
      } catch (InvalidInputException e) {
        assertThat(e.getMessage()).isNotBlank();
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(3000);
  }

  @Test
  void a_text_without_an_end_takes_bounded_memory() {
    RowCutter cutter = RowCutter.lines(ROWS, 1000);
    byte[] spaces = utf8(" ".repeat(600));
    cutter.take(ByteBuffer.wrap(spaces));
    assertThatThrownBy(() -> cutter.take(ByteBuffer.wrap(spaces)))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("more than 1000 bytes")
        .hasMessageContaining("NumPy file");
  }

  @Test
  void a_numpy_header_that_says_too_much_is_refused_at_its_length() {
    byte[] header = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 2, 0, -1, -1, -1, 127};
    assertThatThrownBy(() -> RowCutter.npy(ROWS).take(ByteBuffer.wrap(header)))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("too many");
  }

  @Test
  void lists_are_an_array_of_the_shape_that_they_have() {
    NdArray lists =
        JsonElements.array(ByteBuffer.wrap(utf8("[[[1],[2]],[[3],[4]]]")), DataTypes.INT32);
    assertThat(lists.shape()).isEqualTo(Shape.of(2, 2, 1));
    assertThat(lists.toIntArray()).containsExactly(1, 2, 3, 4);
    assertThat(JsonElements.array(ByteBuffer.wrap(utf8("7")), DataTypes.INT32).shape().rank())
        .isZero();
    NdArray complex =
        JsonElements.array(ByteBuffer.wrap(utf8("[[1,2],[3,4]]")), DataTypes.COMPLEX64);
    assertThat(complex.shape()).isEqualTo(Shape.of(2));
    assertThatThrownBy(
            () -> JsonElements.array(ByteBuffer.wrap(utf8("[[1,2],[3]]")), DataTypes.INT32))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("a list of 1 elements where shape [2, 2] has 2");
  }
}
