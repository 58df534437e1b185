package dev.zarrreactive.internal.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.testing.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Plans are made as they are asked for, and extents may be as large as a long. */
class ChunkPlanLazinessTest {
  private static final long HUGE = Long.MAX_VALUE;

  @Test
  void the_first_chunks_of_a_trillion_are_there_at_once() {
    List<long[]> first = first(5, Selection.all(), Shape.of(1_000_000, 1_000_000), regular(1, 1));
    assertThat(first)
        .containsExactly(
            new long[] {0, 0},
            new long[] {0, 1},
            new long[] {0, 2},
            new long[] {0, 3},
            new long[] {0, 4});
  }

  @Test
  void a_long_step_does_not_visit_the_chunks_that_it_steps_over() {
    Selection sparse = Selection.of(DimensionSelection.every(1L << 61));
    assertThat(first(10, sparse, Shape.of(HUGE), regular(1 << 20)))
        .containsExactly(
            new long[] {0}, new long[] {1L << 41}, new long[] {2L << 41}, new long[] {3L << 41});
  }

  @Test
  void the_last_elements_of_the_largest_extent_are_found() {
    Selection last = Selection.of(DimensionSelection.from(HUGE - 3));
    assertThat(first(9, last, Shape.of(HUGE), regular(1 << 20)))
        .containsExactly(new long[] {(HUGE - 1) >> 20});
    assertThat(first(9, last, Shape.of(HUGE), regular(1)))
        .containsExactly(new long[] {HUGE - 3}, new long[] {HUGE - 2}, new long[] {HUGE - 1});
    assertThat(first(9, last, Shape.of(HUGE), regular(HUGE))).containsExactly(new long[] {0});
    assertThat(first(9, last, Shape.of(HUGE), regular(HUGE - 2)))
        .containsExactly(new long[] {0}, new long[] {1});
  }

  @Test
  void points_at_the_end_of_the_largest_extents_are_found() {
    Selection corners = Selection.points(new long[] {HUGE - 1, HUGE - 1}, new long[] {0, 0});
    assertThat(first(9, corners, Shape.of(HUGE, HUGE), regular(1 << 10, 1 << 10)))
        .containsExactly(new long[] {0, 0}, new long[] {(HUGE - 1) >> 10, (HUGE - 1) >> 10});
  }

  @Test
  void runs_of_edges_are_never_spelled_out() {
    NamedConfiguration runs =
        rectilinear("[[[1, 1000000000000], [3, 1000000000000], 4611686018427387904]]");
    Shape shape = Shape.of(1L << 62);
    assertThat(first(2, Selection.all(), shape, runs))
        .containsExactly(new long[] {0}, new long[] {1});
    Selection border = Selection.of(DimensionSelection.slice(999_999_999_999L, 1_000_000_000_004L));
    assertThat(first(9, border, shape, runs))
        .containsExactly(
            new long[] {999_999_999_999L},
            new long[] {1_000_000_000_000L},
            new long[] {1_000_000_000_001L});
    Selection last = Selection.of(DimensionSelection.from(-1));
    assertThat(first(9, last, shape, runs)).containsExactly(new long[] {2_000_000_000_000L});
  }

  @Test
  void the_extents_of_the_chunks_on_the_way_do_not_overflow() {
    assertThat(ChunkGrid.of(regular(HUGE), Shape.of(HUGE)).gridShape()).isEqualTo(Shape.of(1));
    assertThat(ChunkGrid.of(regular(1), Shape.of(HUGE)).gridShape()).isEqualTo(Shape.of(HUGE));
    assertThat(ChunkGrid.of(regular(2), Shape.of(HUGE)).gridShape())
        .isEqualTo(Shape.of(HUGE / 2 + 1));
    assertThat(ChunkGrid.of(regular(2), Shape.of(HUGE)).chunkStart(HUGE / 2))
        .containsExactly(HUGE - 1);
  }

  private static List<long[]> first(
      int count, Selection selection, Shape shape, NamedConfiguration grid) {
    return assertTimeoutPreemptively(
        Duration.ofSeconds(60),
        () -> {
          List<long[]> chunks = new ArrayList<>();
          Iterator<ChunkProjection> plan =
              ChunkPlan.of(selection.resolve(shape), ChunkGrid.of(grid, shape)).iterator();
          while (chunks.size() < count && plan.hasNext()) {
            chunks.add(plan.next().chunkIndex());
          }
          return chunks;
        });
  }

  private static NamedConfiguration regular(long... chunkShape) {
    List<JsonValue> edges = Arrays.stream(chunkShape).<JsonValue>mapToObj(JsonNumber::of).toList();
    return NamedConfiguration.of(
        "regular", JsonObject.EMPTY.with("chunk_shape", new JsonArray(edges)));
  }

  private static NamedConfiguration rectilinear(String chunkShapes) {
    return Json.extension(
        "{'name': 'rectilinear', 'configuration': {'kind': 'inline', 'chunk_shapes': "
            + chunkShapes
            + "}}");
  }
}
