package dev.zarrreactive.ome;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.testing.Python;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * ome-zarr-models, ngff-zarr and ome-zarr-py open images that are written here, and images of
 * ngff-zarr are read. The Python is the one that {@code -DOME_PYTHON=/path/to/python} or the
 * variable {@code OME_PYTHON} names, else the one on the path; without the programs the test is
 * skipped.
 */
class OmeProgramsTest {
  private static final String SCRIPT =
      """
      import os, sys
      import numpy as np, zarr
      import jsonschema, ngff_zarr, ome_zarr_models
      from ome_zarr.io import parse_url
      from ome_zarr.reader import Reader

      root = sys.argv[1]
      finest = np.arange(2 * 30 * 50, dtype="u2").reshape(2, 30, 50)
      padded = finest.astype("i8").reshape(2, 15, 2, 25, 2).transpose(0, 1, 3, 2, 4)
      coarse = (padded.reshape(2, 15, 25, 4).sum(-1) * 2 + 4) // 8
      cells = (np.arange(30 * 50) // 7).astype("i4").reshape(30, 50)

      for version in ("0.5", "0.6"):
          at = os.path.join(root, version)
          group = ome_zarr_models.open_ome_zarr(at, version=version)
          assert type(group).__module__.endswith("image"), type(group)
          label = ome_zarr_models.open_ome_zarr(os.path.join(at, "labels/cells"), version=version)
          assert "label" in type(label).__module__, type(label)
          multiscales = ngff_zarr.from_ngff_zarr(at, version=version, validate=True)
          images = multiscales.images
          assert [i.data.shape for i in images] == [(2, 30, 50), (2, 15, 25)]
          assert images[0].dims == ("c", "y", "x") or list(images[0].dims) == ["c", "y", "x"]
          assert images[1].scale["y"] == 1.0 and images[1].scale["x"] == 0.5, images[1].scale
          assert images[1].translation["y"] == 0.25, images[1].translation
          assert images[1].translation["x"] == 10.125, images[1].translation
          assert (np.asarray(images[0].data) == finest).all()
          assert (np.asarray(images[1].data) == coarse).all()
          found = zarr.open(os.path.join(at, "labels/cells/0"))[:]
          assert (found == cells).all()

      node = list(Reader(parse_url(os.path.join(root, "0.5")))())[0]
      assert [np.asarray(d).shape for d in node.data] == [(2, 30, 50), (2, 15, 25)]
      assert (np.asarray(node.data[1]) == coarse).all()

      image = ngff_zarr.to_ngff_image(
          finest[0], dims=("y", "x"), scale={"y": 0.5, "x": 0.25},
          translation={"y": 3.0, "x": 0.0}, axes_units={"y": "micrometer", "x": "micrometer"})
      for version in ("0.4", "0.5", "0.6"):
          made = ngff_zarr.to_multiscales(image, scale_factors=[2], chunks=16)
          ngff_zarr.to_ngff_zarr(os.path.join(root, "made-" + version), made, version=version)
      print("read")
      """;

  @TempDir Path directory;

  private void write(String version) {
    ZarrHierarchy hierarchy =
        requireNonNull(await(Zarr.at(directory.resolve(version).toString()).newHierarchy()));
    short[] elements = new short[2 * 30 * 50];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = (short) i;
    }
    int[] cells = new int[30 * 50];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = i / 7;
    }
    OmeAxis y = new OmeAxis("y", "space", "micrometer");
    OmeAxis x = new OmeAxis("x", "space", "micrometer");
    OmeChannel.Window window = new OmeChannel.Window(0, 100, 0, 65535);
    OmeImage image =
        requireNonNull(
            await(
                OmeImage.builder(List.of(new OmeAxis("c", "channel", ""), y, x))
                    .name("written")
                    .version(version)
                    .scale("y", 0.5)
                    .scale("x", 0.25)
                    .translation("x", 10)
                    .levels(2)
                    .channels(
                        List.of(
                            new OmeChannel("a", 0xff0000, Optional.of(window), true, false),
                            new OmeChannel("b", 0x00ff00, Optional.of(window), true, false)))
                    .layout(array -> array.chunkShape(1, 8, 8).shardShape(1, 16, 32))
                    .write(
                        hierarchy,
                        "",
                        NdArray.ofShorts(DataTypes.UINT16, Shape.of(2, 30, 50), elements))));
    await(
        OmeImage.builder(List.of(y, x))
            .scale("y", 0.5)
            .scale("x", 0.25)
            .translation("x", 10)
            .writeLabels(
                image,
                "cells",
                hierarchy,
                NdArray.ofInts(DataTypes.INT32, Shape.of(30, 50), cells)));
  }

  @Test
  void images_of_each_version_are_exchanged_with_the_programs_in_python() throws Exception {
    write("0.5");
    write("0.6");
    String read =
        Python.with("zarr, jsonschema, ngff_zarr, ome_zarr_models, ome_zarr", "OME_PYTHON")
            .run(SCRIPT, directory);
    assertThat(read.strip()).endsWith("read");
    for (String version : List.of("0.4", "0.5", "0.6")) {
      OmeImage image =
          requireNonNull(
              await(OmeImage.open(Zarr.at(directory.resolve("made-" + version).toString()))));
      assertThat(image.metadata().problems()).as(version).isEmpty();
      assertThat(image.metadata().version()).isEqualTo(version);
      assertThat(image.levels()).hasSize(2);
      OmeLevel level = image.levels().get(1);
      assertThat(level.array().shape()).isEqualTo(Shape.of(15, 25));
      assertThat(level.scale("y")).isEqualTo(1);
      assertThat(level.translation("y")).isEqualTo(3.25);
      NdArray finest = requireNonNull(await(image.levels().get(0).array().read()));
      assertThat(finest.getInt(29, 49)).isEqualTo(29 * 50 + 49);
    }
  }
}
