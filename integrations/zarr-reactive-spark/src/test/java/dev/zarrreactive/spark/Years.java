package dev.zarrreactive.spark;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Two years in steps of fifteen days and six hours: {@code v(time, lat, station)} with a latitude
 * of {@code float32}, in chunks of 4, 2 and 3.
 */
final class Years {
  static final int TIMES = 48;
  static final int LATS = 8;
  static final int STATIONS = 6;

  private Years() {}

  static int value(int time, int lat, int station) {
    return (time * LATS + lat) * STATIONS + station;
  }

  static void write(Path directory) {
    ZarrGroup group = requireNonNull(await(Zarr.at(directory.toString()).createGroup()));
    int[] hours = new int[TIMES];
    Arrays.setAll(hours, i -> i * (15 * 24 + 6));
    write(
        group,
        "time",
        ArrayMetadata.v3(Shape.of(TIMES), DataTypes.INT32)
            .dimensionNames("time")
            .attributes(JsonObject.EMPTY.with("units", "hours since 2014-01-01")),
        NdArray.ofInts(DataTypes.INT32, Shape.of(TIMES), hours));
    float[] lats = new float[LATS];
    for (int i = 0; i < LATS; i++) {
      lats[i] = 55.5f - 2.5f * i;
    }
    write(
        group,
        "lat",
        ArrayMetadata.v3(Shape.of(LATS), DataTypes.FLOAT32).dimensionNames("lat"),
        NdArray.ofFloats(DataTypes.FLOAT32, Shape.of(LATS), lats));
    String[] stations = new String[STATIONS];
    Arrays.setAll(stations, i -> "s" + i * 5 % STATIONS);
    write(
        group,
        "station",
        ArrayMetadata.v3(Shape.of(STATIONS), DataTypes.STRING).dimensionNames("station"),
        NdArray.ofStrings(DataTypes.STRING, Shape.of(STATIONS), stations));
    int[] values = new int[TIMES * LATS * STATIONS];
    Arrays.setAll(values, i -> i);
    Shape shape = Shape.of(TIMES, LATS, STATIONS);
    write(
        group,
        "v",
        ArrayMetadata.v3(shape, DataTypes.INT32)
            .chunkShape(4, 2, 3)
            .dimensionNames("time", "lat", "station"),
        NdArray.ofInts(DataTypes.INT32, shape, values));
  }

  private static void write(
      ZarrGroup group, String name, ArrayMetadataBuilder metadata, NdArray values) {
    await(
        group
            .createArray(name, metadata.build())
            .flatMap(array -> array.write(Selection.all(), values)));
  }

  /** The table, whose requests are counted. */
  static Dataset<Row> counted(Path directory) {
    return TestSpark.zarr().load("counted://" + directory);
  }

  /** All rows with their indices, in the memory of Spark: it decides each condition by itself. */
  static Dataset<Row> inMemory(Path directory, String... options) {
    var reader = TestSpark.zarr();
    for (int i = 0; i < options.length; i += 2) {
      reader = reader.option(options[i], options[i + 1]);
    }
    Dataset<Row> every =
        reader
            .load(directory.toString())
            .selectExpr("*", "_index_time", "_index_lat", "_index_station");
    return TestSpark.session().createDataFrame(every.collectAsList(), every.schema());
  }

  /** The keys of the chunks of rows, which begin with their indices. */
  static Set<String> chunks(List<Row> rows) {
    Set<String> keys = new TreeSet<>();
    for (Row row : rows) {
      keys.add("v/c/" + row.getLong(0) / 4 + "/" + row.getLong(1) / 2 + "/" + row.getLong(2) / 3);
    }
    return keys;
  }
}
