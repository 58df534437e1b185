package dev.zarrreactive.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Each selected cell is in one split, and so is each chunk. */
class SplitPlannerTest {
  @Property(tries = 300)
  void each_cell_and_each_chunk_belongs_to_one_split(
      @ForAll long seed,
      @ForAll @IntRange(max = 3) int rank,
      @ForAll @IntRange(min = 1, max = 30) int most,
      @ForAll @IntRange(min = 1, max = 2000) int target) {
    Random random = new Random(seed);
    long[] extents = random.longs(rank, 1, 20).toArray();
    long[] chunks = random.longs(rank, 1, 8).toArray();
    ChunkGrid grid = ChunkGrid.regular(Shape.of(extents), Shape.of(chunks));
    List<IndexRanges> selected = new ArrayList<>();
    for (long extent : extents) {
      selected.add(
          IndexRangesTest.ranges((int) extent, IndexRangesTest.some(random, (int) extent)));
    }
    IndexBox box = new IndexBox(selected);
    SplitPlan plan = new SplitPlanner(8, target, most).plan(grid, box);
    assertThat(plan.splits()).hasSizeLessThanOrEqualTo(most);
    assertThat(plan.cells()).isEqualTo(box.cells());
    Map<List<Long>, Integer> splitOfCell = new HashMap<>();
    Map<List<Long>, Integer> splitOfChunk = new HashMap<>();
    for (int s = 0; s < plan.splits().size(); s++) {
      for (List<Long> cell : cells(plan.splits().get(s), new ArrayList<>())) {
        assertThat(splitOfCell.put(cell, s)).as("a second split of " + cell).isNull();
        List<Long> chunk = new ArrayList<>();
        for (int d = 0; d < rank; d++) {
          chunk.add(grid.dimension(d).chunkOf(cell.get(d)));
        }
        assertThat(splitOfChunk.merge(chunk, s, (old, now) -> old)).isEqualTo(s);
      }
    }
    assertThat(splitOfCell.keySet()).containsExactlyInAnyOrderElementsOf(cells(box, List.of()));
    assertThat(plan.chunks()).isEqualTo(splitOfChunk.size());
  }

  static List<List<Long>> cells(IndexBox box, List<Long> index) {
    if (index.size() == box.dimensions().size()) {
      return List.of(index);
    }
    List<List<Long>> all = new ArrayList<>();
    for (long next : box.dimensions().get(index.size()).toArray()) {
      List<Long> longer = new ArrayList<>(index);
      longer.add(next);
      all.addAll(cells(box, longer));
    }
    return all;
  }

  @Test
  void splits_have_about_the_wanted_bytes_and_neighbours_of_the_fastest_dimension() {
    ChunkGrid grid = ChunkGrid.regular(Shape.of(100, 1000), Shape.of(10, 100));
    SplitPlan plan = new SplitPlanner(8, 40_000, 4096).plan(grid, IndexBox.all(100, 1000));
    assertThat(plan.splits()).hasSize(20);
    assertThat(plan.splits().get(1)).hasToString("IndexBox[dimensions=[0:10, 500:1000]]");
    assertThat(plan.bytes()).isEqualTo(800_000);
    assertThat(plan.first(5001).splits()).hasSize(2);
  }

  @Test
  void a_million_chunks_are_planned_into_at_most_4096_splits() {
    ChunkGrid grid = ChunkGrid.regular(Shape.of(10_000, 10_000), Shape.of(10, 10));
    SplitPlan plan = new SplitPlanner(4, 1000, 4096).plan(grid, IndexBox.all(10_000, 10_000));
    assertThat(plan.chunks()).isEqualTo(1_000_000);
    assertThat(plan.splits()).hasSizeBetween(2000, 4096);
    assertThat(plan.splits().stream().mapToLong(IndexBox::cells).sum()).isEqualTo(100_000_000);
  }

  @Test
  void a_grid_that_no_memory_holds_is_planned() {
    long extent = 1L << 40;
    ChunkGrid grid = ChunkGrid.regular(Shape.of(extent, 3), Shape.of(1, 1));
    SplitPlan plan = new SplitPlanner(4, 1000, 4096).plan(grid, IndexBox.all(extent, 3));
    assertThat(plan.splits()).hasSizeBetween(2048, 4096);
    assertThat(plan.cells()).isEqualTo(3 * extent);
  }

  @Test
  void an_empty_selection_and_a_scalar_are_planned() {
    SplitPlanner planner = new SplitPlanner(4, 1000, 4096);
    ChunkGrid grid = ChunkGrid.regular(Shape.of(10), Shape.of(3));
    assertThat(planner.plan(grid, new IndexBox(List.of(IndexRanges.none()))).splits()).isEmpty();
    SplitPlan scalar = planner.plan(ChunkGrid.regular(Shape.SCALAR, Shape.SCALAR), IndexBox.all());
    assertThat(scalar.splits()).hasSize(1);
    assertThat(scalar.cells()).isEqualTo(1);
    assertThatThrownBy(() -> planner.plan(grid, IndexBox.all(1, 2)))
        .hasMessage("a grid of rank 1 and a selection of 2");
  }
}
