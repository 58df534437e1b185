package dev.zarrreactive.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.gcs.FakeGcsServer;
import dev.zarrreactive.gcs.GcsStore;
import dev.zarrreactive.metadata.ArrayMetadata;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TensorStore and obstore, where a Python has them, read from an emulator what we wrote there. */
class GcsReadByOthersTest {
  private static final int SECONDS = 300;

  /** Ends with the status 3 where a package is missing. */
  private static final String SCRIPT =
      """
      import json, os, sys
      base, bucket, folder = sys.argv[1:]
      os.environ["TENSORSTORE_GCS_HTTP_URL"] = base
      try:
          import numpy as np
          import obstore
          import tensorstore as ts
          import zarr
          from obstore.store import GCSStore
          from zarr.storage import ObjectStore
      except ImportError as missing:
          print(missing)
          sys.exit(3)
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
    String python = python();
    try (FakeGcsServer server = FakeGcsServer.start()) {
      String bucket = server.newBucket();
      GcsStore store = GcsStore.at(bucket).endpoint(server.uri()).open();
      write(store);
      store.close().block();
      Path script = Files.writeString(folder.resolve("read.py"), SCRIPT);
      Process process =
          new ProcessBuilder(
                  python, script.toString(), server.emulator().toString(), bucket, "" + folder)
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("out.txt").toFile())
              .start();
      assertThat(process.waitFor(SECONDS, TimeUnit.SECONDS)).isTrue();
      String said = Files.readString(folder.resolve("out.txt"));
      assumeTrue(process.exitValue() != 3, () -> "skipped: " + said);
      assertThat(process.exitValue()).as(said).isZero();
      assertThat(said).contains("tensorstore", "obstore");
    }
  }

  private static void write(GcsStore store) {
    ArrayMetadata metadata =
        ArrayMetadata.v3(Shape.of(4, 6), DataTypes.INT32).chunkShape(2, 3).build();
    ZarrArray array = Zarr.hierarchy(store).createArray("/an/array", metadata).block();
    int[] values = new int[24];
    for (int i = 0; i < values.length; i++) {
      values[i] = i;
    }
    array.write("...", NdArray.ofInts(DataTypes.INT32, Shape.of(4, 6), values)).block();
  }

  private static String python() throws IOException {
    String chosen = System.getProperty("ZARR_PYTHON", System.getenv("ZARR_PYTHON"));
    String python = chosen == null ? "python3" : chosen;
    boolean runs;
    try {
      runs = new ProcessBuilder(python, "--version").start().waitFor() == 0;
    } catch (IOException e) {
      runs = false;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    assumeTrue(runs, "skipped: no Python");
    return python;
  }
}
