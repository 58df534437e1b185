package dev.zarrreactive.ome;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Leaves points where they are. */
record OmeIdentityStep(int rank) implements OmeStep {
  @Override
  public int inputs() {
    return rank;
  }

  @Override
  public int outputs() {
    return rank;
  }

  @Override
  public Mono<double[]> point(double[] point) {
    return Mono.just(point);
  }

  @Override
  public Mono<OmeBox> box(OmeBox box) {
    return Mono.just(box);
  }

  @Override
  public boolean isInvertible() {
    return true;
  }

  @Override
  public OmeStep inverse() {
    return this;
  }

  @Override
  public double @Nullable [][] matrix() {
    if (rank == ANY) {
      return null;
    }
    double[][] rows = new double[rank][rank + 1];
    for (int d = 0; d < rank; d++) {
      rows[d][d] = 1;
    }
    return rows;
  }
}
