package dev.zarrreactive.dataset;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.internal.flow.Concurrently;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The reads of the blocks that several variables of a dataset share. */
final class BlockStream {
  private final Dataset dataset;
  private final List<Variable> variables;
  private final List<String> dimensions;
  private final BlockGrid grid;

  BlockStream(Dataset dataset, List<String> names) {
    if (names.isEmpty()) {
      throw new IllegalArgumentException("blocks are of at least one variable");
    }
    this.dataset = dataset;
    this.variables = names.stream().distinct().map(dataset::variable).toList();
    this.dimensions =
        variables.stream().flatMap(variable -> variable.dimensions().stream()).distinct().toList();
    List<VariableValues> values = variables.stream().map(Variable::values).toList();
    long budget = values.get(0).options().maxInFlightBytes();
    this.grid = new BlockGrid(dimensions, values, values, BlockGrid.Needs.of(values), budget);
  }

  Flux<DatasetBlock> blocks() {
    return Concurrently.mapInOrder(Flux.fromIterable(grid.blocks()), grid.ahead(), this::read);
  }

  private Mono<DatasetBlock> read(BlockGrid.Block block) {
    Map<String, Long> origin = new LinkedHashMap<>();
    Map<String, Long> sizes = new LinkedHashMap<>();
    for (int d = 0; d < dimensions.size(); d++) {
      origin.put(dimensions.get(d), block.from().get(d));
      sizes.put(dimensions.get(d), block.to().get(d) - block.from().get(d));
    }
    Set<Variable> all = new LinkedHashSet<>(variables);
    for (String name : dimensions) {
      Variable coordinate = dataset.variables().get(name);
      if (coordinate != null && coordinate.isIndex()) {
        all.add(coordinate);
      }
    }
    return Concurrently.mapInOrder(
            Flux.fromIterable(all), all.size(), variable -> values(variable, origin, sizes))
        .collectList()
        .map(
            values -> {
              Map<String, NdArray> data = new LinkedHashMap<>();
              Map<String, NdArray> coordinates = new LinkedHashMap<>();
              int next = 0;
              for (Variable variable : all) {
                NdArray its = values.get(next);
                if (next++ < variables.size()) {
                  data.put(variable.name(), its);
                }
                if (variable.isIndex() && origin.containsKey(variable.name())) {
                  coordinates.put(variable.name(), its);
                }
              }
              return new DatasetBlock(origin, sizes, data, coordinates);
            });
  }

  private Mono<NdArray> values(
      Variable variable, Map<String, Long> origin, Map<String, Long> sizes) {
    List<String> names = variable.dimensions();
    DimensionSelection[] box = new DimensionSelection[names.size()];
    for (int d = 0; d < box.length; d++) {
      long from = origin.getOrDefault(names.get(d), 0L);
      box[d] = DimensionSelection.slice(from, from + sizes.getOrDefault(names.get(d), 0L));
    }
    Selection part = Selection.of(box);
    return variable.isIndex() && box.length == 1
        ? dataset.values(variable).map(values -> values.slice(part).toContiguous())
        : variable.read(part);
  }
}
