package sample;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import reactor.core.publisher.Mono;

/** Writes an array of temperatures where there is none, and reads a slice of it. */
public final class Temperatures {
  private Temperatures() {}

  /** Takes a directory, or the URL of an array that is there. */
  public static void main(String[] arguments) {
    String location = arguments[0];
    NdArray slice =
        Zarr.at(location)
            .exists()
            .flatMap(exists -> exists ? Mono.empty() : write(location))
            .then(read(location))
            .block();
    System.out.println(slice);
  }

  static Mono<Void> write(String location) {
    Shape shape = Shape.of(4, 6); // four days, six hours each
    float[] values = new float[24];
    for (int i = 0; i < values.length; i++) {
      values[i] = 280 + i / 2f;
    }
    return Zarr.at(location)
        .createArray(ArrayMetadata.v3(shape, DataTypes.FLOAT32).chunkShape(2, 3).build())
        .flatMap(
            array ->
                array
                    .write(Selection.all(), NdArray.ofFloats(DataTypes.FLOAT32, shape, values))
                    .then(array.write(Selection.parse("3,5"), 300.0))); // one element
  }

  static Mono<NdArray> read(String location) {
    return Zarr.at(location).openArray().flatMap(array -> array.read("2:4,1::2"));
  }
}
