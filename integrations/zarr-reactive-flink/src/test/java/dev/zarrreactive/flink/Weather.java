package dev.zarrreactive.flink;

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
import java.time.LocalDateTime;
import java.util.Arrays;
import org.apache.flink.types.Row;

/** A small dataset: {@code t(time, lat, station)} in chunks, and a variable of each data type. */
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

  /** The columns of a table. */
  static final String COLUMNS = "`time` TIMESTAMP(3), lat DOUBLE, station STRING, t INT";

  private Weather() {}

  /** The row of an index. */
  static Row row(int time, int lat, int station) {
    return Row.of(
        LocalDateTime.of(2020, 1, 1, 0, 0).plusHours(6L * time),
        LAT[lat],
        STATION[station],
        (time * LATS + lat) * STATIONS + station);
  }

  static void write(Path directory) {
    ZarrGroup group = requireNonNull(await(Zarr.at(directory.toString()).createGroup()));
    int[] hours = new int[TIMES];
    Arrays.setAll(hours, i -> 6 * i);
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
        NdArray.ofDoubles(Shape.of(LATS), LAT));
    write(
        group,
        "station",
        array(DataTypes.STRING, STATIONS).dimensionNames("station"),
        NdArray.ofStrings(DataTypes.STRING, Shape.of(STATIONS), STATION));
    int[] values = new int[TIMES * LATS * STATIONS];
    Arrays.setAll(values, i -> i);
    Shape shape = Shape.of(TIMES, LATS, STATIONS);
    write(
        group,
        "t",
        ArrayMetadata.v3(shape, DataTypes.INT32)
            .chunkShape(5, 4, 3)
            .dimensionNames("time", "lat", "station"),
        NdArray.ofInts(DataTypes.INT32, shape, values));
  }

  static ArrayMetadataBuilder array(DataType type, int extent) {
    return ArrayMetadata.v3(Shape.of(extent), type).chunkShape(extent);
  }

  static void write(ZarrGroup group, String name, ArrayMetadataBuilder metadata, NdArray values) {
    await(
        group
            .createArray(name, metadata.build())
            .flatMap(array -> array.write(Selection.all(), values)));
  }
}
