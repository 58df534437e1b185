package dev.zarrreactive.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.store.memory.MemoryStore;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

/** Texts go every way that numbers go. */
class VariableLengthArraysTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int ROWS = 7;
  private static final int COLUMNS = 5;
  private static final String FILL = "nobody";

  private static ArrayMetadataBuilder texts() {
    return ArrayMetadata.v3(Shape.of(ROWS, COLUMNS), DataTypes.STRING)
        .uncompressed()
        .fillValue(FillValue.ofValue(DataTypes.STRING, FILL));
  }

  private static NamedConfiguration codec(String json) {
    return NamedConfiguration.parse(
        JsonDocument.parse(
            ByteBuffer.wrap(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8)),
            Location.UNKNOWN));
  }

  static Stream<ArrayMetadataBuilder> arrays() {
    String inner =
        "{'name': 'sharding_indexed', 'configuration': {'chunk_shape': [2, 1], 'codecs':"
            + " ['vlen-utf8', {'name': 'zstd', 'configuration': {'level': 3, 'checksum': true}}],"
            + " 'index_codecs': [{'name': 'bytes', 'configuration': {'endian': 'little'}},"
            + " 'crc32c']}}";
    NamedConfiguration transpose =
        codec("{'name': 'transpose', 'configuration': {'order': [1, 0]}}");
    return Stream.of(
        texts(),
        texts().chunkShape(4, 3),
        texts().chunkShape(4, 3).compressors(codec("'crc32c'")),
        texts().chunkShape(4, 3).codecs(transpose, codec("'vlen-utf8'")),
        texts().chunkShape(4, 3).codecs(codec(inner)),
        texts().chunkShape(3, 4).codecs(transpose, codec(inner.replace("[2, 1]", "[2, 3]"))),
        texts().chunkShape(4, 3).zarrFormat(2));
  }

  @ParameterizedTest
  @MethodSource("arrays")
  void what_is_written_in_parts_is_read_in_parts(ArrayMetadataBuilder metadata) {
    ZarrArray array =
        await(Zarr.hierarchy(MemoryStore.create()).createArray("texts", metadata.build()));
    String[] model = new String[ROWS * COLUMNS];
    Arrays.fill(model, FILL);
    assertThat(read(array, "...")).containsExactly(model);

    String[] part = {"a", "", "na\u00efve", "\ud83d\ude00", "x".repeat(1000), "\0"};
    array
        .write(
            Selection.parse("2:5,1:5:3"), NdArray.ofStrings(DataTypes.STRING, Shape.of(3, 2), part))
        .block(PATIENCE);
    for (int i = 0; i < part.length; i++) {
      model[(2 + i / 2) * COLUMNS + 1 + 3 * (i % 2)] = part[i];
    }
    assertThat(read(array, "...")).containsExactly(model);
    assertThat(read(array, "1:4,4"))
        .containsExactly(model[COLUMNS + 4], model[2 * COLUMNS + 4], model[3 * COLUMNS + 4]);
    NdArray points = await(array.read(Selection.points(new long[][] {{3, 1}, {0, 0}, {4, 4}})));
    assertThat(points.toStringArray()).containsExactly("na\u00efve", FILL, "\0");

    List<Chunk> chunks = await(array.chunks(Selection.all()).collectList());
    assertThat(chunks.stream().flatMap(chunk -> Arrays.stream(chunk.data().toStringArray())))
        .containsExactlyInAnyOrder(model);
  }

  @Test
  void a_chunk_of_nothing_but_fill_value_is_erased() {
    MemoryStore store = MemoryStore.create();
    ZarrArray array =
        await(Zarr.hierarchy(store).createArray("texts", texts().chunkShape(7, 5).build()));
    NdArray one = NdArray.ofStrings(DataTypes.STRING, Shape.of(1, 1), "x");
    array.write(Selection.parse("0:1,0:1"), one).block(PATIENCE);
    assertThat(await(store.get(StoreKey.of("texts/c/0/0")))).isNotNull();
    NdArray fill = NdArray.ofStrings(DataTypes.STRING, Shape.of(1, 1), FILL);
    array.write(Selection.parse("0:1,0:1"), fill).block(PATIENCE);
    assertThat(store.get(StoreKey.of("texts/c/0/0")).hasElement().block(PATIENCE)).isFalse();
  }

  private static String[] read(ZarrArray array, String selection) {
    return await(array.read(Selection.parse(selection))).toStringArray();
  }

  private static <T> T await(Mono<T> mono) {
    return Objects.requireNonNull(mono.block(PATIENCE));
  }
}
