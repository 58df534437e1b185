package dev.zarrreactive.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.gcs.FakeGcsServer;
import dev.zarrreactive.gcs.GcsStore;
import dev.zarrreactive.testing.Python;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TensorStore and obstore, where a Python has them, read from an emulator what we wrote there. */
class GcsReadByOthersTest {
  private static final String SCRIPT =
      """
      import json, os, sys
      base, bucket, folder = sys.argv[1:]
      os.environ["TENSORSTORE_GCS_HTTP_URL"] = base
      import numpy as np
      import obstore
      import tensorstore as ts
      import zarr
      from obstore.store import GCSStore
      from zarr.storage import ObjectStore
      wanted = np.arange(24, dtype="i4").reshape(4, 6)
      where = {"driver": "gcs", "bucket": bucket, "path": "an/array/"}
      array = ts.open({"driver": "zarr3", "kvstore": where}).result()
      assert (array.read().result() == wanted).all()
      print("tensorstore")
      key = os.path.join(folder, "key.json")
      with open(key, "w") as out:
          json.dump({"gcs_base_url": base, "disable_oauth": True, "client_email": "",
                     "private_key": "", "private_key_id": ""}, out)
      store = GCSStore(bucket, prefix="an/array", service_account_path=key,
                       client_options={"allow_http": True})
      names = sorted(each["path"] for page in obstore.list(store) for each in page)
      assert "c/1/1" in names and "zarr.json" in names, names
      assert (zarr.open_array(ObjectStore(store), mode="r")[:] == wanted).all()
      print("obstore")
      """;

  @TempDir Path folder;

  @Test
  void an_array_of_ours() throws Exception {
    try (FakeGcsServer server = FakeGcsServer.start()) {
      String bucket = server.newBucket();
      GcsStore store = GcsStore.at(bucket).endpoint(server.uri()).open();
      ReadByOthers.write(store);
      store.close().block();
      assertThat(
              Python.with("numpy, obstore, tensorstore, zarr")
                  .run(SCRIPT, server.emulator().toString(), bucket, "" + folder))
          .contains("tensorstore", "obstore");
    }
  }
}
