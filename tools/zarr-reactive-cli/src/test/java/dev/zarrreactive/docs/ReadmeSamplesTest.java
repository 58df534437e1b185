package dev.zarrreactive.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cli.CommandRun;
import dev.zarrreactive.store.file.FileSystemStore;
import java.nio.file.Path;
import java.util.DoubleSummaryStatistics;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** The samples of README.md. */
class ReadmeSamplesTest {
  private final Path directory = CommandRun.EARTH;

  @Test
  void read_and_stream() {
    // docs: readme
    ZarrHierarchy hierarchy = Zarr.hierarchy(FileSystemStore.open(directory));

    // Only the chunks that hold a part of the selection are fetched, and they are fetched together.
    Mono<NdArray> europe =
        hierarchy
            .openArray("earth/rgb")
            .flatMap(array -> array.read(Selection.parse("60:120,340:420")));

    // An array of any size, chunk by chunk: as fast as it is consumed, never all of it at once.
    Mono<DoubleSummaryStatistics> brightness =
        hierarchy
            .openArray("earth/relief")
            .flatMapMany(array -> array.chunks(Selection.all()))
            .reduce(
                new DoubleSummaryStatistics(),
                (sum, chunk) -> {
                  for (float value : chunk.data().toFloatArray()) {
                    sum.accept(value);
                  }
                  return sum;
                });
    // docs: end
    assertThat(europe.block().shape()).isEqualTo(Shape.of(60, 80, 3));
    assertThat(brightness.block().getCount()).isEqualTo(360 * 720);
    assertThat(brightness.block().getMax()).isBetween(0.9, 1.0);
  }
}
