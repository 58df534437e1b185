package dev.zarrreactive.ome;

import dev.zarrreactive.ZarrGroup;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** One transformation of points (OME-Zarr 0.6, "coordinateTransformations"). Immutable. */
interface OmeStep {
  /** The number of axes of a transformation that takes any, or that is not known before loading. */
  int ANY = -1;

  /** The number of coordinates of a point that it takes. */
  int inputs();

  /** The number of coordinates of a point that it returns. */
  int outputs();

  /** Carries a point. */
  Mono<double[]> point(double[] point);

  /** Returns a box that has the images of all points of a box. */
  Mono<OmeBox> box(OmeBox box);

  /** Returns false if there is no {@link #inverse}, as far as is known before loading. */
  boolean isInvertible();

  /** Returns the inverse; null without. It is asked of a step that is loaded. */
  @Nullable OmeStep inverse();

  /** Returns the step with the parameters that arrays below a group have. */
  default Mono<OmeStep> load(ZarrGroup group) {
    return Mono.just(this);
  }

  /** Returns the rows of a matrix and a last column that is added; null for another function. */
  double @Nullable [][] matrix();
}
