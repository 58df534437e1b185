package dev.zarrreactive.ome;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A step whose numbers are in an array: a matrix, or a field of vectors. It is loaded before it is
 * applied.
 *
 * @param kind {@code affine}, {@code rotation}, {@code displacements} or {@code coordinates}
 * @param path the path of the array, or of the multiscale image of a field, below the group
 * @param interpolation how a field is read between its vectors; empty of a matrix
 */
record OmeStoredStep(String kind, String path, String interpolation, int inputs, int outputs)
    implements OmeStep {
  private boolean isField() {
    return kind.equals("displacements") || kind.equals("coordinates");
  }

  @Override
  public Mono<double[]> point(double[] point) {
    return Mono.error(() -> new IllegalStateException(path + " is not loaded"));
  }

  @Override
  public Mono<OmeBox> box(OmeBox box) {
    return Mono.error(() -> new IllegalStateException(path + " is not loaded"));
  }

  @Override
  public boolean isInvertible() {
    return !isField() && (inputs == ANY || outputs == ANY || inputs == outputs);
  }

  @Override
  public @Nullable OmeStep inverse() {
    return null;
  }

  @Override
  public double @Nullable [][] matrix() {
    return null;
  }

  @Override
  public Mono<OmeStep> load(ZarrGroup group) {
    return Mono.defer(
        () -> {
          if (!isField()) {
            return group.openArray(path).flatMap(this::matrix);
          }
          if (!interpolation.equals("linear") && !interpolation.equals("nearest")) {
            return Mono.error(
                new UnsupportedFeatureException(
                    "the interpolation " + interpolation + "; linear and nearest are supported",
                    Location.ofNode(group.path().resolve(path).value())));
          }
          return group
              .open(path)
              .flatMap(
                  node ->
                      node instanceof ZarrGroup images
                          ? field(images)
                          : group.openArray(path).map(array -> field(array)));
        });
  }

  private Mono<OmeStep> matrix(ZarrArray array) {
    long rows = array.shape().rank() == 2 ? array.shape().extent(0) : 0;
    long columns = array.shape().rank() == 2 ? array.shape().extent(1) : 0;
    long added = kind.equals("affine") ? 1 : 0;
    if (rows < 1
        || rows > TransformReader.MOST_AXES
        || columns < 1 + added
        || columns > TransformReader.MOST_AXES + added
        || (added == 0 && rows != columns)) {
      throw refused(
          array,
          "a matrix of "
              + (outputs == ANY ? "M" : Integer.toString(outputs))
              + " rows and "
              + (inputs == ANY ? "N" : Long.toString(inputs))
              + (added == 1 ? " + 1 columns" : " columns"));
    }
    return array
        .read()
        .map(
            read -> {
              double[] numbers = read.cast(DataTypes.FLOAT64).toDoubleArray();
              int from = (int) (columns - added);
              double[][] matrix = new double[(int) rows][from + 1];
              for (int r = 0; r < rows; r++) {
                System.arraycopy(numbers, (int) (r * columns), matrix[r], 0, (int) columns);
              }
              OmeStep step = new OmeAffineStep(matrix, from);
              return fitting(array, step);
            });
  }

  private Mono<OmeStep> field(ZarrGroup images) {
    OmeMetadata metadata = OmeMetadata.of(images);
    return OmeImage.of(images)
        .map(
            image -> {
              OmeLevel finest = image.levels().get(0);
              int vectors = -1;
              for (int d = 0; d < image.axes().size(); d++) {
                String type = image.axes().get(d).type();
                vectors = type.equals("displacement") || type.equals("coordinate") ? d : vectors;
              }
              if (vectors < 0) {
                throw metadata.refused(
                    "the field has no axis of the type displacement or coordinate: "
                        + image.axes());
              }
              return fitting(
                  finest.array(),
                  new OmeFieldStep(
                      finest.array(),
                      finest.transform(),
                      vectors,
                      kind.equals("displacements"),
                      interpolation.equals("nearest")));
            });
  }

  /** Returns the field of an array without axes: its last dimension has the components. */
  private OmeStep field(ZarrArray array) {
    int rank = array.shape().rank();
    int vectors = inputs != ANY && rank == inputs ? -1 : rank - 1;
    return fitting(
        array,
        new OmeFieldStep(
            array,
            OmeTransform.identity(rank),
            vectors,
            kind.equals("displacements"),
            interpolation.equals("nearest")));
  }

  private OmeStep fitting(ZarrArray array, OmeStep step) {
    boolean isFitting =
        step.inputs() >= 1
            && step.inputs() <= TransformReader.MOST_AXES
            && step.outputs() >= 1
            && step.outputs() <= TransformReader.MOST_AXES
            && (inputs == ANY || step.inputs() == inputs)
            && (outputs == ANY || step.outputs() == outputs)
            && (!kind.equals("displacements") || step.inputs() == step.outputs());
    if (!isFitting) {
      throw refused(
          array,
          "the parameters of a transformation ("
              + kind
              + ") from "
              + (inputs == ANY ? "N" : Integer.toString(inputs))
              + " to "
              + (outputs == ANY ? "M" : Integer.toString(outputs))
              + " axes");
    }
    return step;
  }

  private static MetadataException refused(ZarrArray array, String expected) {
    return new MetadataException(
        "expected " + expected + ", found an array of the shape " + array.shape(),
        Location.ofNode(array.path().value()));
  }
}
