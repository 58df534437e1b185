package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.testing.Python;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Datasets of the CF conventions, which xarray has written, from Zarr v2 to v3 and back: xarray
 * finds them identical at each step. Needs a Python with xarray and zarr 3, which the property or
 * the variable {@code XARRAY_PYTHON} names, else {@code ZARR_PYTHON}.
 */
class XarrayRoundTripTest {
  private static final String SCRIPT =
      """
      import os, sys
      import numpy as np, pandas as pd, xarray as xr, zarr

      def var(dims, data, encoding=None, **attrs):
          v = xr.Variable(dims, data, attrs)
          v.encoding = encoding or {}
          return v

      def datasets():
          x = np.arange(6, dtype="f8")
          nan = np.array([1.5, np.nan, -2, 0, 1e30, np.nan])
          days = pd.date_range("2000-01-01", periods=6, freq="D").values.astype("M8[ns]")
          nat = days.copy(); nat[2] = np.datetime64("NaT")
          ints = np.array([0, 1, -1, 127, 0, 5])
          yield "packed", xr.Dataset({"t": var("x", nan * 0 + [1, 2, 3, 4, 5, 6],
              {"dtype": "i2", "scale_factor": 0.5, "add_offset": 10.0, "_FillValue": -9999},
              units="K")}, {"x": x})
          yield "floats", xr.Dataset({"a": ("x", nan), "b": ("x", nan.astype("f4")),
              "c": var("x", nan, {"_FillValue": -999.0})})
          yield "times", xr.Dataset({"when": ("x", nat), "span": ("x", days - days[0])},
              {"time": ("time", days)})
          yield "strings", xr.Dataset({"s": ("x", np.array(["a", "", "\u00e9", "bc", "d", "e"])),
              "o": ("x", np.array(["v", "", "long text", "w", "y", "z"], dtype=object))})
          yield "masks", xr.Dataset({"m": ("x", np.array([True, False] * 3)),
              "zeros": ("x", np.zeros(6, "i4")),
              "flags": var("x", ints.astype("i1"), flag_values=[0, 1], flag_meanings="no yes")})
          yield "scalars", xr.Dataset({"i": ((), np.int32(7)), "f": ((), 2.5), "n": ((), np.nan),
              "crs": var((), np.int32(0), grid_mapping_name="latitude_longitude")})
          yield "coordinates", xr.Dataset({"v": (("y", "x"), np.arange(12.0).reshape(2, 6))},
              {"x": x, "y": [10, 20], "lat": (("y", "x"), np.ones((2, 6))), "height": 2.0})
          yield "complex", xr.Dataset({"z": ("x", np.arange(6) * (1 + 2j)),
              "z4": ("x", (np.arange(6) * 1j).astype("c8"))})
          yield "integers", xr.Dataset({t: ("x", (np.arange(6) * 40 % 120).astype(t))
              for t in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8")})
          yield "chunked", xr.Dataset({"v": var(("y", "x"), np.arange(60.0).reshape(10, 6),
              {"chunks": (3, 4)}), "w": var("y", np.arange(10), {"chunks": (4,)})})
          yield "attributes", xr.Dataset({"v": var("x", x, long_name="\u00e9", valid_range=[0.0, 9.5],
              missing="no", nested=[1, 2, 3])}, attrs={"title": "all", "n": 3, "h": 1.5})
          yield "masked_integers", xr.Dataset({"v": var("x", np.array([1.0, np.nan, 3, 4, np.nan, 0]),
              {"dtype": "i4", "_FillValue": -1}), "u": var("x", np.array([1.0, 2, np.nan, 0, 0, 9]),
              {"dtype": "u1", "_FillValue": 255}), "empty": ("e", np.zeros(0))})

      def load(path):
          with xr.open_zarr(path, consolidated=False) as found:
              return found.load()

      root = sys.argv[2]
      if sys.argv[1] == "make":
          for name, ds in datasets():
              ds.to_zarr(os.path.join(root, "v2", name), zarr_format=2, consolidated=True)
              print(name)
      else:
          for name in sorted(os.listdir(os.path.join(root, "v2"))):
              first = load(os.path.join(root, "v2", name))
              for step in ("v3", "back"):
                  other = load(os.path.join(root, step, name))
                  assert first.identical(other), (name, step, str(first), str(other))
                  for v in first.variables:
                      assert first[v].dtype == other[v].dtype, (name, step, v)
          print("identical")
      """;

  @TempDir Path directory;

  @Test
  void twelve_datasets_are_identical_from_v2_to_v3_and_back() throws Exception {
    Python python =
        Python.with("pandas, xarray, zarr; assert zarr.__version__ >= '3'", "XARRAY_PYTHON");
    String made = python.run(SCRIPT, "make", directory);
    List<String> names =
        made.lines().filter(name -> Files.isDirectory(directory.resolve("v2/" + name))).toList();
    assertThat(names).hasSize(12);
    for (String name : names) {
      copy("v2/" + name, "v3/" + name, "3");
      copy("v3/" + name, "back/" + name, "2");
    }
    assertThat(python.run(SCRIPT, "check", directory)).contains("identical");
  }

  private void copy(String from, String to, String format) {
    CommandRun run =
        zarr(
            "copy",
            directory.resolve(from).toString(),
            directory.resolve(to).toString(),
            "--format",
            format);
    assertThat(run.exitCode()).as(from + ": " + run.err()).isZero();
  }
}
