package dev.zarrreactive.arrow;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.datatype.DataTypes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.commons.math3.stat.regression.SimpleRegression;
import org.duckdb.DuckDBConnection;
import org.ejml.data.DMatrixRMaj;
import org.ejml.simple.SimpleMatrix;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The samples of arrays-elsewhere.md for Arrow. */
class ArrowSamplesTest {
  @TempDir static Path directory;

  /** Writes 48 hours of temperatures at 3 by 4 places, of which some are missing. */
  @BeforeAll
  static void write() {
    float[] air = new float[48 * 12];
    for (int i = 0; i < air.length; i++) {
      air[i] = i % 12 == 5 ? Float.NaN : 270 + i / 12 % 24;
    }
    Instant start = Instant.parse("2020-01-01T00:00:00Z");
    Dataset.builder()
        .coordinate(
            "time", IntStream.range(0, 48).mapToObj(h -> start.plusSeconds(h * 3600L)).toList())
        .coordinate("lat", List.of(50.0, 51.0, 52.0))
        .coordinate("lon", List.of(8.0, 9.0, 10.0, 11.0))
        .variable(
            "air",
            List.of("time", "lat", "lon"),
            NdArray.ofFloats(DataTypes.FLOAT32, Shape.of(48, 3, 4), air),
            variable -> variable.chunkShape(24, 3, 4).missing(Float.NaN))
        .write(Zarr.at(directory.resolve("weather.zarr").toString()))
        .block();
  }

  private static Dataset weather() {
    return requireNonNull(
        Dataset.open(Zarr.at(directory.resolve("weather.zarr").toString())).block());
  }

  @Test
  void batches_are_closed_by_who_has_them() {
    Dataset weather = weather();
    try (RootAllocator allocator = new RootAllocator()) {
      // docs: batches
      Mono<Double> warmest =
          weather
              .sel("time", "2020-01-02")
              .dataset()
              .flatMapMany(day -> ArrowTable.of(day, "air").batches(allocator))
              .map(
                  batch -> {
                    try (batch) {
                      return largest((Float4Vector) batch.getVector("air"));
                    }
                  })
              .reduce(Double.NEGATIVE_INFINITY, Math::max);
      // docs: end
      assertThat(warmest.block()).isEqualTo(293);
    }
  }

  private static double largest(Float4Vector values) {
    double largest = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < values.getValueCount(); i++) {
      largest = values.isNull(i) ? largest : Math.max(largest, values.get(i));
    }
    return largest;
  }

  // docs: arrow-stream
  /** The body of a response of the type {@link ArrowTable#MEDIA_TYPE}. */
  static Flux<Bytes> body(Dataset weather, BufferAllocator allocator) {
    return ArrowTable.of(weather, "air").stream(allocator);
  }

  // docs: end

  @Test
  void a_body_is_a_stream_of_ipc() throws IOException {
    try (RootAllocator allocator = new RootAllocator();
        ArrowStreamReader reader =
            new ArrowStreamReader(
                new ByteArrayInputStream(ArrowTableTest.joined(body(weather(), allocator))),
                allocator)) {
      assertThat(rows(reader)).isEqualTo(48 * 12);
    }
  }

  @Test
  void a_loop_waits_for_batches() throws IOException {
    Dataset weather = weather();
    long rows = 0;
    // docs: arrow-reader
    try (RootAllocator allocator = new RootAllocator();
        ArrowReader reader = ArrowTable.of(weather).reader(allocator)) {
      VectorSchemaRoot root = reader.getVectorSchemaRoot();
      while (reader.loadNextBatch()) {
        rows += root.getRowCount();
      }
    }
    // docs: end
    assertThat(rows).isEqualTo(48 * 12);
  }

  @Test
  void duckdb_asks_a_dataset_in_sql() throws SQLException, IOException {
    assumeThat(CDataLibrary.problem()).as("the C data interface").isEmpty();
    Dataset weather = weather();
    List<String> warmest = new ArrayList<>();
    // docs: duckdb
    try (RootAllocator allocator = new RootAllocator();
        ArrowReader reader = ArrowTable.of(weather, "air").reader(allocator);
        ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator);
        var duckdb = (DuckDBConnection) DriverManager.getConnection("jdbc:duckdb:")) {
      Data.exportArrayStream(allocator, reader, stream);
      duckdb.registerArrowStream("weather", stream);
      String sql =
          """
          SELECT time::DATE AS day, lat, max(air) AS warmest, count(air) AS values
          FROM weather WHERE lon > 8.5 GROUP BY day, lat ORDER BY day, lat
          """;
      try (Statement statement = duckdb.createStatement();
          ResultSet rows = statement.executeQuery(sql)) {
        while (rows.next()) {
          warmest.add(rows.getDate("day") + " " + rows.getDouble("lat") + ": " + rows.getDouble(3));
        }
      }
    }
    // docs: end
    assertThat(warmest)
        .containsExactly(
            "2020-01-01 50.0: 293.0",
            "2020-01-01 51.0: 293.0",
            "2020-01-01 52.0: 293.0",
            "2020-01-02 50.0: 293.0",
            "2020-01-02 51.0: 293.0",
            "2020-01-02 52.0: 293.0");
  }

  @Test
  void chunks_are_tensors() {
    Dataset weather = weather();
    try (RootAllocator allocator = new RootAllocator()) {
      // docs: tensors
      Flux<Long> starts =
          ArrowTensors.of(weather.variable("air"))
              .batches(allocator)
              .map(
                  batch -> {
                    try (batch) {
                      return ((BigIntVector) batch.getVector("time_start")).get(0);
                    }
                  });
      // docs: end
      assertThat(starts.collectList().block()).containsExactly(0L, 24L);
    }
  }

  @Test
  void matrices_of_ejml_are_of_an_array() {
    Dataset weather = weather();
    // docs: ejml
    Mono<SimpleMatrix> gram =
        weather
            .variable("air")
            .isel("time", 0)
            .read()
            .map(
                data -> {
                  int rows = (int) data.shape().extent(0);
                  int columns = (int) data.shape().extent(1);
                  double[] values = data.cast(DataTypes.FLOAT64).toDoubleArray();
                  return SimpleMatrix.wrap(DMatrixRMaj.wrap(rows, columns, values));
                })
            .map(matrix -> matrix.mult(matrix.transpose()));
    // docs: end
    SimpleMatrix square = requireNonNull(gram.block());
    assertThat(square.getNumRows()).isEqualTo(3);
    assertThat(square.get(0, 0)).isEqualTo(4 * 270.0 * 270.0);
  }

  @Test
  void statistics_of_commons_math_are_of_an_array() {
    Dataset weather = weather();
    // docs: commons-math
    Mono<SimpleRegression> trend =
        weather
            .variable("air")
            .isel("lat", 0)
            .isel("lon", "0")
            .read()
            .map(
                data -> {
                  SimpleRegression regression = new SimpleRegression();
                  double[] values = data.cast(DataTypes.FLOAT64).toDoubleArray();
                  for (int hour = 0; hour < 24; hour++) {
                    regression.addData(hour, values[hour]);
                  }
                  return regression;
                });
    // docs: end
    assertThat(requireNonNull(trend.block()).getSlope()).isCloseTo(1, offset(1e-12));
  }

  private static long rows(ArrowReader reader) throws IOException {
    long rows = 0;
    while (reader.loadNextBatch()) {
      rows += reader.getVectorSchemaRoot().getRowCount();
    }
    return rows;
  }
}
