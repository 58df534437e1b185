package dev.zarrreactive.arrow;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.cf.CfRule;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.testing.Python;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The batches of datasets that xarray wrote have the cells of its data frames. */
class FramesOfPandasTest {
  @TempDir static Path directory;

  private static Path datasets() throws IOException {
    Path target = directory.resolve("datasets");
    if (!Files.exists(target)) {
      try (ZipInputStream zip = new ZipInputStream(resource("/datasets/datasets.zip"))) {
        for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
          Path file = target.resolve(entry.getName());
          Files.createDirectories(file.getParent());
          Files.write(file, zip.readAllBytes());
        }
      }
    }
    return target;
  }

  private static InputStream resource(String name) {
    return requireNonNull(FramesOfPandasTest.class.getResourceAsStream(name), name);
  }

  private static byte[] recorded() throws IOException {
    try (InputStream packed = resource("/frames/frames.json.gz")) {
      return packed.readAllBytes();
    }
  }

  private static Map<String, Object> frames(byte[] packed) throws IOException {
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      ByteBuffer text = ByteBuffer.wrap(in.readAllBytes());
      return ((JsonObject) JsonDocument.parse(text, Location.UNKNOWN, 1L << 30).value()).toMap();
    }
  }

  static Stream<String> names() throws IOException {
    return frames(recorded()).keySet().stream();
  }

  @Test
  void there_are_more_than_twelve() throws IOException {
    assertThat(names()).hasSizeGreaterThan(12);
  }

  @ParameterizedTest
  @MethodSource("names")
  void batches_have_the_cells_of_the_frame(String name) throws IOException {
    compare(name, (Map<?, ?>) requireNonNull(frames(recorded()).get(name)));
  }

  @Test
  void batches_have_the_cells_of_what_the_installed_xarray_reads() throws IOException {
    Python python = Python.with("pandas, xarray, zarr", "XARRAY_PYTHON");
    Path archive = directory.resolve("datasets.zip");
    Path output = directory.resolve("frames.json.gz");
    try (InputStream zip = resource("/datasets/datasets.zip")) {
      Files.write(archive, zip.readAllBytes());
    }
    python.run(Python.script(FramesOfPandasTest.class, "/frames/make_frames.py"), archive, output);
    for (Map.Entry<String, Object> frame : frames(Files.readAllBytes(output)).entrySet()) {
      compare(frame.getKey(), (Map<?, ?>) frame.getValue());
    }
  }

  private static void compare(String name, Map<?, ?> frame) throws IOException {
    Path store = datasets().resolve(name).resolve("data.zarr");
    Dataset dataset =
        Zarr.at(store.toString())
            .openGroup()
            .flatMap(group -> Dataset.of(group, CfRule.xarray()))
            .block();
    for (Map.Entry<?, ?> part : ((Map<?, ?>) requireNonNull(frame.get("part"))).entrySet()) {
      List<?> ends = (List<?>) part.getValue();
      dataset =
          requireNonNull(dataset)
              .isel(
                  (String) part.getKey(),
                  DimensionSelection.slice(
                      ((Number) ends.get(0)).longValue(), ((Number) ends.get(1)).longValue()));
    }
    ArrowTable table = ArrowTable.of(requireNonNull(dataset)).withBatchRows(100);
    Map<?, ?> columns = (Map<?, ?>) requireNonNull(frame.get("columns"));
    List<String> names = table.schema().getFields().stream().map(Field::getName).toList();
    assertThat(names).containsExactlyInAnyOrderElementsOf(strings(columns.keySet()));
    for (Map.Entry<?, ?> type : ((Map<?, ?>) requireNonNull(frame.get("types"))).entrySet()) {
      String column = (String) type.getKey();
      assertThat(nameOf(table.schema().findField(column).getType()))
          .as(column)
          .isIn(accepted((String) type.getValue()));
    }
    List<Map<String, String>> expected = new ArrayList<>();
    int count = ((List<?>) columns.values().iterator().next()).size();
    for (int row = 0; row < count; row++) {
      Map<String, String> cells = new LinkedHashMap<>();
      for (String column : names) {
        String cell = String.valueOf(((List<?>) requireNonNull(columns.get(column))).get(row));
        boolean isText = table.schema().findField(column).getType() instanceof ArrowType.Utf8;
        cells.put(column, isText && cell.startsWith(Cells.BYTES) ? text(cell) : cell);
      }
      expected.add(cells);
    }
    try (RootAllocator allocator = new RootAllocator()) {
      List<Map<String, String>> rows = new ArrayList<>();
      table
          .batches(allocator)
          .toStream(1)
          .forEach(
              batch -> {
                try (batch) {
                  assertThat(batch.getRowCount()).isBetween(1, 100);
                  rows.addAll(Cells.of(batch));
                }
              });
      assertThat(table.rowCount()).isEqualTo(count);
      assertThat(rows).containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  /** Returns characters that xarray joins to bytes, and this library to a text. */
  private static String text(String cell) {
    byte[] bytes = HexFormat.of().parseHex(cell.substring(Cells.BYTES.length()));
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static List<String> strings(Iterable<?> names) {
    List<String> all = new ArrayList<>();
    names.forEach(name -> all.add((String) name));
    return all;
  }

  /** Returns the types of Arrow that hold a type of pandas. */
  private static List<String> accepted(String pandas) {
    return switch (pandas) {
      case "datetime64[ns]" -> List.of("timestamp");
      case "timedelta64[ns]" -> List.of("duration");
      case "str" -> List.of("text");
      case "object" -> List.of("text", "bytes");
      default -> List.of(pandas);
    };
  }

  private static String nameOf(ArrowType type) {
    if (type instanceof ArrowType.Int integer) {
      return (integer.getIsSigned() ? "int" : "uint") + integer.getBitWidth();
    } else if (type instanceof ArrowType.FloatingPoint floats) {
      return floats.getPrecision() == FloatingPointPrecision.DOUBLE
          ? "float64"
          : floats.getPrecision() == FloatingPointPrecision.SINGLE ? "float32" : "float16";
    } else if (type instanceof ArrowType.Bool) {
      return "bool";
    } else if (type instanceof ArrowType.Timestamp) {
      return "timestamp";
    } else if (type instanceof ArrowType.Duration) {
      return "duration";
    }
    return type instanceof ArrowType.Utf8 ? "text" : "bytes";
  }
}
