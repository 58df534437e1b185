package dev.zarrreactive.spark.write;

import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.dataset.NewVariable;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.icechunk.Icechunk;
import dev.zarrreactive.icechunk.IcechunkFinding;
import dev.zarrreactive.icechunk.IcechunkRepository;
import dev.zarrreactive.icechunk.IcechunkSnapshot;
import dev.zarrreactive.icechunk.IcechunkVersion;
import dev.zarrreactive.store.file.FileSystemStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** The dataset of {@link ClusterWrites} as one process writes it, without Spark. */
final class OneProcess {
  private static final int LATS = ClusterWrites.LATS;
  private static final int STATIONS = ClusterWrites.STATIONS;

  private OneProcess() {}

  /** Writes the same dataset by this library alone. */
  static void write(Path location, int hours) {
    long[] micros = new long[hours];
    Arrays.setAll(micros, h -> 1_577_836_800_000_000L + h * 3_600_000_000L);
    double[] lats = new double[LATS];
    Arrays.setAll(lats, l -> l);
    String[] stations = new String[STATIONS];
    Arrays.setAll(stations, s -> "s" + s);
    int[] t = new int[hours * LATS * STATIONS];
    Arrays.setAll(t, i -> i);
    float[] heights = new float[LATS * STATIONS];
    for (int i = 0; i < heights.length; i++) {
      heights[i] = i / STATIONS + i % STATIONS / 16f;
    }
    UnaryOperator<NewVariable> height = h -> h.missing(Double.NaN).chunkShape(5, 5);
    await(
        Dataset.builder()
            .attribute("title", "heights")
            .coordinate(
                "time",
                NdArray.ofLongs(
                    DataTypes.datetime64(NumpyUnit.MICROSECOND, 1), Shape.of(hours), micros))
            .coordinate("lat", NdArray.ofDoubles(Shape.of(LATS), lats))
            .coordinate(
                "station", NdArray.ofStrings(DataTypes.STRING, Shape.of(STATIONS), stations))
            .variable(
                "t",
                List.of("time", "lat", "station"),
                NdArray.ofInts(DataTypes.INT32, Shape.of(hours, LATS, STATIONS), t),
                v -> v.chunkShape(2, 2, 5).shardShape(8, 4, 10))
            .variable(
                "height",
                List.of("lat", "station"),
                NdArray.ofFloats(DataTypes.FLOAT32, Shape.of(LATS, STATIONS), heights),
                height)
            .write(Zarr.at(location.toString())));
  }

  /** Returns the files below a directory, with their bytes as text. */
  static Map<String, String> files(Path top) throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (var all = Files.walk(top)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        files.put(top.relativize(file).toString(), Arrays.toString(Files.readAllBytes(file)));
      }
    }
    return files;
  }

  /** Asserts that two directories have the same files. */
  static void assertAreLike(Path single, Path written) throws IOException {
    Map<String, String> expected = files(single);
    Map<String, String> found = files(written);
    assertThat(found.keySet()).isEqualTo(expected.keySet());
    expected.forEach((file, bytes) -> assertThat(found.get(file)).as(file).isEqualTo(bytes));
  }

  /**
   * Asserts that a branch has the values of a dataset that one process has written, by these
   * commits alone, and that nothing is wrong in its repository.
   *
   * @param messages of the commits, newest first
   */
  static void assertHasCommits(Path single, Path repository, String... messages) {
    Dataset expected = await(Dataset.open(Zarr.at(single.toString())));
    Dataset found = await(Dataset.open(Zarr.at(repository + "|icechunk:")));
    for (String name : List.of("time", "lat", "t", "height")) {
      NdArray values = await(expected.variable(name).read());
      assertThat(await(found.variable(name).read())).as(name).isEqualTo(values);
    }
    IcechunkRepository opened = await(Icechunk.open(FileSystemStore.open(repository)));
    List<String> all = new ArrayList<>(List.of(messages));
    all.add("Repository initialized");
    assertThat(await(opened.history(IcechunkVersion.MAIN).map(IcechunkSnapshot::message)))
        .isEqualTo(all);
    assertThat(await(opened.checkHistory())).noneMatch(IcechunkFinding::isFault);
  }
}
