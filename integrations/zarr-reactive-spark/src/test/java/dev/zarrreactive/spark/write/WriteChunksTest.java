package dev.zarrreactive.spark.write;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import java.util.Arrays;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Chunks are written to new and to existing arrays. */
class WriteChunksTest extends WritesInDirectory {
  private int[] values = {};

  @BeforeEach
  void begin() {
    values = new int[10 * 7];
    Arrays.setAll(values, i -> i * i);
    await(Zarr.at(at("from.zarr")).createGroup());
    ZarrArray array =
        requireNonNull(
            await(
                Zarr.at(at("from.zarr/a"))
                    .createArray(
                        ArrayMetadata.v3(Shape.of(10, 7), DataTypes.INT32)
                            .chunkShape(4, 3)
                            .build())));
    await(array.write(Selection.all(), NdArray.ofInts(DataTypes.INT32, Shape.of(10, 7), values)));
  }

  private Dataset<Row> chunks() {
    return spark.read().format("zarr").option("mode", "chunks").load(at("from.zarr"));
  }

  private int[] readInts(String name) {
    ZarrArray array = requireNonNull(await(Zarr.at(at(name)).openArray()));
    return requireNonNull(await(array.read())).toIntArray();
  }

  @Test
  void new_arrays_have_the_shapes_and_types_of_the_chunks() {
    chunks()
        .write()
        .format("zarr")
        .option("mode", "chunks")
        .option("dimensions.a", "y,x")
        .save(at("to.zarr"));
    ZarrArray array = requireNonNull(await(Zarr.at(at("to.zarr/a")).openArray()));
    assertThat(array.chunkGrid().largestChunkShape()).isEqualTo(Shape.of(4, 3));
    assertThat(array.metadata().dimensionNames()).containsExactly("y", "x");
    assertThat(readInts("to.zarr/a")).isEqualTo(values);
  }

  @Test
  void chunks_are_gathered_to_larger_shards() {
    chunks()
        .write()
        .format("zarr")
        .option("mode", "chunks")
        .option("chunk-shape", "2,3")
        .option("shard-shape", "8,6")
        .save(at("shards.zarr"));
    assertThat(readInts("shards.zarr/a")).isEqualTo(values);
    assertThat(directory.resolve("shards.zarr/a/c/1/1")).exists();
  }

  @Test
  void chunks_replace_those_of_an_existing_array() {
    await(Zarr.at(at("old.zarr")).createGroup());
    await(
        Zarr.at(at("old.zarr/a"))
            .createArray(
                ArrayMetadata.v3(Shape.of(10, 7), DataTypes.INT32).chunkShape(4, 7).build()));
    chunks()
        .where("origin[0] = 4")
        .write()
        .format("zarr")
        .option("mode", "chunks")
        .mode("append")
        .save(at("old.zarr"));
    int[] expected = new int[values.length];
    System.arraycopy(values, 28, expected, 28, 28);
    assertThat(readInts("old.zarr/a")).isEqualTo(expected);
  }

  @Test
  void a_chunk_of_several_chunks_is_refused_with_its_place() {
    assertThatThrownBy(
            () ->
                chunks()
                    .write()
                    .format("zarr")
                    .option("mode", "chunks")
                    .option("chunk-shape", "3,3")
                    .save(at("refused.zarr")))
        .hasStackTraceContaining(
            "the chunk of /a at [0, 0] with the shape [4, 3] is in several chunks or shards");
    assertThat(directory.resolve("refused.zarr/zarr.json")).doesNotExist();
  }
}
