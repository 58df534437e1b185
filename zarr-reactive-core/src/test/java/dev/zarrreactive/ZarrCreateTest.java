package dev.zarrreactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.NodeExistsException;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.memory.MemoryStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Nodes that are created at a path or a URL. */
class ZarrCreateTest {
  private static final ArrayMetadata ARRAY =
      ArrayMetadata.v3(Shape.of(3), DataTypes.INT32).fillValue(7).build();

  @TempDir Path directory;

  private static <T> T await(Mono<T> mono) {
    return mono.subscribeOn(Schedulers.parallel()).block(Duration.ofSeconds(30));
  }

  @Test
  void an_array_is_created_where_it_is_opened() {
    Path plain = directory.resolve("plain.zarr");
    Path url = directory.resolve("with blank.zarr");
    for (String location :
        List.of(plain.toString(), url.toUri().toString(), "memory:ZarrCreateTest")) {
      Mono<ZarrArray> created = Zarr.createArray(location, ARRAY);
      assertThatThrownBy(() -> await(Zarr.openArray(location))).isInstanceOf(Exception.class);
      ZarrArray array = await(created);
      NdArray data = NdArray.ofInts(DataTypes.INT32, Shape.of(3), 1, 2, 3);
      await(array.write(Selection.all(), data));
      assertThat(await(await(Zarr.openArray(location)).read(Selection.all()))).isEqualTo(data);
    }
  }

  @Test
  void a_group_makes_the_groups_above_an_array() {
    String location = directory.resolve("earth.zarr").toString();
    await(Zarr.createGroup(location).flatMap(group -> group.createArray("north/pole/ice", ARRAY)));
    ZarrGroup group = await(Zarr.openGroup(location));
    assertThat(await(group.openGroup("north/pole")).metadata().zarrFormat()).isEqualTo(3);
    assertThat(await(group.openArray("north/pole/ice")).fillValue()).hasToString("7");
  }

  @Test
  void a_group_of_either_format_has_its_attributes() {
    GroupMetadata old = GroupMetadata.of(2, JsonObject.EMPTY.with("a", 1));
    String location = directory.resolve("old.zarr").toString();
    await(Zarr.createGroup(location, old, StoreOptions.none()));
    assertThat(await(Zarr.openGroup(location)).attributes()).hasToString("{\"a\":1}");
    assertThat(await(Zarr.openGroup(location)).metadata().zarrFormat()).isEqualTo(2);
  }

  @Test
  void what_is_there_stays() {
    String location = directory.resolve("a.zarr").toString();
    await(Zarr.createArray(location, ARRAY));
    assertThatThrownBy(() -> await(Zarr.createGroup(location)))
        .isInstanceOf(NodeExistsException.class);
    ArrayMetadata other = ArrayMetadata.like(ARRAY).fillValue(8).build();
    assertThatThrownBy(() -> await(Zarr.createArray(location, other)))
        .isInstanceOf(NodeExistsException.class);
    assertThat(await(Zarr.openArray(location)).fillValue()).hasToString("7");
  }

  @Test
  void an_archive_is_made_by_its_store() {
    Path file = directory.resolve("a.zip");
    assertThatThrownBy(() -> await(Zarr.createArray(file.toString(), ARRAY)))
        .isInstanceOf(StoreCapabilityException.class)
        .hasMessageContaining("a.zip")
        .hasMessageContaining("ZipStore.create");
    assertThat(file).doesNotExist();
  }

  @Test
  void codecs_that_do_not_fit_are_refused_before_anything_is_stored() {
    Path place = directory.resolve("a.zarr");
    ArrayMetadata wrong =
        ArrayMetadata.like(ARRAY).codecs(NamedConfiguration.of("vlen-utf8")).build();
    assertThatThrownBy(() -> await(Zarr.createArray(place.toString(), wrong)))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("vlen-utf8");
    assertThat(place).doesNotExist();
  }

  @Test
  void a_store_of_the_application_takes_a_path() {
    MemoryStore store = MemoryStore.create();
    await(Zarr.createArray(store, "a/b", ARRAY));
    await(Zarr.createGroup(store, "a/c", GroupMetadata.of(JsonObject.EMPTY)));
    Mono<Long> children = Zarr.openGroup(store, "a").flatMap(a -> a.children().count());
    assertThat(await(children)).isEqualTo(2L);
  }
}
