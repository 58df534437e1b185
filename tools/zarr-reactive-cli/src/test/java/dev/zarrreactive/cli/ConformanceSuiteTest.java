package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

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
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The reads of the public Zarr conformance tests: each array has the metadata that theirs has, and
 * the command reads it whole.
 */
class ConformanceSuiteTest {
  /** Their arrays of three dimensions have 12 chunks, of which 4 are there. */
  private static final List<String> CHUNKS_THAT_ARE_THERE =
      List.of("0:10,0:10,0:5", "10:20,0:10,5:10", "20:30,10:20,0:5", "20:30,10:20,5:10");

  @TempDir Path directory;

  /** An array of theirs, by its metadata document. */
  private enum Case {
    /** In spite of its name they are 32-bit integers, in Fortran order. */
    INT64_V2(
        """
        {"zarr_format": 2, "shape": [4, 4], "chunks": [2, 2], "dtype": "<i4", "order": "F",
         "compressor": {"id": "zlib", "level": 6}, "fill_value": null, "filters": null}"""),
    INT32_V2(threeDimensions("<i4")),
    FLOAT64_V2(threeDimensions("<f8")),
    FLOAT32_V2(threeDimensions("<f4")),
    BOOL_V2(
        """
        {"zarr_format": 2, "shape": [2, 2], "chunks": [2, 2], "dtype": "|b1", "order": "C",
         "compressor": {"id": "zstd", "level": 0}, "fill_value": false, "filters": null}"""),
    INT32_V3(
        """
        {"zarr_format": 3, "node_type": "array", "shape": [2, 2], "data_type": "int32",
         "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2, 2]}},
         "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
         "fill_value": 0, "storage_transformers": [], "attributes": {},
         "codecs": [{"name": "bytes", "configuration": {"endian": "little"}},
          {"name": "zstd", "configuration": {"level": 0, "checksum": false}}]}""");

    private final String document;

    Case(String document) {
      this.document = document;
    }

    private static String threeDimensions(String type) {
      return """
          {"zarr_format": 2, "shape": [30, 20, 10], "chunks": [10, 10, 5], "dtype": "%s",
           "order": "C", "compressor": null, "fill_value": 0, "filters": null}"""
          .formatted(type);
    }

    /** Writes the metadata, and the elements with the library. */
    void write(Path directory) throws IOException {
      Files.writeString(directory.resolve(this == INT32_V3 ? "zarr.json" : ".zarray"), document);
      ZarrArray array = Zarr.hierarchy(FileSystemStore.open(directory)).openArray("").block();
      Shape square = array.shape();
      switch (this) {
        case INT64_V2 ->
            write(
                array,
                "...",
                NdArray.ofInts(
                    DataTypes.INT32,
                    square,
                    1,
                    5,
                    9,
                    13,
                    2,
                    6,
                    10,
                    14,
                    3,
                    7,
                    11,
                    15,
                    4,
                    8,
                    12,
                    16));
        case INT32_V3 -> write(array, "...", NdArray.ofInts(DataTypes.INT32, square, 0, 1, 2, 3));
        case BOOL_V2 -> write(array, "...", NdArray.ofBooleans(square, true, false, true, false));
        case INT32_V2 -> writeChunks(array, 1, 239);
        case FLOAT64_V2 -> writeChunks(array, -10.52, 503.56);
        case FLOAT32_V2 -> writeChunks(array, -1, 513.08);
      }
    }

    /** The first element, and in the last of the chunks one that makes up for the sum of all. */
    private static void writeChunks(ZarrArray array, double first, double sum) {
      for (String chunk : CHUNKS_THAT_ARE_THERE) {
        double[] elements = new double[10 * 10 * 5];
        elements[0] = chunk.equals(CHUNKS_THAT_ARE_THERE.get(0)) ? first : 1;
        elements[499] = chunk.equals(CHUNKS_THAT_ARE_THERE.get(3)) ? sum - first - 3 : 0;
        Shape shape = Shape.of(10, 10, 5);
        write(array, chunk, ofType(array, shape, elements));
      }
    }

    private static NdArray ofType(ZarrArray array, Shape shape, double[] elements) {
      if (array.dataType().equals(DataTypes.FLOAT64)) {
        return NdArray.ofDoubles(shape, elements);
      } else if (array.dataType().equals(DataTypes.INT32)) {
        int[] ints = new int[elements.length];
        for (int i = 0; i < ints.length; i++) {
          ints[i] = (int) elements[i];
        }
        return NdArray.ofInts(DataTypes.INT32, shape, ints);
      }
      float[] floats = new float[elements.length];
      for (int i = 0; i < floats.length; i++) {
        floats[i] = (float) elements[i];
      }
      return NdArray.ofFloats(DataTypes.FLOAT32, shape, floats);
    }

    private static void write(ZarrArray array, String where, NdArray elements) {
      array.write(Selection.parse(where), elements).block();
    }
  }

  private CommandRun read() {
    return zarr("--array_path=" + directory.toAbsolutePath());
  }

  private void assertSum(Case array, double first, double sum) throws IOException {
    array.write(directory);
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).as("the document and 4 of 12 chunks").hasSize(5);
    }
    CommandRun run = read();
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    List<Double> elements = run.out().lines().map(Double::valueOf).toList();
    assertThat(elements).hasSize(30 * 20 * 10).startsWith(first);
    assertThat(elements.stream().mapToDouble(Double::doubleValue).sum())
        .isCloseTo(sum, within(1e-4));
  }

  private void assertElements(Case array, String elements) throws IOException {
    array.write(directory);
    CommandRun run = read();
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).isEqualTo(elements.replace(' ', '\n') + "\n");
  }

  @Test
  void read_int64_v2() throws IOException {
    assertElements(Case.INT64_V2, "1 5 9 13 2 6 10 14 3 7 11 15 4 8 12 16");
  }

  @Test
  void read_int32_v2() throws IOException {
    assertSum(Case.INT32_V2, 1, 239);
  }

  @Test
  void read_int32_v3() throws IOException {
    assertElements(Case.INT32_V3, "0 1 2 3");
  }

  @Test
  void read_float64_v2() throws IOException {
    assertSum(Case.FLOAT64_V2, -10.52, 503.56);
  }

  @Test
  void read_float32_v2() throws IOException {
    assertSum(Case.FLOAT32_V2, -1, 513.08);
  }

  @Test
  void read_bool_v2() throws IOException {
    assertElements(Case.BOOL_V2, "true false true false");
  }

  @ParameterizedTest
  @EnumSource
  void an_array_whose_chunk_is_damaged_ends_with_1_and_the_error(Case array) throws IOException {
    array.write(directory);
    String key =
        array == Case.INT32_V3 ? "c/0/0" : array.document.contains("30, 20") ? "0.0.0" : "0.0";
    byte[] chunk = Files.readAllBytes(directory.resolve(key));
    Files.write(directory.resolve(key), Arrays.copyOf(chunk, chunk.length - 3));
    CommandRun run = read();
    assertThat(run.exitCode()).isOne();
    assertThat(run.err()).startsWith("zarr: error: ").contains("key " + key);
  }

  @ParameterizedTest
  @EnumSource
  void an_array_whose_document_is_damaged_ends_with_1_and_the_error(Case array) throws IOException {
    array.write(directory);
    String name = array == Case.INT32_V3 ? "zarr.json" : ".zarray";
    Files.writeString(
        directory.resolve(name),
        array.document.replace("[2, 2]", "[2, -2]").replace("[10, 10, 5]", "[]"));
    CommandRun run = read();
    assertThat(run.exitCode()).isOne();
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("zarr: error: ").contains("key " + name);
  }
}
