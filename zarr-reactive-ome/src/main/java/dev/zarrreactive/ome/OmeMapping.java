package dev.zarrreactive.ome;

import java.util.Optional;
import reactor.core.publisher.Mono;

/**
 * The function from the points of one system of coordinates to those of another. Its matrices are
 * loaded; fields of vectors are read around each point.
 *
 * <p>Immutable and thread-safe. Publishers are cold; a cancel ends their requests, and signals come
 * on a thread of the codec scheduler or of the store, or on the caller's without a field.
 */
public final class OmeMapping {
  private final OmeSystem from;
  private final OmeSystem to;
  private final OmeStep step;

  OmeMapping(OmeSystem from, OmeSystem to, OmeStep step) {
    this.from = from;
    this.to = to;
    this.step = step;
  }

  /** The system of the points that are carried. */
  public OmeSystem from() {
    return from;
  }

  /** The system that they are carried to. */
  public OmeSystem to() {
    return to;
  }

  /**
   * Carries a point. {@link IllegalArgumentException} for a point outside of a field of vectors,
   * with its ends; errors of reads are those of {@link dev.zarrreactive.ZarrArray#read(
   * dev.zarrreactive.array.selection.Selection)}.
   *
   * @param coordinates a coordinate for each axis of {@link #from}
   * @return a coordinate for each axis of {@link #to}
   * @throws IllegalArgumentException for another number of coordinates
   */
  public Mono<double[]> point(double... coordinates) {
    check(coordinates.length, "point");
    return step.point(coordinates.clone()).map(double[]::clone);
  }

  /**
   * Returns the least box that has the images of all points of a box; with several steps, or with a
   * field of vectors, it may be larger. Errors are those of {@link #point}; {@link
   * dev.zarrreactive.error.UnsupportedFeatureException} for a box with more than 2^24 numbers of a
   * field.
   *
   * @throws IllegalArgumentException for a box with another number of axes than {@link #from}
   */
  public Mono<OmeBox> box(OmeBox box) {
    check(box.from().size(), "box");
    double[][] matrix = step instanceof OmeSequenceStep several ? several.matrix() : null;
    return matrix == null ? step.box(box) : new OmeAffineStep(matrix, from.axes().size()).box(box);
  }

  /**
   * Returns the rows of the matrix that carries a point, each with the number that is added as its
   * last; empty if a field of vectors is part of this function, or if it leads to the indices of an
   * axis whose scale is 0.
   */
  public Optional<double[][]> matrix() {
    return Optional.ofNullable(step.matrix());
  }

  private void check(int count, String what) {
    if (count != from.axes().size()) {
      throw new IllegalArgumentException(
          "a "
              + what
              + " of the system "
              + from
              + " has "
              + from.axes().size()
              + " axes, and this one has "
              + count);
    }
  }

  /** Returns both systems. */
  @Override
  public String toString() {
    return from + " to " + to;
  }
}
