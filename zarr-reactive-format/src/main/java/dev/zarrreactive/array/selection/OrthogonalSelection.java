package dev.zarrreactive.array.selection;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.error.InvalidInputException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A selection with an entry for each dimension. An ellipsis, or the end, stands for whole
 * dimensions.
 */
record OrthogonalSelection(List<DimensionSelection> entries) implements Selection {
  OrthogonalSelection {
    entries = List.copyOf(entries);
    if (entries.indexOf(Ellipsis.ELLIPSIS) != entries.lastIndexOf(Ellipsis.ELLIPSIS)) {
      throw new InvalidInputException("more than one ellipsis in " + notation(entries));
    }
  }

  OrthogonalSelection(DimensionSelection... entries) {
    this(List.of(entries));
  }

  @Override
  public ResolvedSelection resolve(Shape shape) {
    int ellipsis = entries.indexOf(Ellipsis.ELLIPSIS);
    int given = entries.size() - (ellipsis < 0 ? 0 : 1);
    int whole = shape.rank() - given;
    if (whole < 0) {
      throw new InvalidInputException(
          "selection %s is of rank %s, an array of shape %s of rank %s"
              .formatted(this, given, shape, shape.rank()));
    }
    int before = ellipsis < 0 ? given : ellipsis;
    List<Axis> axes = new ArrayList<>(shape.rank());
    for (int dimension = 0; dimension < shape.rank(); dimension++) {
      DimensionSelection entry = Slice.FULL;
      if (dimension < before) {
        entry = entries.get(dimension);
      } else if (dimension >= before + whole) {
        entry = entries.get(dimension - whole + 1); // one more for the ellipsis
      }
      axes.add(entry.resolve(dimension, shape.extent(dimension)));
    }
    return new ResolvedSelection.Orthogonal(axes);
  }

  @Override
  public Selection clipped() {
    return new OrthogonalSelection(
        entries.stream()
            .map(entry -> entry instanceof Slice slice ? slice.clip() : entry)
            .toList());
  }

  private static String notation(List<DimensionSelection> entries) {
    return entries.stream().map(DimensionSelection::toString).collect(Collectors.joining(","));
  }

  @Override
  public String toString() {
    return entries.isEmpty() ? "..." : notation(entries);
  }
}
