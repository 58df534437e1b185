package dev.zarrreactive.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.chunkgrid.ChunkEdges;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** A mask leaves out the chunks that have no cell of it, and no others. */
class CellMaskTest {
  /** Some cells of the dimensions 2 and 0, in this order, of three. */
  private static final int[] DIMENSIONS = {2, 0};

  @Property(tries = 300)
  void the_parts_of_splits_are_the_chunks_with_a_cell_of_the_mask(@ForAll long seed) {
    Random random = new Random(seed);
    long[] extents = random.longs(3, 1, 9).toArray();
    long[] chunks = random.longs(3, 1, 5).toArray();
    ChunkGrid grid = ChunkGrid.regular(Shape.of(extents), Shape.of(chunks));
    List<ChunkEdges> edges = List.of(grid.dimension(0), grid.dimension(1), grid.dimension(2));
    List<IndexRanges> selected = new ArrayList<>();
    for (long extent : extents) {
      selected.add(
          IndexRangesTest.ranges((int) extent, IndexRangesTest.some(random, (int) extent)));
    }
    IndexBox box = new IndexBox(selected);
    int places = (int) (extents[2] * extents[0]);
    Set<Long> has = IndexRangesTest.some(random, places);
    CellMask mask =
        CellMask.of(
            DIMENSIONS, new long[] {extents[2], extents[0]}, IndexRangesTest.ranges(places, has));
    Set<List<Long>> wanted = new HashSet<>();
    Set<List<Long>> wantedChunks = new HashSet<>();
    for (List<Long> cell : SplitPlannerTest.cells(box, List.of())) {
      if (has.contains(cell.get(2) * extents[0] + cell.get(0))) {
        wanted.add(cell);
        wantedChunks.add(chunk(edges, cell));
      }
    }
    assertThat(mask.count(box)).isEqualTo(wanted.size());
    IndexBox narrow = mask.narrow(box, 1 + random.nextInt(4));
    assertThat(SplitPlannerTest.cells(box, List.of()))
        .containsAll(SplitPlannerTest.cells(narrow, List.of()));
    assertThat(SplitPlannerTest.cells(narrow, List.of())).containsAll(wanted);
    CellMask.Survivors survivors = mask.survivors(edges, box);
    Set<List<Long>> found = new HashSet<>();
    for (IndexBox split :
        new SplitPlanner(1, 1 + random.nextInt(50), 9).plan(edges, box).splits()) {
      for (IndexBox part : survivors.parts(split)) {
        for (List<Long> cell : SplitPlannerTest.cells(part, List.of())) {
          assertThat(found.add(cell)).as("once").isTrue();
          assertThat(wantedChunks.stream().map(c -> List.of(c.get(0), c.get(2))))
              .contains(List.of(chunk(edges, cell).get(0), chunk(edges, cell).get(2)));
        }
      }
    }
    assertThat(found).containsAll(wanted);
    assertThat(SplitPlannerTest.cells(box, List.of())).containsAll(found);
  }

  private static List<Long> chunk(List<ChunkEdges> edges, List<Long> cell) {
    List<Long> chunk = new ArrayList<>();
    for (int d = 0; d < cell.size(); d++) {
      chunk.add(edges.get(d).chunkOf(cell.get(d)));
    }
    return chunk;
  }

  @Test
  void chunks_that_follow_each_other_are_one_part() {
    ChunkGrid grid = ChunkGrid.regular(Shape.of(2, 10), Shape.of(1, 2));
    CellMask mask =
        CellMask.of(new int[] {0, 1}, new long[] {2, 10}, IndexRanges.ofIndices(0, 2, 9, 14));
    List<ChunkEdges> edges = List.of(grid.dimension(0), grid.dimension(1));
    IndexBox all = IndexBox.all(2, 10);
    assertThat(mask.survivors(edges, all).parts(all).toString())
        .isEqualTo(
            "[IndexBox[dimensions=[0:1, 0:4]], IndexBox[dimensions=[0:1, 8:10]],"
                + " IndexBox[dimensions=[1:2, 4:6]]]");
    assertThat(mask.narrow(all, 9)).hasToString("IndexBox[dimensions=[0:2, 0:1,2:3,4:5,9:10]]");
    assertThat(mask.narrow(all, 3)).hasToString("IndexBox[dimensions=[0:2, 0:10]]");
  }

  @Test
  void a_mask_of_no_dimension_leaves_all_or_nothing() {
    List<ChunkEdges> edges = List.of(ChunkGrid.regular(Shape.of(4), Shape.of(2)).dimension(0));
    IndexBox all = IndexBox.all(4);
    CellMask some = CellMask.ofBoxes(new int[0], new long[0], List.of(all));
    assertThat(some.survivors(edges, all).parts(all)).containsExactly(all);
    assertThat(some.count(all)).isEqualTo(4);
    CellMask none = CellMask.ofBoxes(new int[0], new long[0], List.of());
    assertThat(none.survivors(edges, all).parts(all)).isEmpty();
    assertThat(none.count(all)).isZero();
  }

  @Test
  void masks_of_other_dimensions_and_places_are_refused() {
    CellMask mask = CellMask.of(new int[] {0, 1}, new long[] {2, 3}, IndexRanges.of(0, 6));
    assertThat(mask.and(mask)).isEqualTo(mask).hasSameHashCodeAs(mask);
    CellMask other = CellMask.of(new int[] {1, 0}, new long[] {3, 2}, IndexRanges.of(0, 6));
    assertThatThrownBy(() -> mask.and(other))
        .hasMessage("masks of the dimensions [0, 1] and [1, 0]");
    assertThatThrownBy(() -> CellMask.of(new int[] {0}, new long[] {2}, IndexRanges.of(0, 3)))
        .hasMessage("no mask of the dimensions [0], whose extents are [2], has the places 0:3");
  }
}
