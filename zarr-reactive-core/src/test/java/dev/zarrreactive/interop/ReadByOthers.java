package dev.zarrreactive.interop;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.Store;

/** An array of ours in a store, for programs that read it there. */
final class ReadByOthers {
  private ReadByOthers() {}

  /** Writes 0 to 23 to the array {@code an/array} of int32 [4, 6], in four chunks. */
  static void write(Store store) {
    ArrayMetadata metadata =
        ArrayMetadata.v3(Shape.of(4, 6), DataTypes.INT32).chunkShape(2, 3).build();
    ZarrArray array = Zarr.hierarchy(store).createArray("/an/array", metadata).block();
    int[] values = new int[24];
    for (int i = 0; i < values.length; i++) {
      values[i] = i;
    }
    array.write("...", NdArray.ofInts(DataTypes.INT32, Shape.of(4, 6), values)).block();
  }
}
