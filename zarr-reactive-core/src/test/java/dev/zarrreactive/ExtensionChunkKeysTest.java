package dev.zarrreactive;

import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Json;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Arrays whose chunks have keys by the encodings of zarr-extensions. */
class ExtensionChunkKeysTest {
  private static final NdArray VALUES =
      NdArray.ofInts(DataTypes.INT32, Shape.of(4, 6), IntStream.range(1, 25).toArray());

  private static ArrayMetadata metadata(String name, String configuration) {
    return ArrayMetadata.v3(Shape.of(4, 6), DataTypes.INT32)
        .chunkShape(2, 3)
        .chunkKeyEncoding(Json.extension(name, configuration))
        .build();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          suffix   | {'suffix': '.tiff', 'base_encoding': 'default'} | c/0/0.tiff c/0/1.tiff c/1/0.tiff c/1/1.tiff
          fanout   | {'max_children': 4}                             | d0/0/d1/0/c d0/0/d1/1/c d0/1/d1/0/c d0/1/d1/1/c
          template | {'format': 'z{-1:02}/y{0}.raw'}                 | z00/y0.raw z00/y1.raw z01/y0.raw z01/y1.raw
          """)
  void an_array_is_written_read_and_made_smaller(String name, String configuration, String keys) {
    MemoryStore store = MemoryStore.create();
    ZarrHierarchy hierarchy = Zarr.hierarchy(store);
    ZarrArray array = await(hierarchy.createArray("a", metadata(name, configuration)));
    await(array.write("...", VALUES));
    assertThat(
            await(store.listPrefix(StorePrefix.of("a/")).map(StoreKey::value).collectList())
                .stream()
                .filter(key -> !key.endsWith("zarr.json"))
                .map(key -> key.substring(2)))
        .containsExactlyInAnyOrder(keys.split(" "));
    ZarrArray opened = await(hierarchy.openArray("a"));
    assertThat(await(opened.read()).toIntArray()).isEqualTo(VALUES.toIntArray());
    assertThat(await(opened.chunkExists(1, 1))).isTrue();
    ZarrArray smaller = await(opened.resize(Shape.of(2, 6)));
    assertThat(await(store.listPrefix(StorePrefix.of("a/")).collectList())).hasSize(3);
    assertThat(await(smaller.read("1,...")).toIntArray()).containsExactly(7, 8, 9, 10, 11, 12);
    assertThat(smaller.metadata().chunkKeyEncoding().toJson())
        .isEqualTo(array.metadata().chunkKeyEncoding().toJson());
  }

  @Test
  void metadata_like_others_keep_the_encoding_until_another_is_named() {
    ArrayMetadata suffix = metadata("suffix", "{'suffix': '.png', 'base_encoding': 'v2'}");
    assertThat(ArrayMetadata.like(suffix).build().chunkKeyEncoding().toJson())
        .isEqualTo(suffix.chunkKeyEncoding().toJson());
    assertThat(ArrayMetadata.like(suffix).separator(".").build().chunkKeyEncoding().name())
        .isEqualTo("default");
    assertThat(ArrayMetadata.like(suffix).zarrFormat(2).build().chunkKeyEncoding().name())
        .isEqualTo("v2");
    assertThatThrownBy(
            () ->
                ArrayMetadata.v2(Shape.of(4), DataTypes.INT32)
                    .chunkKeyEncoding(suffix.chunkKeyEncoding())
                    .build())
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("suffix");
  }

  @Test
  void a_template_for_another_number_of_dimensions_is_refused_when_the_array_is_created() {
    ZarrHierarchy hierarchy = Zarr.hierarchy(MemoryStore.create());
    for (String format : List.of("{0}", "{0}/{1}/{2}")) {
      assertThatThrownBy(
              () ->
                  await(
                      hierarchy.createArray(
                          "a", metadata("template", "{'format': '" + format + "'}"))))
          .isInstanceOf(MetadataException.class)
          .hasMessageContaining("dimensions once")
          .hasMessageContaining("/a");
    }
  }
}
