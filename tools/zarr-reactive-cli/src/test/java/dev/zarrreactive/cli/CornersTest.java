package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.store.file.FileSystemStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The text of a large selection shows its corners, and nothing else of it is read. */
class CornersTest {
  @TempDir Path directory;

  private static long[] longs(String text) {
    return Stream.of(text.split("x")).mapToLong(Long::parseLong).toArray();
  }

  @ParameterizedTest
  @CsvSource({
    "1001, 100, ...",
    "40x40, 7x9, ...",
    "40x40, 7x9, '1:39,3:'",
    "3x700, 2x100, ...",
    "12x11x13, 5x5x5, ...",
    "12x11x13, 5x5x5, '4,:,1::2'",
    "12x11x13, 5x5x5, ':,[3,1,1,10,9,8,7,6,5],:'",
    "7x7x7x7, 3x3x3x3, ...",
    "5x5x5x5x5, 5x5x5x5x5, ...",
    "3x3x3x3x3x5, 3x3x3x3x3x5, ...",
    "2x2x2x2x2x2x20, 2x2x2x2x2x2x20, ...",
  })
  void the_text_is_that_of_all_elements(String shape, String chunks, String select) {
    NdArray data = TestArrays.counting(DataTypes.INT32, Shape.of(longs(shape)));
    TestArrays.write(directory, data, array -> array.chunkShape(longs(chunks)));
    ZarrArray array =
        Zarr.hierarchy(FileSystemStore.open(directory)).openArray("").blockOptional().orElseThrow();
    NdArray expected = array.read(Selection.parse(select)).blockOptional().orElseThrow();
    assertThat(zarr("read", directory.toString(), "--select=" + select).out())
        .isEqualTo(expected + "\n");
  }

  @Test
  void only_the_chunks_at_the_corners_are_read() throws IOException {
    NdArray data = TestArrays.counting(DataTypes.INT32, Shape.of(100, 100));
    TestArrays.write(directory, data, array -> array.chunkShape(10, 10));
    String whole = zarr("read", directory.toString()).out();
    assertThat(whole).startsWith("int32 [100, 100]\n[[").contains("...");
    List<Path> corners =
        LongStream.of(0, 9)
            .boxed()
            .flatMap(
                i ->
                    Stream.of(
                        directory.resolve("c/" + i + "/0"), directory.resolve("c/" + i + "/9")))
            .toList();
    try (Stream<Path> files = Files.walk(directory.resolve("c"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (!corners.contains(file)) {
          Files.writeString(file, "damaged");
        }
      }
    }
    CommandRun run = zarr("read", directory.toString());
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).isEqualTo(whole);
  }

  @Test
  void an_array_that_no_memory_holds_is_shown() {
    TestArrays.create(
        directory,
        Shape.of(1L << 34, 1L << 34),
        DataTypes.INT8,
        array -> array.chunkShape(1024, 1024).fillValue(3));
    assertThat(zarr("read", directory.toString()).out())
        .startsWith("int8 [17179869184, 17179869184]\n[[3 3 3 ... 3 3 3]\n")
        .hasLineCount(8);
  }
}
