package dev.zarrreactive.docs;

// docs: readme
import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.selection.Selection;
import reactor.core.publisher.Mono;

public class Europe {
  public static void main(String[] arguments) {
    // Only the chunks that hold a part of the selection are fetched, all at once.
    Mono<NdArray> europe =
        Zarr.at("earth.zarr/earth/rgb")
            .openArray()
            .flatMap(array -> array.read(Selection.parse("60:120,340:420")));

    // An array of any size, chunk by chunk: as fast as it is consumed, never all of it in memory.
    Mono<Long> bright =
        Zarr.at("earth.zarr/earth/relief")
            .openArray()
            .flatMapMany(array -> array.chunks(Selection.all()))
            .reduce(0L, (sum, chunk) -> sum + brightOf(chunk.data().toFloatArray()));

    System.out.println(europe.block().shape()); // [60, 80, 3]
    System.out.println(bright.block() + " bright elements"); // 52695 bright elements
  }

  static long brightOf(float[] values) {
    long count = 0;
    for (float value : values) {
      count += value > 0.8f ? 1 : 0;
    }
    return count;
  }
}
// docs: end
