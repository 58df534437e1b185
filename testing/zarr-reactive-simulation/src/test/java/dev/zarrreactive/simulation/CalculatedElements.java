package dev.zarrreactive.simulation;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.dataset.Reduction;
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

  /** Finds the least element of a box, and then the greatest one. */
  static Flux<NdArray> ranked(ZarrArray array, Box box) {
    Variable elements = variable(array);
    List<String> names = elements.dimensions();
    for (int d = 0; d < names.size(); d++) {
      elements = elements.isel(names.get(d), box.selection(d));
    }
    Reduction all = elements.over();
    return Flux.just(0.0, 1.0).concatMap(all::quantile, 0);
  }

  /** Streams the greatest element of each window of rows. */
  static Flux<Chunk> rolled(ZarrArray array, Selection selection) {
    Variable elements = variable(array);
    String rows = elements.dimensions().get(0);
    return elements.rolling(rows, WINDOW).atLeast(1).max().chunks(selection);
  }
}
