package dev.zarrreactive.ome;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Scales and translates the indices of a level, or finds indices by coordinates. Along an axis with
 * the scale 0 all indices have one coordinate.
 */
record OmeLevelStep(OmeTransform transform, boolean isToIndices) implements OmeStep {
  @Override
  public int inputs() {
    return transform.scale().size();
  }

  @Override
  public int outputs() {
    return transform.scale().size();
  }

  private double carried(int axis, double number) {
    return isToIndices ? transform.index(axis, number) : transform.coordinate(axis, number);
  }

  @Override
  public Mono<double[]> point(double[] point) {
    double[] result = new double[point.length];
    for (int d = 0; d < point.length; d++) {
      result[d] = carried(d, point[d]);
    }
    return Mono.just(result);
  }

  @Override
  public Mono<OmeBox> box(OmeBox box) {
    double[] from = new double[inputs()];
    double[] to = new double[inputs()];
    for (int d = 0; d < from.length; d++) {
      double least = box.from().get(d);
      double greatest = box.to().get(d);
      if (transform.scale().get(d) != 0) {
        from[d] = Math.min(carried(d, least), carried(d, greatest));
        to[d] = Math.max(carried(d, least), carried(d, greatest));
      } else if (!isToIndices) {
        from[d] = transform.translation().get(d);
        to[d] = from[d];
      } else {
        double only = transform.translation().get(d);
        boolean hasOnly = least <= only && only <= greatest;
        from[d] = hasOnly ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        to[d] = Double.POSITIVE_INFINITY;
      }
    }
    return Mono.just(OmeBox.of(from, to));
  }

  @Override
  public boolean isInvertible() {
    return true;
  }

  @Override
  public OmeStep inverse() {
    return new OmeLevelStep(transform, !isToIndices);
  }

  @Override
  public double @Nullable [][] matrix() {
    int rank = inputs();
    double[][] rows = new double[rank][rank + 1];
    for (int d = 0; d < rank; d++) {
      double scale = transform.scale().get(d);
      if (isToIndices && scale == 0) {
        return null;
      }
      rows[d][d] = isToIndices ? 1 / scale : scale;
      rows[d][rank] =
          isToIndices ? -transform.translation().get(d) / scale : transform.translation().get(d);
    }
    return rows;
  }
}
