import dev.zarrreactive.Zarr
import dev.zarrreactive.array.*
import dev.zarrreactive.array.selection.*
import dev.zarrreactive.datatype.*
import dev.zarrreactive.metadata.*

// writes an array, where there is none
Zarr.at("squares.zarr").createArray(ArrayMetadata.v3(Shape.of(8), DataTypes.INT32).build()).flatMap(a -> a.write(Selection.all(), NdArray.ofInts(DataTypes.INT32, Shape.of(8), 0, 1, 4, 9, 16, 25, 36, 49))).block()

// the line that opens an array, and one that reads of it
var squares = Zarr.at("squares.zarr").openArray().block()
System.out.println(squares.read("2:6").block())
/exit
