package dev.zarrreactive.chunkgrid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.testing.Json;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Chunk grids whose edges differ; which chunk holds what is in {@code ChunkPlanPropertyTest}. */
class RectilinearGridTest {
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      textBlock =
          """
          4             | 10 | 4,4,4
          [4, 2, 4]     | 10 | 4,2,4
          [[4, 2]]      | 8  | 4,4
          [4, 2]        | 6  | 4,2
          [[1, 3], 3]   | 6  | 1,1,1,3
          [[1, 1]]      | 1  | 1
          [5, 5, 5, 5]  | 7  | 5,5,5,5
          [20]          | 7  | 20
          []            | 0  | ``
          [3]           | 0  | 3
          3             | 0  | ``
          """)
  void edges_are_repeated_listed_or_in_runs(String chunkShape, long extent, String edges) {
    ChunkEdges dimension = grid("[" + chunkShape + "]", extent).dimension(0);
    List<String> lengths = new ArrayList<>();
    long start = 0;
    for (long chunk = 0; chunk < dimension.count(); chunk++) {
      assertThat(dimension.start(chunk)).isEqualTo(start);
      lengths.add(Long.toString(dimension.length(chunk)));
      start += dimension.length(chunk);
    }
    assertThat(String.join(",", lengths)).isEqualTo(edges);
  }

  @Test
  void dimensions_are_independent() {
    ChunkGrid grid = grid("[2, [3, 4], [[1, 2], 5]]", 4, 7, 6);
    assertThat(grid.gridShape()).isEqualTo(Shape.of(2, 2, 3));
    assertThat(grid.chunkShape(1, 1, 2)).isEqualTo(Shape.of(2, 4, 5));
    assertThat(grid.chunkStart(1, 1, 2)).containsExactly(2, 3, 2);
    assertThat(grid.largestChunkShape()).isEqualTo(Shape.of(2, 4, 5));
  }

  @Test
  void a_chunk_beyond_the_grid_is_refused() {
    ChunkGrid grid = grid("[2, [3, 4]]", 4, 7);
    grid.checkIndex(1, 1);
    for (long[] index : new long[][] {{2, 0}, {0, 2}, {-1, 0}, {0}, {0, 0, 0}, {}}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> grid.checkIndex(index))
          .withMessageContaining("no chunk")
          .withMessageContaining("shape [2, 2]");
    }
  }

  @ParameterizedTest(name = "{0} at {1}: {2}")
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      textBlock =
          """
          {'chunk_shapes': [5, 5]}                              | ``              | the member "kind" is missing
          {'kind': 'external', 'chunk_shapes': [5, 5]}          | /kind           | expected one of "inline"
          {'kind': 1, 'chunk_shapes': [5, 5]}                   | /kind           | expected one of "inline"
          {'kind': 'inline'}                                    | ``              | the member "chunk_shapes" is missing
          {'kind': 'inline', 'chunk_shape': [5, 5]}             | /chunk_shape    | known are chunk_shapes, kind
          {'kind': 'inline', 'chunk_shapes': 5}                 | /chunk_shapes   | expected an array
          {'kind': 'inline', 'chunk_shapes': [5]}               | /chunk_shapes   | one entry for each of the 2 dimensions
          {'kind': 'inline', 'chunk_shapes': [5, 5, 5]}         | /chunk_shapes   | one entry for each of the 2 dimensions
          {'kind': 'inline', 'chunk_shapes': [0, 5]}            | /chunk_shapes/0 | an integer from 1
          {'kind': 'inline', 'chunk_shapes': ['5', 5]}          | /chunk_shapes/0 | expected an integer
          {'kind': 'inline', 'chunk_shapes': [[5], 5]}          | /chunk_shapes/0 | add up to 5, less than the extent 10
          {'kind': 'inline', 'chunk_shapes': [[], 5]}           | /chunk_shapes/0 | add up to 0, less than the extent 10
          {'kind': 'inline', 'chunk_shapes': [[5, 0, 5], 5]}    | /chunk_shapes/0/1 | an integer from 1
          {'kind': 'inline', 'chunk_shapes': [[5, -5, 10], 5]}  | /chunk_shapes/0/1 | an integer from 1
          {'kind': 'inline', 'chunk_shapes': [[[5, 0], 10], 5]} | /chunk_shapes/0/0/1 | an integer from 1
          {'kind': 'inline', 'chunk_shapes': [[[0, 5], 10], 5]} | /chunk_shapes/0/0/0 | an integer from 1
          {'kind': 'inline', 'chunk_shapes': [[[5]], 5]}        | /chunk_shapes/0/0 | an edge, or a pair
          {'kind': 'inline', 'chunk_shapes': [[[5, 1, 1]], 5]}  | /chunk_shapes/0/0 | an edge, or a pair
          {'kind': 'inline', 'chunk_shapes': [[[[5, 1], 2]], 5]} | /chunk_shapes/0/0/0 | expected an integer
          {'kind': 'inline', 'chunk_shapes': [[2.5, 10], 5]}    | /chunk_shapes/0/0 | expected an integer
          {'kind': 'inline', 'chunk_shapes': [[[4611686018427387904, 3]], 5]} | /chunk_shapes/0 | more than 2^63
          {'kind': 'inline', 'chunk_shapes': [[9223372036854775807, 1], 5]}   | /chunk_shapes/0 | more than 2^63
          """)
  void an_invalid_edge_is_refused_at_its_place(String json, String pointer, String message) {
    NamedConfiguration grid =
        Json.extension("{'name': 'rectilinear', 'configuration': " + json + "}");
    assertThatThrownBy(() -> ChunkGrid.of(grid, Shape.of(10, 5)))
        .isInstanceOfSatisfying(
            MetadataException.class,
            e -> {
              assertThat(e.location().jsonPointer()).isEqualTo("/configuration" + pointer);
              assertThat(e.statement()).contains(message);
            });
  }

  private static ChunkGrid grid(String chunkShapes, long... shape) {
    return ChunkGrid.of(
        Json.extension(
            "{'name': 'rectilinear', 'configuration': {'kind': 'inline', 'chunk_shapes': "
                + chunkShapes
                + "}}"),
        Shape.of(shape));
  }
}
