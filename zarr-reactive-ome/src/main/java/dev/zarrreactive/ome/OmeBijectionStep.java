package dev.zarrreactive.ome;

import dev.zarrreactive.ZarrGroup;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** A step whose inverse is stored beside it. */
record OmeBijectionStep(OmeStep forward, OmeStep backward) implements OmeStep {
  @Override
  public int inputs() {
    return forward.inputs() == ANY ? backward.outputs() : forward.inputs();
  }

  @Override
  public int outputs() {
    return forward.outputs() == ANY ? backward.inputs() : forward.outputs();
  }

  @Override
  public Mono<double[]> point(double[] point) {
    return forward.point(point);
  }

  @Override
  public Mono<OmeBox> box(OmeBox box) {
    return forward.box(box);
  }

  @Override
  public boolean isInvertible() {
    return true;
  }

  @Override
  public OmeStep inverse() {
    return new OmeBijectionStep(backward, forward);
  }

  @Override
  public Mono<OmeStep> load(ZarrGroup group) {
    return forward
        .load(group)
        .flatMap(one -> backward.load(group).map(other -> new OmeBijectionStep(one, other)));
  }

  @Override
  public double @Nullable [][] matrix() {
    return forward.matrix();
  }
}
