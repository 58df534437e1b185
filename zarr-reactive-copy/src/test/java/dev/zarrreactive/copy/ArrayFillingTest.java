package dev.zarrreactive.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.NodeExistsException;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** An array that is filled over time is none before it is complete. */
class ArrayFillingTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final Store store = MemoryStore.create();
  private final ZarrHierarchy hierarchy = Zarr.hierarchy(store);

  private static ArrayMetadata metadata(int format, long extent) {
    return (format == 2
            ? ArrayMetadata.v2(Shape.of(extent), DataTypes.INT8)
            : ArrayMetadata.v3(Shape.of(extent), DataTypes.INT8))
        .chunkShape(1)
        .build();
  }

  private List<String> keys() {
    return store.list().map(StoreKey::value).sort().collectList().block(TIMEOUT);
  }

  private static Mono<Void> halfThenFail(ZarrArray array) {
    return array
        .write(Selection.parse("0:2"), 7)
        .then(Mono.error(new IllegalStateException("the source broke")));
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void half_an_array_cannot_be_opened_and_is_resumed_or_overwritten(int format) {
    ArrayFilling filling = ArrayFilling.of(hierarchy, "g/a", metadata(format, 4));
    String mark = format == 2 ? "g/a/.zarray.partial" : "g/a/zarr.json.partial";
    List<Boolean> resumed = new ArrayList<>();
    for (IfExists policy : new IfExists[] {IfExists.RESUME, IfExists.OVERWRITE}) {
      assertThatThrownBy(() -> filling.run((array, again) -> halfThenFail(array)).block(TIMEOUT))
          .hasMessageContaining("the source broke");
      assertThat(keys()).contains(mark).doesNotContain("g/a/zarr.json", "g/a/.zarray");
      assertThat(hierarchy.exists("g/a").block(TIMEOUT)).isFalse();
      assertThatThrownBy(() -> filling.run((array, again) -> Mono.empty()).block(TIMEOUT))
          .isInstanceOf(NodeExistsException.class)
          .hasMessageContaining("an unfinished node exists here");
      assertThatThrownBy(
              () ->
                  ArrayFilling.of(hierarchy, "g/a", metadata(format, 5))
                      .ifExists(IfExists.RESUME)
                      .run((array, again) -> Mono.empty())
                      .block(TIMEOUT))
          .isInstanceOf(NodeExistsException.class)
          .hasMessageContaining("other metadata than the new one");
      ZarrArray whole =
          filling
              .ifExists(policy)
              .run(
                  (array, again) -> {
                    resumed.add(again);
                    return array.write(Selection.all(), 7);
                  })
              .block(TIMEOUT);
      assertThat(whole.path().value()).isEqualTo("/g/a");
      assertThat(keys()).noneMatch(key -> key.endsWith(".partial"));
      assertThat(
              Zarr.hierarchy(store)
                  .openArray("g/a")
                  .block(TIMEOUT)
                  .read(Selection.all())
                  .block(TIMEOUT))
          .isEqualTo(NdArray.ofBytes(DataTypes.INT8, Shape.of(4), new byte[] {7, 7, 7, 7}));
      assertThat(Zarr.hierarchy(store).openGroup("").block(TIMEOUT).metadata().zarrFormat())
          .as("the groups above are made")
          .isEqualTo(format);
      hierarchy.erase("").block(TIMEOUT);
    }
    assertThat(resumed).containsExactly(true, false);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void a_complete_array_is_not_filled_again(int format) {
    ArrayFilling filling = ArrayFilling.of(hierarchy, "", metadata(format, 2));
    filling.run((array, again) -> array.write(Selection.all(), 1)).block(TIMEOUT);
    List<String> before = keys();
    filling
        .ifExists(IfExists.RESUME)
        .run((array, again) -> Mono.error(new AssertionError("is complete")))
        .block(TIMEOUT);
    assertThat(keys()).isEqualTo(before);
    assertThatThrownBy(() -> filling.run((array, again) -> Mono.empty()).block(TIMEOUT))
        .isInstanceOf(NodeExistsException.class)
        .hasMessageContaining("a node exists here");
  }
}
