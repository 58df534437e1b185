package dev.zarrreactive.anndata;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.json.JsonArray;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The samples of docs/anndata.md. */
class AnnDataSamplesTest {
  private static void assertPrinted(Object... lines) throws IOException {
    StringBuilder printed = new StringBuilder();
    for (Object line : lines) {
      printed.append(line).append('\n');
    }
    assertThat(Files.readString(Path.of("../docs/anndata.md")))
        .contains("```text\n" + printed + "```");
  }

  @Test
  void opening_a_table() throws IOException {
    String location = AnnTestData.location("cells-v3");
    // docs: anndata-open
    AnnData cells = AnnData.open(Zarr.at(location)).block();
    System.out.println(cells.observations().rows() + " x " + cells.variables().rows());
    System.out.println(cells.observations().columns());
    AnnColumn kind = cells.observations().column("kind").block();
    System.out.println(kind);
    // docs: end
    assertPrinted("40 x 12", cells.observations().columns(), kind);
  }

  @Test
  void reading_a_column() {
    AnnData cells = AnnData.open(Zarr.at(AnnTestData.location("cells-v3"))).block();
    // docs: anndata-column
    Flux<String> kinds =
        cells
            .observations()
            .column("kind")
            .flatMapMany(column -> column.blocks(1_000))
            .concatMapIterable(
                block ->
                    IntStream.range(0, block.size())
                        .mapToObj(row -> block.text(row).orElse("unknown"))
                        .toList());
    // docs: end
    assertThat(kinds.collectList().block()).hasSize(40).contains("unknown", "Größe");
  }

  @Test
  void summing_a_sparse_matrix() {
    AnnData cells = AnnData.open(Zarr.at(AnnTestData.location("cells-v3"))).block();
    // docs: anndata-sparse
    Mono<double[]> totals =
        cells
            .matrix()
            .flatMap(
                matrix ->
                    matrix.stream(0, matrix.rows(), 1_000_000)
                        .collect(
                            () -> new double[(int) matrix.columns()],
                            (sums, part) ->
                                part.forEach(
                                    (row, column, place) ->
                                        sums[(int) column] += part.values().getDouble(place))));
    // docs: end
    double expected =
        ((JsonArray) Objects.requireNonNull(AnnTestData.expected("cells-v3").get("X")))
            .elements().stream()
                .flatMap(row -> ((JsonArray) row).elements().stream())
                .mapToDouble(value -> Double.parseDouble(value.toString()))
                .sum();
    assertThat(Arrays.stream(totals.block()).sum()).isEqualTo(expected);
  }

  @Test
  void listing_the_elements_of_an_experiment() throws IOException {
    String location = AnnTestData.location("spatial-v3");
    // docs: spatialdata
    SpatialData slide = SpatialData.open(Zarr.at(location)).block();
    System.out.println(slide.elements());
    System.out.println(slide.systems());
    SpatialElement image = slide.element(SpatialElement.Kind.IMAGE, "image");
    SpatialTransform global = image.transforms().get(0);
    System.out.println(Arrays.toString(global.point(0, 10, 20)));
    // docs: end
    assertPrinted(slide.elements(), slide.systems(), Arrays.toString(global.point(0, 10, 20)));
  }
}
