package dev.zarrreactive.dataset;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.flow.Concurrently;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The grid of blocks that several variables share, and the reads of the blocks. */
final class BlockStream {
  private static final int MOST_AHEAD = 8;
  private static final int MOST_CHUNKS = 8;

  private final Dataset dataset;
  private final List<Variable> variables;
  private final List<Edges> grid = new ArrayList<>();
  private final long budget;

  /** The blocks along one dimension: their length in indices of the stored arrays. */
  private static final class Edges {
    final String name;
    final long size;
    final long start;
    final long step;
    final long longest;
    long length;

    Edges(String name, DimensionPart part, List<Long> chunks) {
      Axis.Range range = part.axis() instanceof Axis.Range its ? its : null;
      this.name = name;
      this.size = part.size();
      this.start = range == null ? 0 : range.start();
      this.step = range == null ? 1 : range.step();
      this.longest = chunks.stream().mapToLong(chunk -> chunk).max().orElse(1);
      this.length = chunks.stream().reduce(1L, Edges::multiple);
      if (length / MOST_CHUNKS > longest) {
        length = longest;
      }
    }

    /** Returns the least common multiple, or the greatest long. */
    private static long multiple(long a, long b) {
      if (a == Long.MAX_VALUE) {
        return a;
      }
      long divisor = a;
      long rest = b;
      while (rest != 0) {
        long next = divisor % rest;
        divisor = rest;
        rest = next;
      }
      return ByteBudget.product(a / divisor, b);
    }

    /** Returns the most positions of a block. */
    long positions() {
      return Math.min(size, (length - 1) / step + 1);
    }

    /** Returns the first position of the block after the one that has a position. */
    long after(long position) {
      long stored = start + position * step;
      long edge = (stored / length + 1) * length;
      return Math.min(size, (edge - start + step - 1) / step);
    }
  }

  BlockStream(Dataset dataset, List<String> names) {
    if (names.isEmpty()) {
      throw new IllegalArgumentException("blocks are of at least one variable");
    }
    this.dataset = dataset;
    this.variables = names.stream().distinct().map(dataset::variable).toList();
    this.budget = variables.get(0).array().options().maxInFlightBytes();
    Map<String, List<Long>> chunks = new LinkedHashMap<>();
    Map<String, DimensionPart> parts = new LinkedHashMap<>();
    for (Variable variable : variables) {
      Shape longest = variable.array().chunkGrid().largestChunkShape();
      List<String> stored = variable.storedDimensions();
      for (String name : variable.dimensions()) {
        int d = stored.indexOf(name);
        chunks.computeIfAbsent(name, any -> new ArrayList<>()).add(longest.extent(d));
        parts.put(name, variable.part(d));
      }
    }
    parts.forEach(
        (name, part) -> grid.add(new Edges(name, part, chunks.getOrDefault(name, List.of()))));
    shrink();
  }

  private void shrink() {
    long most = Math.max(1, budget / 8);
    for (Edges edges : grid) {
      if (bytes() > most) {
        edges.length = Math.min(edges.length, edges.longest);
      }
    }
    while (bytes() > most) {
      Edges longest = grid.get(0);
      for (Edges edges : grid) {
        longest = edges.positions() > longest.positions() ? edges : longest;
      }
      if (longest.positions() <= 1) {
        return;
      }
      long stored = ByteBudget.product(longest.size, longest.step);
      longest.length = Math.max(longest.step, Math.min(longest.length, stored) / 2);
    }
  }

  /** Returns the bytes of the largest block. */
  private long bytes() {
    long sum = 0;
    for (Variable variable : variables) {
      long bytes = Math.max(1, variable.dataType().memorySize());
      for (Edges edges : grid) {
        bytes =
            variable.dimensions().contains(edges.name)
                ? ByteBudget.product(bytes, edges.positions())
                : bytes;
      }
      sum = ByteBudget.sum(sum, bytes);
    }
    return sum;
  }

  Flux<DatasetBlock> blocks() {
    long fitting = budget / 4 / Math.max(1, bytes());
    int ahead = (int) Math.max(1, Math.min(MOST_AHEAD, fitting));
    return Concurrently.mapInOrder(Flux.fromIterable(() -> new Places()), ahead, this::read);
  }

  /** The origins and ends of the blocks, in C order. */
  private final class Places implements Iterator<long[][]> {
    private final long[] from = new long[grid.size()];
    private boolean isOver = grid.stream().anyMatch(edges -> edges.size == 0);

    @Override
    public boolean hasNext() {
      return !isOver;
    }

    @Override
    public long[][] next() {
      if (isOver) {
        throw new NoSuchElementException("all blocks are read");
      }
      long[] origin = from.clone();
      long[] end = new long[origin.length];
      for (int d = 0; d < end.length; d++) {
        end[d] = grid.get(d).after(origin[d]);
      }
      isOver = true;
      for (int d = end.length - 1; d >= 0 && isOver; d--) {
        isOver = end[d] == grid.get(d).size;
        from[d] = isOver ? 0 : end[d];
      }
      return new long[][] {origin, end};
    }
  }

  private Mono<DatasetBlock> read(long[]... place) {
    Map<String, Long> origin = new LinkedHashMap<>();
    Map<String, Long> sizes = new LinkedHashMap<>();
    for (int d = 0; d < grid.size(); d++) {
      origin.put(grid.get(d).name, place[0][d]);
      sizes.put(grid.get(d).name, place[1][d] - place[0][d]);
    }
    Set<Variable> all = new LinkedHashSet<>(variables);
    for (Edges edges : grid) {
      Variable coordinate = dataset.variables().get(edges.name);
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
        ? dataset
            .values(variable)
            .map(values -> variable.part(0).of(values).slice(part).toContiguous())
        : variable.read(part);
  }
}
