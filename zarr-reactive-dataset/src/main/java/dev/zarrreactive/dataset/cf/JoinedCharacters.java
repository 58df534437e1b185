package dev.zarrreactive.dataset.cf;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import java.util.ArrayList;
import java.util.List;

/** The places of texts whose characters are a dimension of the stored array. */
final class JoinedCharacters {
  private JoinedCharacters() {}

  /** Returns the place with the dimension of the characters dropped. */
  static ResolvedSelection without(ResolvedSelection place, Shape array) {
    int last = array.rank() - 1;
    if (!(place instanceof ResolvedSelection.Orthogonal box)
        || box.axes().get(last).count() != array.extent(last)) {
      throw new UnsupportedFeatureException(
          "chunks divide the characters of texts; read() joins them", Location.UNKNOWN);
    }
    List<Axis> axes = new ArrayList<>(box.axes());
    axes.set(last, new Axis.Range(0, 1, 1, true));
    return new ResolvedSelection.Orthogonal(axes);
  }
}
