package dev.zarrreactive.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cli.TestArrays;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.memory.MemoryStore;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BandSelectionsTest {
  private static final Shape SHAPE = Shape.of(6, 7, 5);

  private final ZarrArray array =
      Zarr.hierarchy(MemoryStore.create())
          .createArray(
              "a",
              ArrayMetadata.v3(SHAPE, DataTypes.INT16).uncompressed().chunkShape(2, 3, 5).build())
          .block();

  private List<Selection> bands(String selection, long limit) {
    ResolvedSelection.Orthogonal resolved =
        (ResolvedSelection.Orthogonal) Selection.parse(selection).resolve(SHAPE);
    return BandSelections.of(resolved, array.chunkGrid(), 2, limit).toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "...",
        "1",
        "::2,::3",
        "5,6,4",
        "[3,0,3],2:6,::4",
        "...,[4,1]",
        "2:2",
        "1:5,3:3,:"
      })
  void written_one_after_the_other_they_are_the_selection(String selection) {
    array.write(Selection.all(), TestArrays.counting(DataTypes.INT16, SHAPE)).block();
    byte[] whole = array.read(Selection.parse(selection)).block().bytes().toByteArray();
    for (long limit : new long[] {1, 2, 10, 11, 20, 70, 100, 1000}) {
      ByteArrayOutputStream written = new ByteArrayOutputStream();
      for (Selection band : bands(selection, limit)) {
        NdArray part = array.read(band).block();
        assertThat(part.bytes().size()).isLessThanOrEqualTo((int) Math.max(limit, 2));
        written.writeBytes(part.bytes().toByteArray());
      }
      assertThat(written.toByteArray()).as("limit %d", limit).isEqualTo(whole);
    }
  }

  @Test
  void what_fits_is_one_band() {
    assertThat(bands("...", 420)).hasToString("[0:6,0:7,0:5]");
  }

  @Test
  void bands_end_where_chunks_do_if_they_can() {
    assertThat(bands("...", 5 * 70)).hasToString("[0:4,0:7,0:5, 4:6,0:7,0:5]");
    assertThat(bands("1:", 3 * 70)).hasToString("[1:4,0:7,0:5, 4:6,0:7,0:5]");
    assertThat(bands("0:2", 50))
        .hasToString("[0:1,0:3,0:5, 0:1,3:7,0:5, 1:2,0:3,0:5, 1:2,3:7,0:5]");
  }

  @Test
  void bands_of_an_enormous_selection_are_made_as_they_are_asked_for() {
    Shape enormous = Shape.of(1L << 40, 1L << 20);
    ZarrArray large =
        Zarr.hierarchy(MemoryStore.create())
            .createArray(
                "a",
                ArrayMetadata.v3(enormous, DataTypes.INT8)
                    .uncompressed()
                    .chunkShape(1024, 1024)
                    .build())
            .block();
    Stream<Selection> bands =
        BandSelections.of(
            (ResolvedSelection.Orthogonal) Selection.all().resolve(enormous),
            large.chunkGrid(),
            1,
            1L << 32);
    assertThat(bands.iterator().next()).hasToString("0:4096,0:1048576");
  }
}
