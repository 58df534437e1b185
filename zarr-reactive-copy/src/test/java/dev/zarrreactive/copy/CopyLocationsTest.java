package dev.zarrreactive.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrLocation;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.NodeExistsException;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.zip.NewZipStore;
import dev.zarrreactive.store.zip.ZipStore;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies from location to location. */
class CopyLocationsTest {
  private static final NdArray DATA =
      NdArray.ofInts(DataTypes.INT32, Shape.of(2, 3), 1, 2, 3, 4, 5, 6);

  @TempDir Path directory;

  private final String place = "watched://" + UUID.randomUUID();

  private ZarrLocation written(String location, int format) {
    ArrayMetadata metadata =
        (format == 2
                ? ArrayMetadata.v2(DATA.shape(), DataTypes.INT32)
                : ArrayMetadata.v3(DATA.shape(), DataTypes.INT32))
            .build();
    ZarrArray array = Zarr.at(location).createArray(metadata).block();
    array.write(Selection.all(), DATA).block();
    array.store().close().block();
    return Zarr.at(location);
  }

  private String path(String name) {
    return directory.resolve(name).toString();
  }

  @Test
  void a_path_is_copied_to_a_path_in_another_format() {
    ZarrLocation old = written(path("old.zarr"), 2);
    ZarrCopy.of(old, Zarr.at(path("new.zarr"))).zarrFormat(3).run().blockLast();
    ZarrArray copy = Zarr.at(path("new.zarr")).openArray().block();
    assertThat(copy.metadata().zarrFormat()).isEqualTo(3);
    assertThat(copy.read().block()).isEqualTo(DATA);
  }

  @Test
  void an_archive_is_a_source() {
    NewZipStore zip = ZipStore.create(directory.resolve("old.zip"));
    ArrayMetadata metadata = ArrayMetadata.v3(DATA.shape(), DataTypes.INT32).build();
    Zarr.hierarchy(zip)
        .createArray("a", metadata)
        .flatMap(array -> array.write(Selection.all(), DATA))
        .block();
    zip.close().block();
    ZarrCopy.of(Zarr.at(path("old.zip")), Zarr.at(path("new.zarr"))).from("a").run().blockLast();
    assertThat(Zarr.at(path("new.zarr")).openArray().flatMap(ZarrArray::read).block())
        .isEqualTo(DATA);
  }

  @Test
  void an_archive_is_refused_as_a_destination() {
    ZarrCopy copy = ZarrCopy.of(written(path("old.zarr"), 3), Zarr.at(path("new.zip")));
    assertThatThrownBy(() -> copy.run().blockLast())
        .isInstanceOf(StoreCapabilityException.class)
        .hasMessageContaining("ZipStore.create");
    assertThat(directory.resolve("new.zip")).doesNotExist();
  }

  @Test
  void a_place_inside_of_the_source_is_refused() {
    ZarrLocation source = written(path("old.zarr"), 3);
    ZarrCopy copy = ZarrCopy.of(source, Zarr.at(path("old.zarr/inside")));
    assertThatThrownBy(() -> copy.run().blockLast()).hasMessageContaining("one would hold");
  }

  @Test
  void both_stores_are_closed_at_the_end_and_after_a_dry_run() {
    int before = WatchedStoreProvider.open();
    ZarrCopy copy = ZarrCopy.of(written(place, 3), Zarr.at(place + "/copy"));
    assertThat(copy.outline().block().nodes()).hasSize(1);
    assertThat(WatchedStoreProvider.open()).isEqualTo(before);
    copy.run().blockLast();
    assertThat(WatchedStoreProvider.open()).isEqualTo(before);
    assertThat(Zarr.at(place + "/copy").exists().block()).isTrue();
  }

  @Test
  void both_stores_are_closed_after_an_error_and_a_cancel() {
    int before = WatchedStoreProvider.open();
    ZarrLocation source = written(place, 3);
    ZarrLocation taken = written(place + "/taken", 3);
    assertThatThrownBy(() -> ZarrCopy.of(source, taken).run().blockLast())
        .isInstanceOf(NodeExistsException.class);
    assertThatThrownBy(() -> ZarrCopy.of(Zarr.at(place + "/no"), taken).run().blockLast())
        .isInstanceOf(NodeNotFoundException.class);
    assertThat(ZarrCopy.of(source, Zarr.at(place + "/part")).run().blockFirst()).isNotNull();
    assertThat(WatchedStoreProvider.open()).isEqualTo(before);
  }

  @Test
  void a_copy_of_locations_names_them() {
    ZarrCopy copy = ZarrCopy.of(Zarr.at("a.zarr"), Zarr.at("b.zarr")).to("c");
    assertThat(copy).hasToString("copy of / in a.zarr to /c in b.zarr");
  }
}
