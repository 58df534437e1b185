package dev.zarrreactive.internal.planning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class BandsTest {
  private static final Shape SHAPE = Shape.of(6, 7, 5);
  private static final ChunkGrid GRID = ChunkGrid.regular(SHAPE, Shape.of(2, 3, 5));
  private static final int ROW_OF_CHUNKS = 2 * 7 * 5;

  private static List<ResolvedSelection> bands(String selection, long target, long most) {
    List<ResolvedSelection> bands = new ArrayList<>();
    Bands.of(Selection.parse(selection).resolve(SHAPE), GRID, 1, target, most).forEach(bands::add);
    return bands;
  }

  @Test
  void a_small_selection_is_one_band() {
    assertThat(bands("...", 210, 210)).hasToString("[0:6,0:7,0:5]");
  }

  @Test
  void a_band_is_a_row_of_chunks_where_a_row_is_larger_than_the_target() {
    assertThat(bands("...", 1, ROW_OF_CHUNKS))
        .hasToString("[0:2,0:7,0:5, 2:4,0:7,0:5, 4:6,0:7,0:5]");
    assertThat(bands("1:", 1, ROW_OF_CHUNKS))
        .hasToString("[1:2,0:7,0:5, 2:4,0:7,0:5, 4:6,0:7,0:5]");
  }

  @Test
  void a_band_is_as_many_rows_of_chunks_as_the_target_has_room_for() {
    assertThat(bands("...", 3 * ROW_OF_CHUNKS - 1, 1000)).hasToString("[0:4,0:7,0:5, 4:6,0:7,0:5]");
  }

  @Test
  void a_row_of_chunks_above_the_bound_is_cut_into_thinner_bands() {
    assertThat(bands("0:2", 1, 35)).hasToString("[0:1,0:7,0:5, 1:2,0:7,0:5]");
    assertThat(bands("0:2", 1, 25))
        .hasToString("[0:1,0:3,0:5, 0:1,3:7,0:5, 1:2,0:3,0:5, 1:2,3:7,0:5]");
  }

  @Test
  void one_plane_of_each_chunk_makes_rows_that_are_planes() {
    assertThat(bands("::2", 35, 35)).hasToString("[0:1:2,0:7,0:5, 2:3:2,0:7,0:5, 4:5:2,0:7,0:5]");
  }

  @Test
  void points_are_cut_into_runs() {
    Selection points =
        Selection.points(new long[] {5, 6, 4}, new long[] {0, 0, 0}, new long[] {1, 1, 1});
    List<ResolvedSelection> bands = new ArrayList<>();
    Bands.of(points.resolve(SHAPE), GRID, 4, 1, 8).forEach(bands::add);
    assertThat(bands).hasToString("[2 points, 1 points]");
    assertThat(((ResolvedSelection.Points) bands.get(1)).index(2, 0)).isEqualTo(1);
  }

  @Test
  void bands_of_an_enormous_selection_are_made_as_they_are_asked_for() {
    Shape enormous = Shape.of(1L << 40, 1L << 20);
    ChunkGrid grid = ChunkGrid.regular(enormous, Shape.of(1024, 1024));
    Iterable<ResolvedSelection> bands =
        Bands.of(Selection.all().resolve(enormous), grid, 1, 1L << 32, 1L << 33);
    assertThat(bands.iterator().next()).hasToString("0:4096,0:1048576");
  }

  @Provide
  Arbitrary<Random> randoms() {
    return Arbitraries.randomValue(random -> new Random(random.nextLong()));
  }

  @Property(tries = 500)
  void no_chunk_is_in_two_bands_where_the_bound_has_room_for_a_row_of_chunks(
      @ForAll("randoms") Random random) {
    long[] shape = new long[random.nextInt(5)];
    long[] chunk = new long[shape.length];
    List<String> selection = new ArrayList<>(List.of("..."));
    for (int d = 0; d < shape.length; d++) {
      shape[d] = 1 + random.nextInt(9);
      chunk[d] = 1 + random.nextInt(3);
      long from = random.nextInt((int) shape[d]);
      selection.add(d, from + ":" + shape[d] + ":" + (1 + random.nextInt(3)));
    }
    ChunkGrid grid = ChunkGrid.regular(Shape.of(shape), Shape.of(chunk));
    ResolvedSelection whole = Selection.parse(String.join(",", selection)).resolve(Shape.of(shape));
    Map<String, Integer> reads = new HashMap<>();
    Bands.of(whole, grid, 1, random.nextInt(50), Long.MAX_VALUE)
        .forEach(
            band ->
                ChunkPlan.of(band, grid)
                    .forEach(
                        part -> reads.merge(Arrays.toString(part.chunkIndex()), 1, Integer::sum)));
    assertThat(reads.values())
        .as("%s of %s in %s", whole, Arrays.toString(shape), grid)
        .containsOnly(1);
    assertThat((long) reads.size()).isEqualTo(ChunkPlan.of(whole, grid).size());
  }
}
