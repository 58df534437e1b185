package dev.zarrreactive.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.credentials.LinkKeys;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.server.RunningServer;
import dev.zarrreactive.server.ZarrServer;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.InstalledServer;
import dev.zarrreactive.testing.Program;
import dev.zarrreactive.testing.Python;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Other programs open a signed link as it is: xarray, zarr-python, GDAL and zarrita. {@code
 * ZARRITA} names a directory as for {@link ZarritaOverServerTest}.
 */
class LinkedClientsTest {
  @TempDir Path directory;

  private final Store store = MemoryStore.create();
  private final LinkKeys keys = LinkKeys.of("k1:abcdefghijklmnopqrstuvwxyz012345");
  private RunningServer server;

  @BeforeEach
  void serve() {
    ZarrHierarchy written = Zarr.hierarchy(store);
    NdArray values =
        NdArray.ofInts(DataTypes.INT32, Shape.of(4, 6), IntStream.range(0, 24).toArray());
    written.createGroup("earth").block();
    written
        .createArray(
            "earth/t2m",
            ArrayMetadata.v3(values.shape(), DataTypes.INT32)
                .chunkShape(2, 3)
                .dimensionNames("y", "x")
                .build())
        .flatMap(array -> array.write("...", values))
        .block();
    Zarr.hierarchy(Stores.prefixed(store, StorePrefix.of("old/")))
        .createArray("", ArrayMetadata.v2(values.shape(), DataTypes.INT32).chunkShape(2, 3).build())
        .flatMap(array -> array.write("...", values))
        .block();
    server =
        Objects.requireNonNull(
            ZarrServer.of(store).port(0).consolidated(true).links(keys).start().block());
  }

  private String link(String path) {
    return server.uri() + keys.sign(path, LinkKeys.Access.READ, Instant.now().plusSeconds(3_600));
  }

  @AfterEach
  void stop() {
    server.close().block();
  }

  @Test
  void xarray_and_zarr_python_open_a_group_and_no_other() throws Exception {
    String program =
        """
        import sys, aiohttp, xarray, zarr
        link, other = sys.argv[1:]
        print(int(xarray.open_zarr(link)["t2m"].sum()), int(zarr.open_group(link, mode="r")["t2m"][1, 2]))
        try:
            zarr.open_array(other, mode="r")
            print("opened")
        except Exception as error:
            print("403" in str(error))
        """;
    String earth = link("earth");
    assertThat(
            Python.with("aiohttp, xarray, zarr")
                .run(program, earth, earth.replace("/earth", "/old"))
                .strip())
        .isEqualTo("276 8\nTrue");
  }

  @Test
  void gdal_opens_an_array() throws Exception {
    String program =
        """
        import sys, rasterio
        with rasterio.Env() as env:
            with rasterio.open('ZARR:"/vsicurl/%s"' % sys.argv[1]) as raster:
                print(raster.shape, raster.read(1).sum())
        """;
    assertThat(
            Python.with("rasterio\nwith rasterio.Env() as env: assert 'Zarr' in env.drivers()")
                .run(program, link("old"))
                .strip())
        .isEqualTo("(4, 6) 276");
  }

  @Test
  void zarrita_opens_a_group() throws Exception {
    String place = System.getProperty("ZARRITA", System.getenv("ZARRITA"));
    assumeTrue(place != null, "no property ZARRITA names a directory with zarrita");
    Files.createSymbolicLink(
        directory.resolve("node_modules"), Path.of(place, "node_modules").toAbsolutePath());
    Path script =
        Files.writeString(
            directory.resolve("read.mjs"),
            """
            import * as zarr from 'zarrita';
            const group = await zarr.open(new zarr.FetchStore(process.argv[2]), { kind: 'group' });
            const array = await zarr.open(group.resolve('t2m'), { kind: 'array' });
            console.log((await zarr.get(array)).data.reduce((sum, each) => sum + each, 0));
            """);
    ProcessBuilder node =
        new ProcessBuilder(
            InstalledServer.program("node").toString(), script.toString(), link("earth"));
    assertThat(Program.run(node).strip()).isEqualTo("276");
  }
}
