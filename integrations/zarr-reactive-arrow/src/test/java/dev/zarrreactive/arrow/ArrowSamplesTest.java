package dev.zarrreactive.arrow;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.datatype.DataTypes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
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

  private static long rows(ArrowReader reader) throws IOException {
    long rows = 0;
    while (reader.loadNextBatch()) {
      rows += reader.getVectorSchemaRoot().getRowCount();
    }
    return rows;
  }
}
