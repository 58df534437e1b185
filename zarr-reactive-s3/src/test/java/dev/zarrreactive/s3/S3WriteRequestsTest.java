package dev.zarrreactive.s3;

import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The requests of writes and appends, as the server counts them. */
@ExtendWith(NoLeaks.class)
class S3WriteRequestsTest {
  private final OneValue one = new OneValue(10);

  @AfterEach
  void close() {
    one.close();
  }

  private ZarrArray made(ArrayMetadataBuilder metadata) {
    ZarrArray array = await(Zarr.hierarchy(one.store).createArray("", metadata.build()));
    one.server.forget();
    return array;
  }

  private static NdArray numbers(int count) {
    return NdArray.ofInts(
        DataTypes.INT32, Shape.of(count), IntStream.rangeClosed(1, count).toArray());
  }

  private void assertRequests(int gets, int puts) {
    assertThat(count("GET")).as("GET").isEqualTo(gets);
    assertThat(count("PUT")).as("PUT").isEqualTo(puts);
    assertThat(one.server.requests()).hasSize(gets + puts);
    one.server.forget();
  }

  private long count(String method) {
    return one.server.requests().stream().filter(asked -> asked.method().equals(method)).count();
  }

  @Test
  void aligned_chunks_are_a_put_each() {
    ZarrArray array = made(ArrayMetadata.v3(Shape.of(80), DataTypes.INT32).chunkShape(10));
    await(array.write(Selection.all(), numbers(80)));
    assertRequests(0, 8);
    await(array.write("20:50", numbers(30)));
    assertRequests(0, 3);
  }

  @Test
  void a_full_shard_is_a_put_and_a_part_of_one_at_most_two_gets_and_a_put() {
    ZarrArray array =
        made(ArrayMetadata.v3(Shape.of(80), DataTypes.INT32).chunkShape(10).shardShape(40));
    await(array.write("0:40", numbers(40)));
    assertRequests(0, 1);
    await(array.write("3:25", numbers(22)));
    assertRequests(1, 1);
    await(array.write("50:60", numbers(10))); // of a shard that is missing
    assertRequests(1, 1);
    assertThat(await(array.read("0:5")).toIntArray()).containsExactly(1, 2, 3, 1, 2);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void aligned_data_are_appended_by_a_put_for_each_chunk_and_a_get_and_a_put_of_the_document(
      int zarrFormat) {
    ZarrArray array =
        made(ArrayMetadata.v3(Shape.of(40), DataTypes.INT32).zarrFormat(zarrFormat).chunkShape(10));
    ZarrArray longer = await(array.append(0, numbers(30)));
    assertThat(longer.shape()).isEqualTo(Shape.of(70));
    assertRequests(1, 4);
  }
}
