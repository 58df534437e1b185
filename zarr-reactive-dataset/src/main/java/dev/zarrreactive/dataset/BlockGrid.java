package dev.zarrreactive.dataset;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.flow.ByteBudget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;

/** The grid of blocks that several variables share: {@link DatasetBlock} says how it is chosen. */
final class BlockGrid {
  private static final int MOST_AHEAD = 8;
  private static final int MOST_CHUNKS = 8;

  /** The length of a block that has all positions; half of a long leaves room for sums. */
  private static final long WHOLE = Long.MAX_VALUE / 2;

  private final List<Edges> edges = new ArrayList<>();
  private final List<VariableValues> held;
  private final long budget;

  /**
   * What some values need of the blocks.
   *
   * @param whole the dimensions along which each block has all positions
   * @param longest the dimensions along which a block has all positions where it may
   * @param beside the positions that are held beside those of a block, by dimension
   */
  record Needs(Set<String> whole, Set<String> longest, Map<String, Long> beside) {
    static Needs none() {
      return new Needs(Set.of(), Set.of(), Map.of());
    }

    /** Returns what values need that are calculated along dimensions. */
    static Needs of(List<? extends VariableValues> variables) {
      Set<String> whole = new HashSet<>();
      Set<String> longest = new HashSet<>();
      for (VariableValues variable : variables) {
        variable.along().forEach((name, isWhole) -> (isWhole ? whole : longest).add(name));
      }
      return new Needs(whole, longest, Map.of());
    }

    /** Returns these needs, and whole dimensions. */
    Needs whole(Collection<String> others) {
      Set<String> all = new HashSet<>(whole);
      all.addAll(others);
      return new Needs(all, longest, beside);
    }
  }

  /**
   * A block of the grid.
   *
   * @param index the block's number along each dimension
   * @param from its first position along each dimension
   * @param to the position after its last one
   */
  record Block(List<Long> index, List<Long> from, List<Long> to) {
    /** Returns the positions of this block along each dimension. */
    List<Axis> axes() {
      List<Axis> axes = new ArrayList<>();
      for (int d = 0; d < from.size(); d++) {
        axes.add(new Axis.Range(from.get(d), to.get(d) - from.get(d), 1, false));
      }
      return axes;
    }

    /**
     * Returns the values of this block as a chunk.
     *
     * @param axes the place of all blocks in others; single indices have no blocks
     */
    Chunk chunk(List<Axis> axes, NdArray values) {
      List<Axis> own = axes();
      List<Axis> places = new ArrayList<>();
      long[] numbers = new long[axes.size()];
      int next = 0;
      for (int d = 0; d < numbers.length; d++) {
        if (axes.get(d) instanceof Axis.Range range && range.dropped()) {
          places.add(range);
        } else {
          places.add(new DimensionPart(axes.get(d)).select(own.get(next)).axis());
          numbers[d] = index.get(next++);
        }
      }
      return new Chunk(numbers, new ResolvedSelection.Orthogonal(places), values);
    }
  }

  /**
   * The blocks along one dimension: their length in indices of what is divided into chunks. Where
   * chunks are of many lengths, blocks end with them, and are no longer than that.
   */
  private static final class Edges {
    private static final long[] REGULAR = {};

    final String name;
    final long[] ends;
    final long size;
    final long start;
    final long step;
    final long longest;
    final long beside;
    final boolean isWhole;
    long length;

    Edges(String name, Axis positions, List<Long> chunks, Needs needs) {
      Axis.Range range = positions instanceof Axis.Range its ? its : null;
      this.name = name;
      this.ends = REGULAR;
      this.size = positions.count();
      this.start = range == null ? 0 : range.start();
      this.step = range == null ? 1 : range.step();
      long whole = ByteBudget.sum(start, ByteBudget.product(Math.max(1, size), step));
      this.longest = chunks.stream().mapToLong(chunk -> chunk).max().orElse(whole);
      this.length = chunks.stream().reduce(1L, Edges::multiple);
      if (chunks.isEmpty() || length / MOST_CHUNKS > longest) {
        length = longest;
      }
      this.isWhole = needs.whole().contains(name);
      this.beside = needs.beside().getOrDefault(name, 0L);
      if (isWhole || needs.longest().contains(name)) {
        length = WHOLE;
      }
    }

    /**
     * Creates the blocks of chunks of many lengths.
     *
     * @param all the ends of the chunks of each variable
     */
    Edges(String name, List<long[]> all, Needs needs) {
      long[] common = all.get(0);
      for (long[] ends : all) {
        common = Arrays.stream(common).filter(end -> Arrays.binarySearch(ends, end) >= 0).toArray();
      }
      long chunk = all.stream().mapToLong(Edges::longest).max().orElse(1);
      this.name = name;
      long[] chosen = longest(common) / MOST_CHUNKS > chunk ? all.get(0) : common;
      this.isWhole = needs.whole().contains(name);
      this.beside = needs.beside().getOrDefault(name, 0L);
      boolean isOne = isWhole || needs.longest().contains(name);
      this.ends = isOne ? REGULAR : chosen;
      this.size = common[common.length - 1];
      this.start = 0;
      this.step = 1;
      this.longest = longest(chosen);
      this.length = isOne ? WHOLE : longest;
    }

    private static long longest(long... ends) {
      long most = 1;
      for (int i = 0; i < ends.length; i++) {
        most = Math.max(most, ends[i] - (i == 0 ? 0 : ends[i - 1]));
      }
      return most;
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

    /** Returns the most positions that are held for a block. */
    long held() {
      return Math.min(size, ByteBudget.sum(positions(), beside));
    }

    /** Returns the first position of the block after the one that has a position. */
    long after(long position) {
      if (ends.length > 0) {
        int found = Arrays.binarySearch(ends, position + 1);
        return Math.min(position + length, ends[found < 0 ? -found - 1 : found]);
      }
      long stored = start + position * step;
      long edge = (stored / length + 1) * length;
      return Math.min(size, (edge - start + step - 1) / step);
    }
  }

  /** Creates the grid of some dimensions, with what the variables need beyond their chunks. */
  BlockGrid(
      List<String> dimensions,
      List<? extends VariableValues> variables,
      List<? extends VariableValues> held,
      long budget) {
    this(dimensions, variables, held, Needs.of(variables), budget);
  }

  /**
   * Creates the grid of some dimensions.
   *
   * @param variables whose chunks should be in one block each
   * @param held the variables that are in memory for each block
   * @param needs what the variables need beyond their chunks
   * @param budget the bytes in flight
   */
  BlockGrid(
      List<String> dimensions,
      List<? extends VariableValues> variables,
      List<? extends VariableValues> held,
      Needs needs,
      long budget) {
    this.held = List.copyOf(held);
    this.budget = budget;
    for (String name : dimensions) {
      List<Long> chunks = new ArrayList<>();
      List<long[]> ends = new ArrayList<>();
      Axis positions = null;
      for (VariableValues variable : variables) {
        int d = variable.dimensions().indexOf(name);
        if (d >= 0) {
          boolean isFirst = chunks.isEmpty();
          variable.chunk(d).ifPresent(chunks::add);
          positions =
              positions == null || (isFirst && !chunks.isEmpty()) ? variable.divided(d) : positions;
          Optional.of(variable.edges(d)).filter(its -> its.length > 0).ifPresent(ends::add);
        }
      }
      if (positions == null) {
        throw new IllegalArgumentException("no variable has the dimension " + name);
      }
      edges.add(
          ends.isEmpty()
              ? new Edges(name, positions, chunks, needs)
              : new Edges(name, ends, needs));
    }
    shrink();
  }

  private void shrink() {
    long most = Math.max(1, budget / 8);
    for (Edges along : edges) {
      if (bytes() > most && !along.isWhole && along.length != WHOLE) {
        along.length = Math.min(along.length, along.longest);
      }
    }
    long largest = Math.max(1, budget / 3); // of a block that reads each chunk once
    while (bytes() > largest) {
      Edges longest = null;
      for (Edges along : edges) {
        boolean isLonger = longest == null || along.positions() > longest.positions();
        longest = !along.isWhole && isLonger ? along : longest;
      }
      if (longest == null || longest.positions() <= 1) {
        checkWhole();
        return;
      }
      long stored = ByteBudget.product(longest.size, longest.step);
      long half = Math.min(longest.length, stored) / 2;
      long chunks = half - half % longest.longest;
      longest.length = Math.max(longest.step, chunks > 0 ? chunks : half);
    }
  }

  /** Checks that a block fits, which has all positions of some dimensions. */
  private void checkWhole() {
    List<String> whole =
        edges.stream().filter(along -> along.isWhole).map(along -> along.name).toList();
    if (!whole.isEmpty() && bytes() > budget) {
      throw new UnsupportedFeatureException(
          "the values along "
              + whole
              + ", which are needed together, take "
              + bytes()
              + " bytes, more than the "
              + budget
              + " that may be in memory; select a part, or raise maxInFlightBytes",
          Location.UNKNOWN);
    }
  }

  /** Returns the bytes of the largest block. */
  private long bytes() {
    long sum = 0;
    for (VariableValues variable : held) {
      long bytes = Math.max(1, variable.dataType().memorySize());
      for (Edges along : edges) {
        bytes =
            variable.dimensions().contains(along.name)
                ? ByteBudget.product(bytes, along.held())
                : bytes;
      }
      sum = ByteBudget.sum(sum, bytes);
    }
    return sum;
  }

  /** Returns for how many blocks a chunk is read at most. */
  long readsOfChunk() {
    long reads = 1;
    for (Edges along : edges) {
      long chunk = Math.min(along.longest, ByteBudget.product(along.size, along.step));
      long blocks = along.length >= chunk ? 1 : (chunk - 1) / along.length + 1;
      reads = ByteBudget.product(reads, blocks);
    }
    return reads;
  }

  /** Returns the most positions of the longest chunk along a dimension. */
  long chunk(int dimension) {
    Edges along = edges.get(dimension);
    return Math.max(1, Math.min(along.size, (along.longest - 1) / along.step + 1));
  }

  /** Returns the ends of the blocks along a dimension; an empty array where all have one length. */
  long[] edges(int dimension) {
    return edges.get(dimension).ends.clone();
  }

  /** Returns how many blocks may be read at a time. */
  int ahead() {
    return (int) Math.max(1, Math.min(MOST_AHEAD, budget / 4 / Math.max(1, bytes())));
  }

  /** The blocks, in C order. */
  Iterable<Block> blocks() {
    return Places::new;
  }

  private final class Places implements Iterator<Block> {
    private final Long[] index = new Long[edges.size()];
    private final Long[] from = new Long[edges.size()];
    private boolean isOver = edges.stream().anyMatch(along -> along.size == 0);

    Places() {
      Arrays.fill(index, 0L);
      Arrays.fill(from, 0L);
    }

    @Override
    public boolean hasNext() {
      return !isOver;
    }

    @Override
    public Block next() {
      if (isOver) {
        throw new NoSuchElementException("all blocks are read");
      }
      Long[] to = new Long[from.length];
      for (int d = 0; d < to.length; d++) {
        to[d] = edges.get(d).after(from[d]);
      }
      Block block = new Block(List.of(index), List.of(from), List.of(to));
      isOver = true;
      for (int d = to.length - 1; d >= 0 && isOver; d--) {
        isOver = to[d] == edges.get(d).size;
        from[d] = isOver ? 0 : to[d];
        index[d] = isOver ? 0 : index[d] + 1;
      }
      return block;
    }
  }
}
