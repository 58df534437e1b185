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

/** Nodes that are created, looked for and erased at a path or a URL. */
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
      Mono<ZarrArray> created = Zarr.at(location).createArray(ARRAY);
      assertThatThrownBy(() -> await(Zarr.at(location).openArray())).isInstanceOf(Exception.class);
      ZarrArray array = await(created);
      NdArray data = NdArray.ofInts(DataTypes.INT32, Shape.of(3), 1, 2, 3);
      await(array.write(Selection.all(), data));
      assertThat(await(await(Zarr.at(location).openArray()).read(Selection.all()))).isEqualTo(data);
    }
  }

  @Test
  void a_group_makes_the_groups_above_an_array() {
    String location = directory.resolve("earth.zarr").toString();
    await(
        Zarr.at(location)
            .createGroup()
            .flatMap(group -> group.createArray("north/pole/ice", ARRAY)));
    ZarrGroup group = await(Zarr.at(location).openGroup());
    assertThat(await(group.openGroup("north/pole")).metadata().zarrFormat()).isEqualTo(3);
    assertThat(await(group.openArray("north/pole/ice")).fillValue()).hasToString("7");
  }

  @Test
  void a_group_of_either_format_has_its_attributes() {
    GroupMetadata old = GroupMetadata.of(2, JsonObject.EMPTY.with("a", 1));
    String location = directory.resolve("old.zarr").toString();
    await(Zarr.at(location).createGroup(old));
    assertThat(await(Zarr.at(location).openGroup()).attributes()).hasToString("{\"a\":1}");
    assertThat(await(Zarr.at(location).openGroup()).metadata().zarrFormat()).isEqualTo(2);
  }

  @Test
  void what_is_there_stays() {
    String location = directory.resolve("a.zarr").toString();
    await(Zarr.at(location).createArray(ARRAY));
    assertThatThrownBy(() -> await(Zarr.at(location).createGroup()))
        .isInstanceOf(NodeExistsException.class);
    ArrayMetadata other = ArrayMetadata.like(ARRAY).fillValue(8).build();
    assertThatThrownBy(() -> await(Zarr.at(location).createArray(other)))
        .isInstanceOf(NodeExistsException.class);
    assertThat(await(Zarr.at(location).openArray()).fillValue()).hasToString("7");
  }

  @Test
  void an_archive_is_made_by_its_store() {
    Path file = directory.resolve("a.zip");
    assertThatThrownBy(() -> await(Zarr.at(file.toString()).createArray(ARRAY)))
        .isInstanceOf(StoreCapabilityException.class)
        .hasMessageContaining("a.zip")
        .hasMessageContaining("ZipStore.create");
    assertThat(file).doesNotExist();
  }

  @Test
  void a_location_tells_whether_a_node_is_there() {
    ZarrLocation place = Zarr.at(directory.resolve("a.zarr").toString());
    assertThat(await(place.exists())).isFalse();
    await(place.createArray(ARRAY));
    assertThat(await(place.exists())).isTrue();
    await(place.erase());
    assertThat(await(place.exists())).isFalse();
    await(place.erase());
    await(place.createGroup());
    assertThat(await(place.exists())).isTrue();
  }

  @Test
  void options_of_a_location_are_those_of_its_nodes() {
    ZarrOptions options = ZarrOptions.defaults().withZarrFormat(2);
    String location = directory.resolve("a.zarr").toString();
    await(Zarr.at(location).createArray(ARRAY));
    ZarrLocation place = Zarr.at(location).withOptions(options);
    assertThat(place.options()).isSameAs(options);
    assertThat(await(place.exists())).isFalse();
    assertThat(
            await(Zarr.at(location).withOptions(options.withZarrFormat(3)).openArray()).options())
        .extracting(ZarrOptions::zarrFormat)
        .isEqualTo(3);
    assertThat(await(Zarr.at(location).exists())).isTrue();
  }

  @Test
  void a_location_shows_no_options() {
    StoreOptions secret = StoreOptions.none().with("bearer-token", "secret");
    assertThat(Zarr.at("https://example.org/a").withStoreOptions(secret))
        .hasToString("https://example.org/a");
  }

  @Test
  void a_group_below_a_group_has_its_format() {
    ZarrGroup old = await(Zarr.at("memory:old").createGroup(GroupMetadata.of(2, JsonObject.EMPTY)));
    assertThat(await(old.createGroup("same")).metadata().zarrFormat()).isEqualTo(2);
    GroupMetadata titled = GroupMetadata.of(2, JsonObject.EMPTY.with("title", "t"));
    assertThat(await(old.createGroup("titled", titled)).attributes())
        .isEqualTo(titled.attributes());
  }

  @Test
  void hierarchies_of_one_store_without_options_share_their_caches() {
    MemoryStore store = MemoryStore.create();
    ArrayMetadata sharded =
        ArrayMetadata.v3(Shape.of(8), DataTypes.INT32).chunkShape(2).shardShape(8).build();
    ZarrArray array = await(Zarr.hierarchy(store).createArray("a", sharded));
    await(array.write(Selection.all(), 7));
    ZarrArray first = await(Zarr.hierarchy(store).openArray("a"));
    await(first.read("0:2"));
    await(await(Zarr.hierarchy(store).openArray("a")).read("2:4"));
    assertThat(Zarr.hierarchy(store).shardIndexCounts().misses()).isEqualTo(1);
    assertThat(Zarr.hierarchy(store).shardIndexCounts().hits()).isEqualTo(1);
    assertThat(Zarr.hierarchy(store, first.options()).shardIndexCounts().misses()).isZero();
  }

  @Test
  void codecs_that_do_not_fit_are_refused_before_anything_is_stored() {
    Path place = directory.resolve("a.zarr");
    ArrayMetadata wrong =
        ArrayMetadata.like(ARRAY).codecs(NamedConfiguration.of("vlen-utf8")).build();
    assertThatThrownBy(() -> await(Zarr.at(place.toString()).createArray(wrong)))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("vlen-utf8");
    assertThat(place).doesNotExist();
  }

  @Test
  void a_store_of_the_application_takes_a_path() {
    MemoryStore store = MemoryStore.create();
    await(Zarr.hierarchy(store).createArray("a/b", ARRAY));
    await(Zarr.hierarchy(store).createGroup("a/c", GroupMetadata.of(JsonObject.EMPTY)));
    Mono<Long> children = Zarr.hierarchy(store).openGroup("a").flatMap(a -> a.children().count());
    assertThat(await(children)).isEqualTo(2L);
  }
}
