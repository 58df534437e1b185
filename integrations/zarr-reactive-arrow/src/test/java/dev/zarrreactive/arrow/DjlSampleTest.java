package dev.zarrreactive.arrow;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.util.passthrough.PassthroughNDManager;
import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.store.memory.MemoryStore;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** The sample of arrays-elsewhere.md for DJL, by the manager of arrays that needs no engine. */
class DjlSampleTest {
  @Test
  void an_array_of_djl_is_made_of_a_buffer() {
    NdArray values =
        NdArray.ofFloats(
            DataTypes.FLOAT32, dev.zarrreactive.array.Shape.of(2, 3), 1, 2, 3, 4, 5, 6);
    Dataset weather =
        requireNonNull(
            Dataset.builder()
                .variable("air", List.of("lat", "lon"), values)
                .write(Zarr.hierarchy(MemoryStore.create()), "")
                .block());
    NDManager manager = PassthroughNDManager.INSTANCE;
    // docs: djl
    Mono<NDArray> tensor =
        weather
            .variable("air")
            .read()
            .map(data -> manager.create(data.asFloatBuffer(), new Shape(data.shape().toArray())));
    // docs: end
    NDArray made = requireNonNull(tensor.block());
    assertThat(made.getShape()).isEqualTo(new Shape(2, 3));
    assertThat(made.getDataType()).isEqualTo(DataType.FLOAT32);
    assertThat(made.toFloatArray()).containsExactly(1, 2, 3, 4, 5, 6);
  }
}
