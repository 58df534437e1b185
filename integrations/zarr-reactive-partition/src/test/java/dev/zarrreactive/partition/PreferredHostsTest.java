package dev.zarrreactive.partition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.chunkgrid.ChunkEdges;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Splits are spread over hosts, each on the same ones in every query. */
class PreferredHostsTest {
  private static final ChunkGrid GRID = ChunkGrid.regular(Shape.of(100, 100), Shape.of(10, 1));
  private static final List<ChunkEdges> EDGES = List.of(GRID.dimension(0), GRID.dimension(1));

  private static List<String> firsts(PreferredHosts hosts) {
    List<String> firsts = new ArrayList<>();
    for (long y = 0; y < 100; y += 10) {
      for (long x = 0; x < 100; x++) {
        IndexBox split = new IndexBox(List.of(IndexRanges.of(y, y + 10), IndexRanges.of(x, x + 1)));
        firsts.add(hosts.of(EDGES, split, 1).get(0));
      }
    }
    return firsts;
  }

  @Test
  void splits_are_spread_and_only_those_of_a_host_that_leaves_move() {
    List<String> of4 = firsts(new PreferredHosts(List.of("a", "b", "c", "d")));
    Map<String, Long> counts =
        of4.stream().collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    assertThat(counts).hasSize(4);
    assertThat(counts.values()).allSatisfy(count -> assertThat(count).isBetween(150L, 350L));
    List<String> of3 = firsts(new PreferredHosts(List.of("d", "b", "a")));
    for (int i = 0; i < of4.size(); i++) {
      assertThat(of3.get(i)).isEqualTo(of4.get(i).equals("c") ? of3.get(i) : of4.get(i));
    }
  }

  @Test
  void the_cells_that_a_query_selects_in_a_chunk_do_not_matter() {
    PreferredHosts hosts = new PreferredHosts(List.of("a", "b", "c", "d", "e"));
    IndexBox whole = IndexBox.all(100, 100);
    IndexBox part = new IndexBox(List.of(IndexRanges.of(7, 31), IndexRanges.of(0, 5)));
    assertThat(hosts.of(EDGES, part, 2)).hasSize(2).isEqualTo(hosts.of(EDGES, whole, 2));
    assertThat(new PreferredHosts(List.of()).of(EDGES, whole, 2)).isEmpty();
  }
}
