package dev.zarrreactive.spark;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The cells of datasets that xarray wrote are the rows of its {@code to_dataframe}: every index of
 * the dimensions once, with the values that xarray reads there.
 */
class CellsLikeXarrayTest {
  private static final Path DIRECTORY = Path.of("target", "xarray-datasets").toAbsolutePath();

  /** Trees and lists have no rows of one dataset; old-times has instants before 1582. */
  private static final Set<String> OTHER = Set.of("tree-v2", "tree-v3", "lists-v3", "old-times");

  @BeforeAll
  static void unzip() throws IOException {
    try (InputStream in =
            requireNonNull(
                CellsLikeXarrayTest.class.getResourceAsStream("/datasets/datasets.zip"));
        ZipInputStream zip = new ZipInputStream(in)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Path file = DIRECTORY.resolve(entry.getName());
        Files.createDirectories(file.getParent());
        Files.write(file, zip.readAllBytes());
      }
    }
  }

  static List<String> names() throws IOException {
    unzip();
    try (var files = Files.list(DIRECTORY)) {
      return files
          .filter(Files::isDirectory)
          .map(file -> file.getFileName().toString())
          .filter(name -> !OTHER.contains(name))
          .sorted()
          .toList();
    }
  }

  @Test
  void there_are_more_than_forty() throws IOException {
    assertThat(names()).hasSizeGreaterThan(40);
  }

  @ParameterizedTest
  @MethodSource("names")
  void rows_are_those_of_to_dataframe(String name) throws IOException {
    JsonObject expected =
        (JsonObject)
            JsonDocument.parse(
                    ByteBuffer.wrap(Files.readAllBytes(DIRECTORY.resolve(name + "/expected.json"))),
                    Location.UNKNOWN,
                    1L << 30)
                .value();
    Map<String, Object> described = expected.toMap();
    Map<String, Map<String, Object>> variables = maps(described.get("variables"));
    Set<List<String>> sets = new LinkedHashSet<>();
    for (Object data : (List<?>) requireNonNull(described.get("data"))) {
      sets.add(dims(requireNonNull(variables.get(data))));
    }
    sets.remove(List.<String>of());
    for (List<String> dimensions : sets) {
      compare(name, dimensions, described, variables);
    }
  }

  private static void compare(
      String name,
      List<String> dimensions,
      Map<String, Object> described,
      Map<String, Map<String, Object>> variables) {
    Map<?, ?> sizes = (Map<?, ?>) requireNonNull(described.get("sizes"));
    int[] extents =
        dimensions.stream()
            .mapToInt(d -> ((Number) requireNonNull(sizes.get(d))).intValue())
            .toArray();
    Dataset<Row> table =
        TestSpark.zarr()
            .option("dimensions", String.join(",", dimensions))
            .option("decode", "xarray")
            .load(DIRECTORY.resolve(name).resolve("data.zarr").toString());
    List<String> columns = new ArrayList<>(List.of(table.columns()));
    Set<String> expectedColumns = new LinkedHashSet<>(dimensions);
    variables.forEach(
        (variable, is) -> {
          if (dimensions.containsAll(dims(is))) {
            expectedColumns.add(variable);
          }
        });
    assertThat(columns).containsExactlyInAnyOrderElementsOf(expectedColumns);
    List<String> selected = new ArrayList<>();
    dimensions.forEach(dimension -> selected.add("`_index_" + dimension + "`"));
    columns.forEach(column -> selected.add("`" + column + "`"));
    List<Row> rows = table.selectExpr(selected.toArray(new String[0])).collectAsList();
    Map<List<Long>, Row> byIndex = new HashMap<>();
    for (Row row : rows) {
      List<Long> index = new ArrayList<>();
      for (int d = 0; d < extents.length; d++) {
        index.add(row.getLong(d));
      }
      assertThat(byIndex.put(index, row)).isNull();
    }
    long cells = 1;
    for (int extent : extents) {
      cells *= extent;
    }
    assertThat(rows).hasSize((int) cells);
    byIndex.forEach(
        (index, row) -> {
          for (int c = 0; c < columns.size(); c++) {
            Object ours = row.get(extents.length + c);
            Map<String, Object> variable = variables.get(columns.get(c));
            Object theirs =
                variable == null
                    ? index.get(dimensions.indexOf(columns.get(c)))
                    : value(variable, dimensions, extents, index);
            String where = name + " " + columns.get(c) + index;
            assertThat(form(ours, theirs)).as(where).isEqualTo(theirs(theirs, ours));
          }
        });
  }

  private static @Nullable Object value(
      Map<String, Object> variable, List<String> dimensions, int[] extents, List<Long> index) {
    int place = 0;
    for (String dimension : dims(variable)) {
      int d = dimensions.indexOf(dimension);
      place = place * extents[d] + index.get(d).intValue();
    }
    return ((List<?>) requireNonNull(variable.get("values"))).get(place);
  }

  /**
   * Returns a value of Spark in the form of the record: xarray has one NaN for all that is missing.
   */
  private static @Nullable Object form(@Nullable Object ours, @Nullable Object theirs) {
    if (ours instanceof Number number) {
      double real = number.doubleValue();
      return Double.isNaN(real)
          ? null
          : theirs instanceof Double || theirs instanceof String || !(ours instanceof Number)
              ? (Object) real
              : new BigDecimal(ours.toString()).stripTrailingZeros();
    } else if (ours instanceof byte[] bytes) {
      return new String(bytes, StandardCharsets.UTF_8);
    } else if (ours instanceof Duration duration) {
      return duration;
    }
    return ours;
  }

  private static @Nullable Object theirs(@Nullable Object theirs, @Nullable Object ours) {
    if (ours instanceof LocalDateTime time && theirs instanceof String text) {
      LocalDateTime expected = LocalDateTime.parse(text);
      return Math.abs(ChronoUnit.MICROS.between(expected, time)) <= 1 ? time : expected;
    } else if (ours instanceof Duration && theirs instanceof Number nanos) {
      return Duration.of(nanos.longValue(), ChronoUnit.NANOS).truncatedTo(ChronoUnit.MICROS);
    } else if (ours instanceof Number && theirs instanceof String text) {
      return Double.valueOf(text);
    } else if (ours instanceof String ofModel
        && theirs instanceof String text
        && text.matches("\\d{4}-\\d\\d-\\d\\dT.*")) {
      return text.substring(0, 19).equals(ofModel.substring(0, 19)) ? ofModel : text;
    } else if (theirs instanceof Double) {
      return theirs;
    } else if (theirs instanceof Number number) {
      return new BigDecimal(number.toString()).stripTrailingZeros();
    }
    return theirs;
  }

  private static List<String> dims(Map<String, Object> variable) {
    return ((List<?>) requireNonNull(variable.get("dims"))).stream().map(String::valueOf).toList();
  }

  @SuppressWarnings("unchecked") // the record is of this form
  private static Map<String, Map<String, Object>> maps(@Nullable Object value) {
    return (Map<String, Map<String, Object>>) requireNonNull(value);
  }
}
