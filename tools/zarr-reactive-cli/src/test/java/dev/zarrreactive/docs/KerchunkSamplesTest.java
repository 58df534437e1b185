package dev.zarrreactive.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrLocation;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.kerchunk.Kerchunk;
import dev.zarrreactive.kerchunk.KerchunkOptions;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Waiting;
import dev.zarrreactive.virtual.VirtualContainers;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

/** The samples of docs/kerchunk.md. */
class KerchunkSamplesTest {
  private static final String ZARRAY =
      "{'zarr_format':2,'shape':[2,2,3],'chunks':[1,2,3],'dtype':'|u1','compressor':null,"
          + "'filters':null,'order':'C','fill_value':0}";

  @TempDir Path directory;

  private final MemoryStore archive = MemoryStore.create();
  private Store store;

  @BeforeEach
  void putReferences() {
    store = FileSystemStore.open(directory);
    Waiting.await(archive.set(StoreKey.of("a.nc"), Bytes.utf8("HEAD012345abcdef")));
    put(
        "air.json",
        "{'version':1,'templates':{'u':'s3://archive'},'refs':{'.zgroup':{'zarr_format':2},"
            + "'air/.zarray':"
            + ZARRAY
            + ",'air/0.0.0':['{{u}}/a.nc',4,6],'air/1.0.0':['{{u}}/a.nc',10,6]}}");
    put(
        "air.parq/.zmetadata",
        "{'metadata':{'.zgroup':{'zarr_format':2},'air/.zarray':"
            + ZARRAY
            + ",'air/.zattrs':{'_ARRAY_DIMENSIONS':['time','lat','lon']}},'record_size':2}");
  }

  private void put(String key, String text) {
    Waiting.await(store.set(StoreKey.of(key), Bytes.utf8(text.replace('\'', '"'))));
  }

  @Test
  void references_in_json() {
    // docs: kerchunk
    VirtualContainers containers =
        VirtualContainers.builder()
            .allow("s3://archive/", archive) // a Store, or StoreOptions for one
            .build();
    Mono<NdArray> air =
        Kerchunk.open(store, StoreKey.of("air.json"), containers)
            .flatMap(references -> Zarr.hierarchy(references).openArray("/air"))
            .flatMap(array -> array.read("0,:,:"));
    // docs: end
    assertThat(Waiting.await(air).bytes()).isEqualTo(Bytes.utf8("012345"));
  }

  @Test
  void references_in_parquet() {
    VirtualContainers containers = VirtualContainers.none();
    // docs: kerchunk-parquet
    Mono<Dataset> dataset =
        Kerchunk.open(store, StorePrefix.of("air.parq/"), containers)
            .flatMap(references -> Dataset.open(Zarr.hierarchy(references), ""));
    // docs: end
    assertThat(Waiting.await(Waiting.await(dataset).variable("air").read()).shape().toArray())
        .as("no record file: all chunks are missing")
        .containsExactly(2, 2, 3);
  }

  @Test
  void options() {
    VirtualContainers containers = VirtualContainers.none();
    // docs: kerchunk-options
    KerchunkOptions options =
        KerchunkOptions.defaults()
            .withBase("s3://archive/2026/") // for relative URLs
            .withMaxBytes(1L << 30) // a larger file, which you trust
            .withMaxReferences(20_000_000)
            .withCacheBytes(128 << 20); // record files of Parquet in memory
    Mono<Store> large = Kerchunk.open(store, StoreKey.of("air.json"), containers, options);
    // docs: end
    assertThat(Waiting.await(Waiting.await(large).list())).hasSize(4);
  }

  @Test
  void signed_urls() {
    try (FaultyServer server = FaultyServer.of(archive)) {
      put(
          "signed.json",
          "{'.zgroup':{'zarr_format':2},'air/.zarray':"
              + ZARRAY
              + ",'air/0.0.0':['"
              + server.uri()
              + "/a.nc?sig=s%2Fa//b',4,6],'air/1.0.0':['"
              + server.uri()
              + "/a.nc?sig=s%2Fa//b',10,6]}");
      StoreOptions allowed = StoreOptions.none().with("virtual:" + server.uri() + "/", "");
      Mono<NdArray> air =
          Zarr.at(directory + "/signed.json|kerchunk:air")
              .withStoreOptions(allowed)
              .openArray()
              .flatMap(array -> array.read());
      assertThat(Waiting.await(air).bytes()).isEqualTo(Bytes.utf8("012345abcdef"));
      assertThat(server.requests())
          .as("adjacent chunks of one signed file")
          .singleElement()
          .satisfies(asked -> assertThat(asked.uri()).isEqualTo("/a.nc?sig=s%2Fa//b"));
    }
  }

  @Test
  void a_pipeline() {
    // docs: kerchunk-pipeline
    ZarrLocation location =
        Zarr.at(directory + "/air.json|kerchunk:air")
            .withStoreOptions(StoreOptions.none().with("virtual:file:///archive/", ""));
    // docs: end
    assertThat(Waiting.await(location.openArray()).shape().toArray()).containsExactly(2, 2, 3);
    ZarrLocation parquet = Zarr.at(directory + "/air.parq|kerchunk:");
    assertThat(Waiting.await(parquet.openGroup().flatMapMany(group -> group.tree()).collectList()))
        .hasSize(1);
  }
}
