package dev.zarrreactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.store.zip.NewZipStore;
import dev.zarrreactive.store.zip.ZipStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** What a path or a URL opens. */
class ZarrLocationTest {
  private static final Bytes GROUP = Bytes.utf8("{\"zarr_format\": 3, \"node_type\": \"group\"}");
  private static final StoreKey DOCUMENT = StoreKey.of("zarr.json");

  @TempDir Path directory;

  private static <T> T await(Mono<T> mono) {
    return mono.subscribeOn(Schedulers.parallel()).block(Duration.ofSeconds(30));
  }

  @Test
  void a_path_and_its_file_uri_are_the_same_store() {
    Path place = directory.resolve("a b%20c.zarr");
    FileSystemStore.open(place).set(DOCUMENT, GROUP).block();
    for (String location : List.of(place.toString(), place.toUri().toString())) {
      assertThat(await(Zarr.at(location).openGroup()).path()).hasToString("/");
      assertThat(await(Zarr.at(location).open())).isInstanceOf(ZarrGroup.class);
      assertThat(await(Zarr.at(location).store())).isInstanceOf(FileSystemStore.class);
    }
  }

  @Test
  void a_new_hierarchy_begins_where_nothing_is_and_never_in_an_archive() {
    ZarrLocation fresh = Zarr.at(directory.resolve("new.zarr").toString());
    await(fresh.newHierarchy().flatMap(hierarchy -> hierarchy.createGroup("a")));
    boolean isThere = await(fresh.hierarchy().flatMap(hierarchy -> hierarchy.exists("a")));
    assertThat(isThere).isTrue();
    ZarrLocation archive = Zarr.at(directory.resolve("new.zip").toString());
    assertThatThrownBy(() -> await(archive.newHierarchy()))
        .isInstanceOf(StoreCapabilityException.class)
        .hasMessageContaining("ZipStore.create");
  }

  @Test
  void a_url_may_have_raw_spaces_brackets_and_quotes_behind_its_host() {
    Path place = directory.resolve("a b [c] {d} \"e\" ż.zarr");
    FileSystemStore.open(place).set(DOCUMENT, GROUP).block();
    for (String location :
        List.of("file://" + place, "file:" + place, "FILE://localhost" + place)) {
      assertThat(await(Zarr.at(location).openGroup()).path()).hasToString("/");
    }
    assertThat(Stores.uri("https://host/a b/[c]?q={d}"))
        .hasToString("https://host/a%20b/%5Bc%5D?q=%7Bd%7D");
    assertThat(Stores.uri("https://[::1]:80/a%20b")).hasToString("https://[::1]:80/a%20b");
  }

  @Test
  void a_store_in_memory_is_shared_by_name() {
    Store one = await(Zarr.at("memory:ZarrLocationTest").store());
    await(one.set(DOCUMENT, GROUP));
    assertThat(await(Zarr.at("memory:ZarrLocationTest").openGroup())).isNotNull();
    assertThat(await(Zarr.at("memory://ZarrLocationTest").store())).isSameAs(one);
    assertThat(MemoryStore.named("ZarrLocationTest")).isSameAs(one);
    assertThat(await(Zarr.at("memory:another").store())).isNotSameAs(one);
  }

  @Test
  void an_archive_is_opened_where_there_is_one() {
    Path file = directory.resolve("a b.ZIP");
    NewZipStore zip = ZipStore.create(file);
    await(zip.set(DOCUMENT, GROUP).then(zip.close()));
    for (String location : List.of(file.toString(), file.toUri().toString())) {
      Store store = await(Zarr.at(location).store());
      assertThat(store.toString()).contains("ZipStore");
      assertThat(await(Zarr.at(location).openGroup())).isNotNull();
      await(store.close());
    }
  }

  @Test
  void a_directory_may_be_called_like_an_archive() {
    Path place = directory.resolve("directory.zip");
    FileSystemStore.open(place).set(DOCUMENT, GROUP).block();
    assertThat(await(Zarr.at(place.toString()).store())).isInstanceOf(FileSystemStore.class);
    assertThat(await(Zarr.at(place.toString()).openGroup())).isNotNull();
  }

  @Test
  void a_module_that_is_missing_is_named() {
    assertThatThrownBy(() -> await(Zarr.at("https://example.org/a?sig=s3cret").open()))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("zarr-reactive-http")
        .hasMessageNotContaining("s3cret");
    assertThatThrownBy(() -> await(Zarr.at("S3://bucket/a").open()))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("s3: add zarr-reactive-s3");
    assertThatThrownBy(() -> await(Zarr.at("gopher://hole").open()))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("gopher")
        .hasMessageContaining("[file, memory]");
  }

  @Test
  void what_is_no_location_is_an_error_and_shows_nothing() {
    assertThatThrownBy(() -> await(Zarr.at("https://[s3cret").open()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("s3cret");
    Mono<Store> withOptions =
        Zarr.at("memory:x")
            .withStoreOptions(StoreOptions.none().with("password", "s3cret"))
            .store();
    assertThatThrownBy(() -> await(withOptions))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("password")
        .hasMessageNotContaining("s3cret");
    assertThat(StoreOptions.none().with("password", "s3cret"))
        .hasToString("StoreOptions[password]");
  }

  @Test
  void names_with_a_colon_and_drives_are_paths() {
    assertThat(Stores.uri("a:b").getScheme()).isEqualTo("file");
    assertThat(Stores.uri("some:thing").getScheme()).isEqualTo("file");
    assertThat(Stores.uri("some://thing").getScheme()).isEqualTo("some");
  }
}
