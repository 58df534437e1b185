package dev.zarrreactive.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Json;
import dev.zarrreactive.testing.Python;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The data types that TensorStore writes in both formats, and NumPy lacks. The documents are those
 * of TensorStore 0.1.86; the other tests need a Python with tensorstore, and are skipped without.
 */
class TensorStoreTypesTest {
  private static final List<String> TYPES =
      List.of(
          "bfloat16",
          "float8_e3m4",
          "float8_e4m3fn",
          "float8_e4m3fnuz",
          "float8_e4m3b11fnuz",
          "float8_e5m2",
          "float8_e5m2fnuz",
          "float8_e8m0fnu",
          "float4_e2m1fn",
          "int4",
          "int2");

  /** Reads our arrays, and writes the same values next to them. */
  private static final String SCRIPT =
      """
      import os, sys
      import numpy as np
      import tensorstore as ts

      root, driver, types = sys.argv[1:]
      for name in types.split(","):
          where = lambda side: {"driver": "file", "path": os.path.join(root, side, name)}
          ours = ts.open({"driver": driver, "kvstore": where("ours")}).result()
          assert ours.dtype.name == name, (name, ours.dtype)
          values = ours.read().result()
          expected = b"\\x80\\x3f\\x00\\xc0" if values.itemsize == 2 else b"\\x01\\x00"
          assert values[:2].tobytes() == expected, (name, values[:2].tobytes())
          assert values[2:].tobytes() == bytes(2 * values.itemsize), (name, values)
          theirs = ts.open({"driver": driver, "kvstore": where("theirs"), "create": True},
                           dtype=ts.dtype(name), shape=[4]).result()
          theirs[:2].write(values[:2]).result()
      """;

  @TempDir Path directory;

  private static DataType type(String name) {
    return DataTypes.parse(NamedConfiguration.of(name));
  }

  private static JsonObject v2Document(String type, String fillValue) {
    return Json.object(
        "{'chunks':[2],'compressor':null,'dimension_separator':'.','dtype':'"
            + type
            + "','fill_value':"
            + fillValue
            + ",'filters':null,'order':'C','shape':[4],'zarr_format':2}");
  }

  @ParameterizedTest
  @CsvSource({
    "bfloat16, null, 803f80bf, 803f80bf00000000",
    "bfloat16, 1.5, 803f80bf, 803f80bfc03fc03f",
    "bfloat16, 'NaN', 803f80bf, 803f80bfc07fc07f",
    "float8_e4m3fn, null, 38b8, 38b80000",
    "float8_e4m3fn, 'NaN', 38b8, 38b87f7f",
    "float8_e8m0fnu, 0.0, 7fff, 7fff0000",
    "float8_e8m0fnu, null, 7fff, 7fff0000",
    "float4_e2m1fn, null, 020a, 020a0000",
    "int2, 0, 0103, 01030000",
    "int4, 0, 0107, 01070000",
  })
  void an_array_of_zarr_v2_has_the_bytes_that_tensorstore_reads(
      String type, String fillValue, String chunk, String bytes) {
    Store store = MemoryStore.create();
    String quoted = fillValue.equals("NaN") ? "'NaN'" : fillValue;
    JsonObject document = v2Document(type, quoted);
    store.set(StoreKey.of(".zarray"), Bytes.utf8(document.toString())).block();
    store.set(StoreKey.of("0"), hex(chunk)).block();
    ZarrArray array = Zarr.hierarchy(store).openArray("").block();
    assertThat(array.dataType()).isEqualTo(type(type));
    assertThat(array.read(Selection.all()).block().bytes()).isEqualTo(hex(bytes));
  }

  @Test
  void of_zarr_v3_a_fill_value_of_zero_is_the_image_of_zero_bits() {
    Store store = MemoryStore.create();
    JsonObject document =
        Json.object(
            "{'chunk_grid':{'configuration':{'chunk_shape':[2]},'name':'regular'},"
                + "'chunk_key_encoding':{'name':'default'},'codecs':[{'name':'bytes'}],"
                + "'data_type':'float8_e8m0fnu','fill_value':0.0,'node_type':'array',"
                + "'shape':[4],'zarr_format':3}");
    store.set(StoreKey.of("zarr.json"), Bytes.utf8(document.toString())).block();
    ZarrArray array = Zarr.hierarchy(store).openArray("").block();
    assertThat(array.read(Selection.all()).block().bytes()).isEqualTo(hex("00000000"));
    assertThat(array.metadata().document()).isEqualTo(document);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void tensorstore_reads_the_same_bytes_and_its_arrays_are_read_here(int format) throws Exception {
    for (String type : TYPES) {
      ArrayMetadata metadata =
          (format == 2
                  ? ArrayMetadata.v2(Shape.of(4), type(type))
                  : ArrayMetadata.v3(Shape.of(4), type(type)))
              .uncompressed()
              .chunkShape(2)
              .build();
      Store store = FileSystemStore.open(directory.resolve("ours/" + type));
      ZarrArray array = Zarr.hierarchy(store).createArray("", metadata).block();
      array.write(Selection.parse("0:2"), content(type)).block();
    }
    Python.with("numpy, tensorstore")
        .run(SCRIPT, directory, format == 2 ? "zarr" : "zarr3", String.join(",", TYPES));
    for (String type : TYPES) {
      Store store = FileSystemStore.open(directory.resolve("theirs/" + type));
      ZarrArray array = Zarr.hierarchy(store).openArray("").block();
      assertThat(array.dataType()).isEqualTo(type(type));
      assertThat(array.read(Selection.parse("0:2")).block().bytes())
          .as(type)
          .isEqualTo(content(type).bytes());
    }
  }

  private static NdArray content(String type) {
    DataType dataType = type(type);
    Bytes bytes = dataType.itemSize() == 2 ? hex("803f00c0") : hex("0100");
    return NdArray.wrap(dataType, Shape.of(2), bytes);
  }

  private static Bytes hex(String text) {
    return Bytes.wrap(HexFormat.of().parseHex(text));
  }
}
