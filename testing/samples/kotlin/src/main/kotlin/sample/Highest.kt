package sample

import dev.zarrreactive.Zarr
import dev.zarrreactive.ZarrArray
import dev.zarrreactive.array.NdArray
import dev.zarrreactive.array.Shape
import dev.zarrreactive.array.selection.Selection
import dev.zarrreactive.datatype.DataTypes
import dev.zarrreactive.metadata.ArrayMetadata
import kotlinx.coroutines.reactive.asFlow
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.reactor.awaitSingleOrNull
import kotlinx.coroutines.runBlocking

/** Writes an array into the directory, then looks at its chunks one by one. */
fun main(arguments: Array<String>) = runBlocking {
    val shape = Shape.of(6, 4)
    val array =
        Zarr.at(arguments[0])
            .createArray(ArrayMetadata.v3(shape, DataTypes.FLOAT32).chunkShape(2, 4).build())
            .awaitSingle()
    val relief = NdArray.ofFloats(DataTypes.FLOAT32, shape, *FloatArray(24) { it * 100f })
    array.write(Selection.all(), relief).awaitSingleOrNull()

    println("highest: ${highest(array)}")
    println("row 1: ${array.read("1,:").awaitSingle().toFloatArray().toList()}")
}

suspend fun highest(array: ZarrArray): Float {
    var highest = Float.NEGATIVE_INFINITY
    array.chunksInOrder(Selection.all()).asFlow().collect { chunk ->
        highest = maxOf(highest, chunk.data().toFloatArray().max())
    }
    return highest
}
