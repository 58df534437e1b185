package dev.zarrreactive.cli.input;

import dev.zarrreactive.cli.options.Choices;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;

/** The formats of files that become arrays. */
public enum InputFormat {
  /** A NumPy file. */
  NPY,

  /** The elements one after the other, without a header. */
  RAW,

  /** A table of numbers as text. */
  CSV,

  /** A picture. */
  PNG;

  /** Returns the word of the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns which program makes Zarr of a file of another format; empty for an unknown one. */
  static String adviceOf(String file) {
    String name = file.toLowerCase(Locale.ROOT);
    String xarray = ". xarray makes Zarr of it: python -c \"import xarray; xarray.open_dataset('";
    return switch (name.substring(Math.max(0, name.lastIndexOf('.')))) {
      case ".nc", ".nc4", ".cdf", ".h5", ".hdf5", ".he5", ".hdf" ->
          xarray + file + "').to_zarr('new.zarr')\"";
      case ".grib", ".grb", ".grib2", ".grb2" ->
          xarray + file + "', engine='cfgrib').to_zarr('new.zarr')\"";
      case ".tif", ".tiff", ".jp2", ".vrt", ".img", ".hgt" ->
          ". GDAL makes Zarr of it: gdal_translate -of ZARR " + file + " new.zarr";
      case ".h5ad" ->
          ". anndata makes Zarr of it: python -c \"import anndata; anndata.read_h5ad('"
              + file
              + "').write_zarr('new.zarr')\"";
      case ".parquet" -> "; zarr import reads tables as CSV";
      case ".zarr", ".zip" -> "; zarr copy copies what is Zarr already";
      default -> "";
    };
  }

  /** Returns the format for the suffix of a file's name; null for an unknown one. */
  static @Nullable InputFormat ofSuffix(String file) {
    String name = file.toLowerCase(Locale.ROOT);
    return switch (name.substring(Math.max(0, name.lastIndexOf('.')))) {
      case ".npy" -> NPY;
      case ".raw", ".bin", ".dat" -> RAW;
      case ".csv", ".tsv", ".txt" -> CSV;
      case ".png" -> PNG;
      default -> null;
    };
  }

  /** Reads the name. */
  static final class Converter implements ITypeConverter<InputFormat> {
    @Override
    public InputFormat convert(String word) {
      return Choices.choice(word, values());
    }
  }
}
