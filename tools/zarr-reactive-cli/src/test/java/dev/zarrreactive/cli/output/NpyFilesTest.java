package dev.zarrreactive.cli.output;

import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.cli.CommandRun;
import dev.zarrreactive.cli.TestArrays;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code zarr read --format npy} writes, read as {@code numpy.lib.format} describes it. */
class NpyFilesTest {
  @TempDir Path directory;

  private record NpyFile(int version, String header, byte[] data) {
    static NpyFile parse(byte[] file) {
      ByteBuffer buffer = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
      byte[] magic = new byte[6];
      buffer.get(magic);
      assertThat(magic).containsExactly(0x93, 'N', 'U', 'M', 'P', 'Y');
      int version = buffer.get();
      assertThat(buffer.get()).as("minor version").isZero();
      byte[] header = new byte[version == 1 ? buffer.getShort() & 0xffff : buffer.getInt()];
      buffer.get(header);
      assertThat(buffer.position() % 64).as("the data are aligned").isZero();
      assertThat(header[header.length - 1]).isEqualTo((byte) '\n');
      byte[] data = new byte[buffer.remaining()];
      buffer.get(data);
      return new NpyFile(version, new String(header, StandardCharsets.US_ASCII).strip(), data);
    }
  }

  private NpyFile npy(String... selection) {
    String[] arguments = {"read", directory.toString(), "--format", "npy"};
    String[] all = Arrays.copyOf(arguments, arguments.length + selection.length);
    System.arraycopy(selection, 0, all, arguments.length, selection.length);
    CommandRun run = zarr(all);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return NpyFile.parse(run.output());
  }

  @ParameterizedTest
  @CsvSource({
    "int8,|i1",
    "int16,<i2",
    "int32,<i4",
    "int64,<i8",
    "uint8,|u1",
    "uint16,<u2",
    "uint32,<u4",
    "uint64,<u8",
    "float16,<f2",
    "float32,<f4",
    "float64,<f8",
    "complex64,<c8",
    "complex128,<c16",
    "r16,|V2",
    "r24,|V3"
  })
  void every_data_type_has_its_description(String name, String description) {
    DataType type =
        name.startsWith("r")
            ? DataTypes.raw(Integer.parseInt(name.substring(1)))
            : DataTypes.named().stream().filter(t -> t.name().equals(name)).findFirst().get();
    NdArray data = TestArrays.counting(type, Shape.of(5, 7));
    TestArrays.write(directory, data, array -> array.chunkShape(2, 3)); // chunks out of C order

    NpyFile npy = npy();

    assertThat(npy.version()).isEqualTo(1);
    assertThat(npy.header())
        .isEqualTo("{'descr': '" + description + "', 'fortran_order': False, 'shape': (5, 7), }");
    assertThat(npy.data()).isEqualTo(data.bytes().toByteArray());
  }

  @Test
  void bools_are_zero_or_one() {
    NdArray odd = NdArray.wrap(DataTypes.BOOL, Shape.of(4), Bytes.wrap(new byte[] {0, 1, 2, -1}));
    TestArrays.write(directory, odd, array -> array);
    NpyFile npy = npy();
    assertThat(npy.header()).isEqualTo("{'descr': '|b1', 'fortran_order': False, 'shape': (4,), }");
    assertThat(npy.data()).containsExactly(0, 1, 1, 1);
  }

  @Test
  void the_shape_is_that_of_the_selection() {
    NdArray data = TestArrays.counting(DataTypes.UINT8, Shape.of(4, 6));
    TestArrays.write(directory, data, array -> array.chunkShape(3, 4));
    NpyFile npy = npy("--select", "1,::2");
    assertThat(npy.header()).contains("'shape': (3,), }");
    assertThat(npy.data())
        .containsExactly(data.bytes().get(6), data.bytes().get(8), data.bytes().get(10));
    assertThat(npy("--select", "1,2").header()).contains("'shape': (), }");
    assertThat(npy("--select", "1:1").header()).contains("'shape': (0, 6), }");
    assertThat(npy("--select", "1:1").data()).isEmpty();
  }
}
