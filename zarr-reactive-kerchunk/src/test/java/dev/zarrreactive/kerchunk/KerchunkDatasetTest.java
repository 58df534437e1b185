package dev.zarrreactive.kerchunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.testing.Waiting;
import dev.zarrreactive.testkit.InstrumentedStore;
import dev.zarrreactive.virtual.VirtualContainers;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Datasets over references are those of the netCDF files. */
class KerchunkDatasetTest {
  private final InstrumentedStore data = InstrumentedStore.of(Archive.KEPT.data());

  private Store open(String set) {
    VirtualContainers containers = VirtualContainers.builder().allow("s3://archive/", data).build();
    return Objects.requireNonNull(Waiting.await(Archive.KEPT.open(set, containers)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "air-v1.json",
        "air-v1.json.gz",
        "air-templates.json",
        "air-consolidated.json",
        "virtualizarr-air-v2.json",
        "virtualizarr-air-v3.json",
        "air.parq",
        "virtualizarr-air.parq",
        "pyarrow-none-v2.parq"
      })
  void a_dataset_is_opened_without_a_request_for_data_and_read_by_ranges(String set) {
    Store store = open(set);
    Dataset dataset = Waiting.await(Dataset.open(Zarr.hierarchy(store), ""));
    ZarrArray stored = Waiting.await(Zarr.hierarchy(store).openArray("/air"));
    assertThat(data.counts().total()).isZero();
    NdArray packed = Waiting.await(stored.read());
    assertThat(data.counts().total()).as("no more than its six chunks").isBetween(1, 6);
    double[] unpacked = Waiting.await(dataset.variable("air").read()).toDoubleArray();
    short[] raw = packed.toShortArray();
    assertThat(unpacked).hasSize(210);
    for (int i = 0; i < raw.length; i++) {
      assertThat(unpacked[i]).isEqualTo(raw[i] * 0.01 + 250, within(1e-6));
    }
    assertThat(Waiting.await(dataset.variable("lat").read()).toDoubleArray())
        .containsExactly(-60, -30, 0, 30, 60);
  }

  @ParameterizedTest
  @ValueSource(strings = {"air-consolidated.json", "air.parq", "hdf5.parq"})
  void consolidated_metadata_are_used(String set) {
    Store store = open(set);
    assertThat(Waiting.await(store.get(StoreKey.of(".zmetadata")))).isNotNull();
    assertThat(Waiting.await(Zarr.hierarchy(store).openGroup("")).metadata().consolidated())
        .isNotNull();
    assertThat(Waiting.await(store.listDir(StorePrefix.ROOT))).isNotEmpty();
    assertThat(data.counts().total()).isZero();
  }
}
