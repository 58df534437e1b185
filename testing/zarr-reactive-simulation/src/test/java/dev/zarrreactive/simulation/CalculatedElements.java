package dev.zarrreactive.simulation;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.dataset.Variable;
import java.util.List;
import java.util.Set;
import reactor.core.publisher.Flux;

/** Elements that a dataset's variables calculate, each of which was stored. */
final class CalculatedElements {
  /** The rows of a window: the one of an element, and those before it. */
  static final int WINDOW = 3;

  private CalculatedElements() {}

  private static Variable variable(ZarrArray array) {
    return Variable.of(array, List.of(), Set.of());
  }

  /** Streams a formula whose values are the elements. */
  static Flux<Chunk> formula(ZarrArray array, Selection selection) {
    Variable elements = variable(array);
    return elements.plus(elements).minus(elements).chunks(selection);
  }

  /** Streams the greatest element of each window of rows. */
  static Flux<Chunk> rolled(ZarrArray array, Selection selection) {
    Variable elements = variable(array);
    String rows = elements.dimensions().get(0);
    return elements.rolling(rows, WINDOW).atLeast(1).max().chunks(selection);
  }
}
