package dev.zarrreactive.geo;

import java.util.Arrays;

/**
 * The coordinates of a raster, in GDAL's order: column 0 and row 0 are the corner of the first
 * pixel, whose centre is at 0.5 and 0.5.
 *
 * @param x the x of the corner
 * @param xPerColumn the x from one column to the next
 * @param xPerRow the x from one row to the next, 0 without a rotation
 * @param y the y of the corner
 * @param yPerColumn the y from one column to the next, 0 without a rotation
 * @param yPerRow the y from one row to the next, negative where the first row is in the north
 */
public record AffineTransform(
    double x, double xPerColumn, double xPerRow, double y, double yPerColumn, double yPerRow) {

  /**
   * The least and greatest coordinates of a raster.
   *
   * @param minX the least x
   * @param minY the least y
   * @param maxX the greatest x
   * @param maxY the greatest y
   */
  public record Bounds(double minX, double minY, double maxX, double maxY) {}

  /** Returns the x of a place in pixels; the centre of the first one is {@code (0.5, 0.5)}. */
  public double x(double column, double row) {
    return x + column * xPerColumn + row * xPerRow;
  }

  /** Returns the y of a place in pixels. */
  public double y(double column, double row) {
    return y + column * yPerColumn + row * yPerRow;
  }

  /**
   * Returns the column of a place, which may be between two columns or outside; its floor is the
   * index of the pixel.
   *
   * @throws ArithmeticException if all pixels are on one line
   */
  public double column(double atX, double atY) {
    return ((atX - x) * yPerRow - (atY - y) * xPerRow) / determinant();
  }

  /** Returns the row of a place; as {@link #column}. */
  public double row(double atX, double atY) {
    return ((atY - y) * xPerColumn - (atX - x) * yPerColumn) / determinant();
  }

  private double determinant() {
    double determinant = xPerColumn * yPerRow - xPerRow * yPerColumn;
    if (determinant == 0) {
      throw new ArithmeticException("the transform has no inverse: " + this);
    }
    return determinant;
  }

  /** Returns the bounds of a raster, with the whole of its pixels. */
  public Bounds bounds(double height, double width) {
    double[] xs = {x(0, 0), x(width, 0), x(0, height), x(width, height)};
    double[] ys = {y(0, 0), y(width, 0), y(0, height), y(width, height)};
    Arrays.sort(xs);
    Arrays.sort(ys);
    return new Bounds(xs[0], ys[0], xs[3], ys[3]);
  }

  /** Returns the transform of a raster whose columns and rows are as many pixels of this one. */
  public AffineTransform coarser(double columns, double rows) {
    return new AffineTransform(
        x, xPerColumn * columns, xPerRow * rows, y, yPerColumn * columns, yPerRow * rows);
  }

  /** Returns the transform half a pixel before, where this one is of the pixels' centres. */
  AffineTransform ofCorners() {
    return new AffineTransform(
        x(-0.5, -0.5), xPerColumn, xPerRow, y(-0.5, -0.5), yPerColumn, yPerRow);
  }
}
