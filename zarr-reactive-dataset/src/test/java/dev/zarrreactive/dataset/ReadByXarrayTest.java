package dev.zarrreactive.dataset;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.testing.Python;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * xarray opens what is written here, and finds it identical to the dataset that it makes itself.
 * The Python is the one that {@code -DXARRAY_PYTHON=/path/to/python} or the variable {@code
 * XARRAY_PYTHON} names, else {@code ZARR_PYTHON}, else the one on the path; without xarray the test
 * is skipped.
 */
class ReadByXarrayTest {
  private static final String SCRIPT =
      """
      import sys, os
      import numpy as np, pandas as pd, xarray as xr, zarr

      root = sys.argv[1]
      gaps = (270 + np.arange(24) * 0.25).reshape(4, 3, 2)
      gaps.flat[5] = np.nan
      time = pd.date_range("2020-02-28", periods=5, freq="h").values.astype("datetime64[ns]")
      dims = ("time", "lat", "lon")
      expected = xr.Dataset(
          {
              "time_bnds": (("time", "nv"), np.stack([time[:4], time[1:]], 1)),
              "t2m": (dims, gaps, {"units": "K"}),
              "rain": (dims, gaps),
              "masked": (dims, gaps.astype("f4")),
              "zeros": ("lat", np.zeros(3, "i8")),
              "land": ("lat", np.array([True, False, True])),
              "name": ("lon", np.array(["Wien", "\\u00f6"], dtype=object)),
              "cover": ("lat", np.array([1, 2, 1], "i1"),
                        {"flag_values": [1, 2], "flag_meanings": "water wood"}),
              "age": ("lat", np.array([3600, 172800, 0], "m8[s]").astype("m8[ns]")),
              "count": ((), np.int32(7)),
          },
          {
              "time": ("time", time[:4], {"bounds": "time_bnds"}),
              "lat": ("lat", [50, 49.5, 49], {"units": "degrees_north"}),
              "lon": ("lon", [16, 17], {"units": "degrees_east"}),
              "height": 2.0,
              "area": (("lat", "lon"), (270 + np.arange(6) * 0.25).reshape(3, 2), {"units": "m2"}),
          },
          {"title": "all kinds", "levels": [1, 2.5]},
      )

      def load(name):
          found = xr.open_zarr(os.path.join(root, name), consolidated=True, decode_timedelta=True)
          return found.load()

      for name in ("v2", "v3"):
          for made in (name, name + "-part"):
              found = load(made)
              want = expected if made == name else expected.isel(time=slice(1, 3), lat=1)
              for v in want.variables:
                  assert v in found.variables, (made, v)
                  left, right = want[v].variable, found[v].variable
                  assert left.identical(right), (made, v, str(left), str(right))
                  kinds = left.dtype.kind + right.dtype.kind
                  assert kinds in ("MM", "mm") or "O" in kinds or "T" in kinds \\
                      or left.dtype == right.dtype, (made, v, left.dtype, right.dtype)
              assert want.identical(found), (made, str(want), str(found))
          longer = load(name + "-longer")
          again = xr.concat([expected[["t2m"]].drop_vars(["height", "area"])] * 2, "time")
          assert longer.t2m.shape == (8, 3, 2), str(longer)
          assert np.array_equal(longer.t2m.values, again.t2m.values, equal_nan=True)
          assert longer.t2m.encoding["scale_factor"] == 0.25
          assert (np.diff(longer.time.values) == np.timedelta64(1, "h")).all()
          # and xarray appends to it
          more = expected[["t2m"]].drop_vars(["height", "area"])
          more["time"] = more.time + np.timedelta64(8, "h")
          more.to_zarr(os.path.join(root, name + "-longer"), append_dim="time")
          assert load(name + "-longer").sizes["time"] == 12
      print("identical")
      """;

  @TempDir Path directory;

  private static NewDataset hours(int format, int from) {
    double[] gaps = NewDatasetTest.numbers(4, 3, 2).toDoubleArray();
    gaps[5] = Double.NaN;
    return Dataset.builder()
        .zarrFormat(format)
        .coordinate(
            "time", NewDatasetTest.hours(from, 4), time -> time.times("hours since 2000-01-01"))
        .variable(
            "t2m",
            List.of("time", "lat", "lon"),
            NdArray.ofDoubles(Shape.of(4, 3, 2), gaps),
            t2m ->
                t2m.packed(dev.zarrreactive.datatype.DataTypes.INT16, 0.25, 273).missing(-32768));
  }

  @Test
  void xarray_opens_the_identical_dataset() throws Exception {
    for (int format : List.of(2, 3)) {
      String at = directory.resolve("v" + format).toString();
      Dataset dataset = requireNonNull(await(NewDatasetTest.everything(format).write(Zarr.at(at))));
      await(
          dataset
              .sel("time", "2020-02-28T01", "2020-02-28T02")
              .sel("lat", 49.5)
              .writeTo(Zarr.at(at + "-part")));
      await(hours(format, 0).coordinate("lat", List.of(3, 2, 1)).write(Zarr.at(at + "-longer")));
      await(hours(format, 4).appendTo(Zarr.at(at + "-longer"), "time"));
    }
    String read =
        Python.with("pandas, xarray, zarr; assert zarr.__version__ >= '3'", "XARRAY_PYTHON")
            .run(SCRIPT, directory);
    assertThat(read.strip()).endsWith("identical");
  }
}
