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

/** A small dataset: {@code t(time, lat, station)} in chunks and {@code s} in shards. */
final class Weather {
  static final int TIMES = 24;
  static final int LATS = 12;
  static final int STATIONS = 10;

  /** The latitudes descend. */
  static final double[] LAT = new double[LATS];

  /** The stations are in no order. */
  static final String[] STATION = new String[STATIONS];

  static {
    Arrays.setAll(LAT, i -> 60 - 2.5 * i);
    Arrays.setAll(STATION, i -> "s" + i * 7 % STATIONS);
  }

  private Weather() {}

  /** The value of {@code t} and of {@code s} at an index. */
  static int value(int time, int lat, int station) {
    return (time * LATS + lat) * STATIONS + station;
  }

  static void write(Path directory) {
    ZarrGroup group = requireNonNull(await(Zarr.at(directory.toString()).createGroup()));
    int[] hours = new int[TIMES];
    Arrays.setAll(hours, i -> 6 * i);
    write(
        group,
        "time",
        ArrayMetadata.v3(Shape.of(TIMES), DataTypes.INT32)
            .chunkShape(TIMES)
            .dimensionNames("time")
            .attributes(JsonObject.EMPTY.with("units", "hours since 2020-01-01")),
        NdArray.ofInts(DataTypes.INT32, Shape.of(TIMES), hours));
    write(
        group,
        "lat",
        ArrayMetadata.v3(Shape.of(LATS), DataTypes.FLOAT64).chunkShape(LATS).dimensionNames("lat"),
        NdArray.ofDoubles(Shape.of(LATS), LAT));
    write(
        group,
        "station",
        ArrayMetadata.v3(Shape.of(STATIONS), DataTypes.STRING)
            .chunkShape(STATIONS)
            .dimensionNames("station"),
        NdArray.ofStrings(DataTypes.STRING, Shape.of(STATIONS), STATION));
    int[] values = new int[TIMES * LATS * STATIONS];
    Arrays.setAll(values, i -> i);
    Shape shape = Shape.of(TIMES, LATS, STATIONS);
    NdArray data = NdArray.ofInts(DataTypes.INT32, shape, values);
    write(
        group,
        "t",
        ArrayMetadata.v3(shape, DataTypes.INT32)
            .chunkShape(5, 4, 3)
            .dimensionNames("time", "lat", "station"),
        data);
    write(
        group,
        "s",
        ArrayMetadata.v3(shape, DataTypes.INT32)
            .chunkShape(2, 2, 5)
            .shardShape(8, 4, 10)
            .dimensionNames("time", "lat", "station"),
        data);
  }

  private static void write(
      ZarrGroup group, String name, ArrayMetadataBuilder metadata, NdArray values) {
    await(
        group
            .createArray(name, metadata.build())
            .flatMap(array -> array.write(Selection.all(), values)));
  }
}
