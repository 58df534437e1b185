package dev.zarrreactive.ome;

import dev.zarrreactive.ZarrGroup;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Applies steps one after the other; there is at least one. */
record OmeSequenceStep(List<OmeStep> steps) implements OmeStep {
  OmeSequenceStep {
    steps = List.copyOf(steps);
  }

  @Override
  public int inputs() {
    return steps.get(0).inputs();
  }

  @Override
  public int outputs() {
    return steps.get(steps.size() - 1).outputs();
  }

  @Override
  public Mono<double[]> point(double[] point) {
    Mono<double[]> carried = Mono.just(point);
    for (OmeStep step : steps) {
      carried = carried.flatMap(step::point);
    }
    return carried;
  }

  @Override
  public Mono<OmeBox> box(OmeBox box) {
    Mono<OmeBox> carried = Mono.just(box);
    for (OmeStep step : steps) {
      carried = carried.flatMap(step::box);
    }
    return carried;
  }

  @Override
  public boolean isInvertible() {
    return steps.stream().allMatch(OmeStep::isInvertible);
  }

  @Override
  public @Nullable OmeStep inverse() {
    List<OmeStep> inverses = new ArrayList<>();
    for (OmeStep step : steps) {
      OmeStep inverse = step.inverse();
      if (inverse == null) {
        return null;
      }
      inverses.add(inverse);
    }
    Collections.reverse(inverses);
    return new OmeSequenceStep(inverses);
  }

  @Override
  public Mono<OmeStep> load(ZarrGroup group) {
    return Flux.fromIterable(steps)
        .concatMap(step -> step.load(group))
        .collectList()
        .map(OmeSequenceStep::new);
  }

  @Override
  public double @Nullable [][] matrix() {
    double[][] whole = null;
    for (OmeStep step : steps) {
      double[][] next = step.matrix();
      if (next == null) {
        return null;
      }
      whole = whole == null ? next : product(next, whole);
    }
    return whole;
  }

  private static double[][] product(double[][] next, double[][] first) {
    int inputs = first.length == 0 ? 0 : first[0].length - 1;
    double[][] rows = new double[next.length][inputs + 1];
    for (int r = 0; r < next.length; r++) {
      for (int c = 0; c <= inputs; c++) {
        for (int i = 0; i < first.length; i++) {
          rows[r][c] += next[r][i] * first[i][c];
        }
      }
      rows[r][inputs] += next[r][first.length];
    }
    return rows;
  }
}
