package sample;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;

/** Creates an array, writes a row of it, and reads a slice. */
public final class Rows {
  private Rows() {}

  /** Takes a directory that is not there yet. */
  public static void main(String[] arguments) {
    NdArray row = NdArray.ofInts(DataTypes.INT32, Shape.of(4), 1, 2, 3, 4);
    NdArray slice =
        Zarr.at(arguments[0])
            .createArray(ArrayMetadata.v3(Shape.of(2, 4), DataTypes.INT32).build())
            .flatMap(array -> array.write(Selection.parse("1,:"), row).then(array.read(":,1:3")))
            .block();
    System.out.println(slice);
  }
}
