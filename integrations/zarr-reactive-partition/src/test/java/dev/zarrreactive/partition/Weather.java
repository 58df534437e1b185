package dev.zarrreactive.partition;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A small dataset: {@code t(time, lat, station)} in chunks and {@code s} in shards. The engines'
 * tests share it.
 */
public final class Weather {
  public static final int TIMES = 24;
  public static final int LATS = 12;
  public static final int STATIONS = 10;

  private Weather() {}

  /** The latitudes descend. */
  public static double lat(int index) {
    return 60 - 2.5 * index;
  }

  /** The stations are in no order. */
  public static String station(int index) {
    return "s" + index * 7 % STATIONS;
  }

  /** The value of {@code t} and of {@code s} at an index. */
  public static int value(int time, int lat, int station) {
    return (time * LATS + lat) * STATIONS + station;
  }

  /** Writes the dataset. */
  public static void write(Path directory) {
    ZarrGroup group = requireNonNull(await(Zarr.at(directory.toString()).createGroup()));
    int[] hours = new int[TIMES];
    Arrays.setAll(hours, i -> 6 * i);
    double[] lats = new double[LATS];
    Arrays.setAll(lats, Weather::lat);
    String[] stations = new String[STATIONS];
    Arrays.setAll(stations, Weather::station);
    write(
        group,
        "time",
        array(DataTypes.INT32, TIMES)
            .dimensionNames("time")
            .attributes(JsonObject.EMPTY.with("units", "hours since 2020-01-01")),
        NdArray.ofInts(DataTypes.INT32, Shape.of(TIMES), hours));
    write(
        group,
        "lat",
        array(DataTypes.FLOAT64, LATS).dimensionNames("lat"),
        NdArray.ofDoubles(Shape.of(LATS), lats));
    write(
        group,
        "station",
        array(DataTypes.STRING, STATIONS).dimensionNames("station"),
        NdArray.ofStrings(DataTypes.STRING, Shape.of(STATIONS), stations));
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

  /** Describes an array of one dimension and one chunk. */
  public static ArrayMetadataBuilder array(DataType type, int extent) {
    return ArrayMetadata.v3(Shape.of(extent), type).chunkShape(extent);
  }

  /** Creates an array with its values. */
  public static void write(
      ZarrGroup group, String name, ArrayMetadataBuilder metadata, NdArray values) {
    await(
        group
            .createArray(name, metadata.build())
            .flatMap(array -> array.write(Selection.all(), values)));
  }
}
