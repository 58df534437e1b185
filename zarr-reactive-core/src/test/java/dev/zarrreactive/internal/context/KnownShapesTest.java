package dev.zarrreactive.internal.context;

import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.internal.context.HierarchyContext.StoreChanges;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.memory.MemoryStore;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The shapes that this process has given to arrays are known as long as somebody may need them. */
class KnownShapesTest {
  private final MemoryStore store = MemoryStore.create();
  private final ZarrHierarchy hierarchy = Zarr.hierarchy(store);
  private final KnownShapes shapes = StoreChanges.of(store).shapes();

  private ZarrArray resized(String path) {
    ArrayMetadata metadata =
        ArrayMetadata.v3(Shape.of(4), DataTypes.UINT8).chunkShape(8).fillValue(0).build();
    ZarrArray array = hierarchy.createArray(path, metadata).block();
    array.resize(Shape.of(8)).block();
    return array;
  }

  @Test
  void a_handle_that_was_opened_before_keeps_what_was_appended_since() {
    ZarrArray before = resized("a");
    System.gc();
    for (int i = 0; i < 1000; i++) {
      resized("others/" + i);
    }
    hierarchy.openArray("a").block().write(Selection.parse("4:8"), 7L).block();
    before.write(Selection.all(), 1L).block();
    NdArray all = hierarchy.openArray("a").block().read(Selection.all()).block();
    assertThat(all.toLongArray()).containsExactly(1, 1, 1, 1, 7, 7, 7, 7);
  }

  @ParameterizedTest
  @ValueSource(strings = {"erase", "erase the group", "erase in steps", "move", "erase the root"})
  void the_shapes_of_arrays_that_are_erased_are_forgotten(String way) {
    List<ZarrArray> handles = List.of(resized("g/a"), resized("g/h/b"), resized("g2"));
    assertThat(shapes.size()).isEqualTo(3);
    int left =
        switch (way) {
          case "erase" -> after(3 - 2, any -> List.of("g/a", "g/h/b").forEach(this::erase));
          case "erase the group" -> after(1, any -> erase("g"));
          case "erase in steps" -> after(1, any -> hierarchy.eraseInSteps("g").blockLast());
          case "move" -> after(1, any -> hierarchy.move("g", "elsewhere").block());
          default -> after(0, any -> erase("/"));
        };
    assertThat(shapes.size()).isEqualTo(left);
    assertThat(handles).hasSize(3);
  }

  private int after(int left, Consumer<ZarrHierarchy> change) {
    change.accept(hierarchy);
    return left;
  }

  private void erase(String path) {
    hierarchy.erase(path).block();
  }

  /** Another program erases the arrays, so that nothing is told. */
  @Test
  void without_a_handle_only_the_latest_shapes_stay() {
    for (int i = 0; i < 2_000; i++) {
      resized("g/" + i);
      store.erase(StoreKey.of("g/" + i + "/zarr.json")).block();
    }
    eventually(
        () -> "the shapes of " + shapes.size() + " arrays are kept",
        () -> {
          System.gc();
          return shapes.size() <= 256;
        });
  }

  @Test
  void an_erased_array_that_is_created_again_has_no_known_shape_until_it_is_resized() {
    ZarrArray old = resized("a");
    erase("a");
    resized("a");
    KnownShapes.KnownArray known = shapes.opened(NodePath.of("a"));
    assertThat(known.lastShape()).isEqualTo(Shape.of(8));
    erase("a");
    assertThat(known.lastShape()).isNull();
    assertThat(old.shape()).isEqualTo(Shape.of(4));
  }
}
