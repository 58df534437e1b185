package dev.zarrreactive.ome;

import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Multiplies points with a matrix, and adds its last column. */
final class OmeAffineStep implements OmeStep {
  private final double[][] rows;
  private final int inputs;

  /** The inverse, where it is not the one of the matrix, as of axes that are created. */
  private final @Nullable OmeAffineStep known;

  OmeAffineStep(double[][] rows, int inputs) {
    this(rows, inputs, null);
  }

  OmeAffineStep(double[][] rows, int inputs, @Nullable OmeAffineStep known) {
    this.rows = rows;
    this.inputs = inputs;
    this.known = known;
  }

  static OmeAffineStep scale(List<Double> scale) {
    double[][] rows = new double[scale.size()][scale.size() + 1];
    double[][] back = new double[scale.size()][scale.size() + 1];
    boolean hasInverse = true;
    for (int d = 0; d < rows.length; d++) {
      rows[d][d] = scale.get(d);
      back[d][d] = 1 / scale.get(d);
      hasInverse &= Double.isFinite(back[d][d]);
    }
    OmeAffineStep inverse = hasInverse ? new OmeAffineStep(back, rows.length) : null;
    return new OmeAffineStep(rows, rows.length, inverse);
  }

  static OmeAffineStep translation(List<Double> translation) {
    int rank = translation.size();
    double[][] rows = new double[rank][rank + 1];
    double[][] back = new double[rank][rank + 1];
    for (int d = 0; d < rank; d++) {
      rows[d][d] = 1;
      back[d][d] = 1;
      rows[d][rank] = translation.get(d);
      back[d][rank] = -translation.get(d);
    }
    return new OmeAffineStep(rows, rank, new OmeAffineStep(back, rank));
  }

  /** Returns the step whose output {@code i} is the input {@code sources[i]}; 0 for -1. */
  static OmeAffineStep choice(int[] sources, int inputs) {
    double[][] rows = new double[sources.length][inputs + 1];
    int[] back = new int[inputs];
    boolean hasInverse = true;
    for (int i = 0; i < inputs; i++) {
      back[i] = -1;
      for (int o = 0; o < sources.length; o++) {
        back[i] = sources[o] == i ? o : back[i];
      }
      hasInverse &= back[i] >= 0;
    }
    for (int o = 0; o < sources.length; o++) {
      if (sources[o] >= 0) {
        rows[o][sources[o]] = 1;
      }
    }
    return new OmeAffineStep(rows, inputs, hasInverse ? gathered(back, sources.length) : null);
  }

  private static OmeAffineStep gathered(int[] sources, int inputs) {
    double[][] rows = new double[sources.length][inputs + 1];
    for (int o = 0; o < sources.length; o++) {
      rows[o][sources[o]] = 1;
    }
    return new OmeAffineStep(rows, inputs);
  }

  @Override
  public int inputs() {
    return inputs;
  }

  @Override
  public int outputs() {
    return rows.length;
  }

  @Override
  public Mono<double[]> point(double[] point) {
    double[] result = new double[rows.length];
    for (int o = 0; o < rows.length; o++) {
      double sum = 0;
      for (int i = 0; i < inputs; i++) {
        sum += product(rows[o][i], point[i]);
      }
      result[o] = sum + rows[o][inputs];
    }
    return Mono.just(result);
  }

  @Override
  public Mono<OmeBox> box(OmeBox box) {
    double[] from = new double[rows.length];
    double[] to = new double[rows.length];
    for (int o = 0; o < rows.length; o++) {
      for (int i = 0; i < inputs; i++) {
        double one = product(rows[o][i], box.from().get(i));
        double other = product(rows[o][i], box.to().get(i));
        from[o] += Math.min(one, other);
        to[o] += Math.max(one, other);
      }
      from[o] += rows[o][inputs];
      to[o] += rows[o][inputs];
    }
    return Mono.just(OmeBox.of(from, to));
  }

  /** Returns the product; 0 for an axis that does not count, though its end be infinite. */
  private static double product(double factor, double coordinate) {
    return factor == 0 ? 0 : factor * coordinate;
  }

  @Override
  public boolean isInvertible() {
    return known != null || inputs == rows.length;
  }

  @Override
  public @Nullable OmeStep inverse() {
    if (known != null) {
      return known;
    }
    double[][] back = inputs == rows.length ? inverse(rows) : null;
    return back == null ? null : new OmeAffineStep(back, inputs, this);
  }

  /** Returns the inverse by elimination with the greatest pivots; null of a singular matrix. */
  private static double @Nullable [][] inverse(double[][] matrix) {
    int rank = matrix.length;
    double[][] work = new double[rank][2 * rank + 1];
    for (int r = 0; r < rank; r++) {
      System.arraycopy(matrix[r], 0, work[r], 0, rank);
      work[r][rank + r] = 1;
      work[r][2 * rank] = -matrix[r][rank];
    }
    for (int c = 0; c < rank; c++) {
      int pivot = c;
      for (int r = c + 1; r < rank; r++) {
        pivot = Math.abs(work[r][c]) > Math.abs(work[pivot][c]) ? r : pivot;
      }
      double[] row = work[pivot];
      work[pivot] = work[c];
      work[c] = row;
      double factor = row[c];
      for (int i = 0; i < row.length; i++) {
        row[i] /= factor;
      }
      for (int r = 0; r < rank; r++) {
        double times = work[r][c];
        for (int i = 0; r != c && i < row.length; i++) {
          work[r][i] -= times * row[i];
        }
      }
    }
    double[][] inverse = new double[rank][rank + 1];
    for (int r = 0; r < rank; r++) {
      System.arraycopy(work[r], rank, inverse[r], 0, rank + 1);
      for (double number : inverse[r]) {
        if (!Double.isFinite(number)) {
          return null;
        }
      }
    }
    return inverse;
  }

  @Override
  public double[][] matrix() {
    double[][] copy = new double[rows.length][];
    for (int r = 0; r < rows.length; r++) {
      copy[r] = rows[r].clone();
    }
    return copy;
  }
}
