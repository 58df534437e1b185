package dev.zarrreactive.cli.location;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.UnreadableNode;
import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.AbstractStore;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.memory.MemoryStore;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class NodePlaceTest {
  private final MemoryStore memory = MemoryStore.create();

  private void array(String name, String... dimensions) {
    long[] extents = new long[dimensions.length];
    java.util.Arrays.fill(extents, 2);
    Zarr.hierarchy(memory)
        .createArray(
            name,
            ArrayMetadata.v3(Shape.of(extents), DataTypes.INT8).dimensionNames(dimensions).build())
        .block();
  }

  @Test
  void a_broken_array_beside_leaves_the_others_where_nothing_is_listed() {
    array("a", "x", "y", "z");
    array("x", "x");
    memory.set(StoreKey.of("y/zarr.json"), Bytes.utf8("{")).block();
    ZarrHierarchy hierarchy = Zarr.hierarchy(new Unlisted(memory));
    ZarrArray array = Objects.requireNonNull(hierarchy.openArray("a").block());
    List<ZarrNode> beside =
        hierarchy
            .openGroup("")
            .flatMapMany(group -> new NodePlace(hierarchy, "a").beside(group, array))
            .collectList()
            .block();
    assertThat(beside).extracting(node -> node.path().value()).containsExactly("/a", "/x", "/y");
    assertThat(Objects.requireNonNull(beside).get(2)).isInstanceOf(UnreadableNode.class);
  }

  /** A store that tells values alone. */
  private static final class Unlisted extends AbstractStore {
    private final MemoryStore values;

    Unlisted(MemoryStore values) {
      this.values = values;
    }

    @Override
    public Set<StoreCapability> capabilities() {
      return Set.of(StoreCapability.READ);
    }

    @Override
    public Mono<Bytes> get(StoreKey key) {
      return values.get(key);
    }
  }
}
