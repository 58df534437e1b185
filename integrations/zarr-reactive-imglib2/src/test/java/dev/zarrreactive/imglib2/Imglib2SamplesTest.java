package dev.zarrreactive.imglib2;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.ome.OmeImage;
import dev.zarrreactive.store.file.FileSystemStore;
import java.nio.file.Path;
import java.util.stream.IntStream;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.view.Views;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sample of arrays-elsewhere.md for ImgLib2. */
class Imglib2SamplesTest {
  @TempDir static Path directory;

  @BeforeAll
  static void write() {
    FileSystemStore store = FileSystemStore.open(directory.resolve("image.zarr"));
    store
        .set(
            StoreKey.of("zarr.json"),
            Bytes.utf8(
                """
                {"zarr_format": 3, "node_type": "group", "attributes": {"ome": {"version": "0.5",
                 "multiscales": [{"axes": [{"name": "y", "type": "space"},
                   {"name": "x", "type": "space"}],
                  "datasets": [{"path": "0",
                   "coordinateTransformations": [{"type": "scale", "scale": [1, 1]}]}]}]}}}
                """))
        .block();
    Zarr.hierarchy(store)
        .createArray(
            "0", ArrayMetadata.v3(Shape.of(512, 512), DataTypes.UINT16).chunkShape(64, 64).build())
        .flatMap(
            array ->
                array.write(
                    Selection.all(),
                    NdArray.ofInts(
                            DataTypes.INT32,
                            Shape.of(512, 512),
                            IntStream.range(0, 512 * 512).map(i -> i % 512).toArray())
                        .cast(DataTypes.UINT16)))
        .block();
  }

  @Test
  void a_level_is_an_image() {
    OmeImage image =
        requireNonNull(OmeImage.open(Zarr.at(directory.resolve("image.zarr").toString())).block());
    long sum = 0;
    // docs: imglib2
    try (var level = ZarrImage.of(image.levels().get(0), new UnsignedShortType())) {
      RandomAccessibleInterval<UnsignedShortType> part =
          Views.interval(level.img(), new long[] {100, 200}, new long[] {131, 231});
      for (UnsignedShortType pixel : part) {
        sum += pixel.get(); // waits for the chunk that has the pixel
      }
    }
    // docs: end
    assertThat(sum).isEqualTo(IntStream.rangeClosed(100, 131).sum() * 32L);
  }
}
