package dev.zarrreactive.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.azure.AzureStore;
import dev.zarrreactive.azure.Azurite;
import dev.zarrreactive.testing.Python;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Obstore and adlfs, where a Python has them, read from an emulator what we wrote there, and we
 * read what they write. TensorStore has no driver for Azure.
 */
class AzureReadByOthersTest {
  private static final String SCRIPT =
      """
      import os, sys
      endpoint, account, key, container = sys.argv[1:]
      import adlfs
      import numpy as np
      import obstore
      import zarr
      from obstore.store import AzureStore
      from zarr.storage import FsspecStore, ObjectStore
      wanted = np.arange(24, dtype="i4").reshape(4, 6)
      store = AzureStore(container, prefix="an/array", account_name=account, account_key=key,
                         endpoint=endpoint, client_options={"allow_http": True})
      names = sorted(each["path"] for page in obstore.list(store) for each in page)
      assert names == ["c/0/0", "c/0/1", "c/1/0", "c/1/1", "zarr.json"], names
      assert (zarr.open_array(ObjectStore(store), mode="r")[:] == wanted).all()
      print("obstore", flush=True)
      connection = {"connection_string": f"DefaultEndpointsProtocol=http;AccountName={account};"
                                         f"AccountKey={key};BlobEndpoint={endpoint};"}
      ours = zarr.open_array(f"abfs://{container}/an/array", mode="r", storage_options=connection)
      assert (ours[:] == wanted).all()
      theirs = zarr.create_array(f"abfs://{container}/of/others", shape=(4, 6), chunks=(2, 3),
                                 shards=(4, 6), dtype="i4", storage_options=connection)
      theirs[:] = wanted
      print("adlfs", flush=True)
      os._exit(0)  # adlfs ends with errors of its loop
      """;

  @TempDir Path folder;

  @Test
  void an_array_of_ours_and_one_of_theirs() throws Exception {
    Azurite server = Azurite.shared();
    String container = server.newContainer();
    AzureStore store = server.at(container).open();
    ReadByOthers.write(store);
    assertThat(
            Python.with("adlfs, numpy, obstore, zarr")
                .run(SCRIPT, "" + server.uri(), Azurite.ACCOUNT, Azurite.KEY, container))
        .contains("obstore", "adlfs");
    assertThat(
            Zarr.hierarchy(store)
                .openArray("/of/others")
                .flatMap(array -> array.read("2:4,1:3"))
                .block()
                .toIntArray())
        .containsExactly(13, 14, 19, 20);
    store.close().block();
  }
}
