package dev.zarrreactive.cli.view;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.datatype.BoolType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;
import java.util.Arrays;

/** The elements of a plane as numbers; NaN for missing data. */
final class PlaneValues {
  private final double[][] bands;
  private final int height;
  private final int width;

  private PlaneValues(double[][] bands, int height, int width) {
    this.bands = bands;
    this.height = height;
    this.width = width;
  }

  /**
   * Returns the values of elements.
   *
   * @param elements colours, rows and columns
   * @param missing the numbers that stand for missing data
   * @throws CommandFailure for a data type that is no number
   */
  static PlaneValues of(NdArray elements, double[] missing) {
    checkType(elements.dataType());
    int count = (int) elements.shape().extent(0);
    double[][] bands = new double[count][];
    for (int band = 0; band < count; band++) {
      Selection one = Selection.of(DimensionSelection.at(band), DimensionSelection.ellipsis());
      bands[band] = elements.slice(one).cast(DataTypes.FLOAT64).toDoubleArray();
      for (double gap : missing) {
        for (int i = 0; i < bands[band].length; i++) {
          if (bands[band][i] == gap) {
            bands[band][i] = Double.NaN;
          }
        }
      }
    }
    return new PlaneValues(
        bands, (int) elements.shape().extent(1), (int) elements.shape().extent(2));
  }

  /**
   * Checks that a picture can show the elements.
   *
   * @throws CommandFailure for a data type that is no number
   */
  static void checkType(DataType type) {
    if (!(type instanceof IntegerType || type instanceof FloatType || type instanceof BoolType)) {
      throw new CommandFailure(
          "a picture shows integers, floats and bool, not " + type + "; zarr read prints it");
    }
  }

  int bands() {
    return bands.length;
  }

  int height() {
    return height;
  }

  int width() {
    return width;
  }

  double value(int band, int y, int x) {
    return bands[band][y * width + x];
  }

  /** Turns the rows upside down. */
  void flip() {
    for (double[] band : bands) {
      for (int top = 0, bottom = height - 1; top < bottom; top++, bottom--) {
        double[] row = Arrays.copyOfRange(band, top * width, (top + 1) * width);
        System.arraycopy(band, bottom * width, band, top * width, width);
        System.arraycopy(row, 0, band, bottom * width, width);
      }
    }
  }

  /**
   * Returns a percentile of the finite numbers of a band, between two of them by its distance; NaN
   * if there are none.
   */
  double percentile(int band, double percent) {
    double[] sorted = Arrays.stream(bands[band]).filter(Double::isFinite).sorted().toArray();
    if (sorted.length == 0) {
      return Double.NaN;
    }
    double place = percent / 100 * (sorted.length - 1);
    int below = (int) place;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
  }
}
