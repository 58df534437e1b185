package dev.zarrreactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.store.zip.NewZipStore;
import dev.zarrreactive.store.zip.ZipStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

/** What lies at a location that is no node is opened by its content, or named. */
class ForeignLocationTest {
  @TempDir Path directory;

  @Test
  void an_archive_of_any_name_is_opened() {
    Store source = MemoryStore.create();
    ArrayMetadata array = ArrayMetadata.v3(Shape.of(3), DataTypes.INT8).build();
    Zarr.hierarchy(source).createArray("", array).block();
    for (String name : new String[] {"a.zip", "a.ozx", "A.OZX", "archive", "archive.dat"}) {
      Path file = directory.resolve(name);
      Mono.usingWhen(
              Mono.fromSupplier(() -> ZipStore.create(file)),
              zip ->
                  source
                      .list()
                      .concatMap(key -> source.get(key).flatMap(v -> zip.set(key, v)))
                      .then(),
              NewZipStore::close)
          .block();
      assertThat(Zarr.at(file.toString()).openArray().block().shape()).isEqualTo(Shape.of(3));
      assertThat(Zarr.at(file.toUri().toString()).open().block()).isInstanceOf(ZarrArray.class);
      assertThat(Zarr.at(file.toString()).exists().block()).isTrue();
    }
  }

  @Test
  void what_is_no_zarr_is_named() throws IOException {
    Path netcdf = directory.resolve("x.nc");
    Files.write(netcdf, "\211HDF\r\n\032\n".getBytes(StandardCharsets.ISO_8859_1));
    assertNamed(netcdf, "this is a file of HDF5");
    Path icechunk = Files.createDirectory(directory.resolve("icechunk"));
    Files.write(
        icechunk.resolve("repo"), "ICE\360\237\247\212CHUNK".getBytes(StandardCharsets.ISO_8859_1));
    assertNamed(icechunk, "this is an Icechunk repository");
    Path references = Files.writeString(directory.resolve("r.json"), "{\"refs\": {}}");
    assertNamed(references, "this is a file of kerchunk references");
    Path nothing = Files.createDirectory(directory.resolve("nothing"));
    assertNamed(nothing, "no array or group here: expected a zarr.json");
    assertNamed(directory.resolve("missing"), "no array or group here: expected a zarr.json");
  }

  private static void assertNamed(Path place, String message) {
    assertThatThrownBy(() -> Zarr.at(place.toString()).open().block())
        .isInstanceOf(NodeNotFoundException.class)
        .hasMessageContaining(message);
    assertThat(Zarr.at(place.toString()).exists().block()).isFalse();
  }
}
