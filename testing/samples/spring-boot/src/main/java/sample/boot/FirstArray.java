package sample.boot;

import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Creates and writes an array where there is none, before the service answers. */
@Component
class FirstArray implements InitializingBean {
  private static final Shape SHAPE = Shape.of(3, 4);

  private final ZarrHierarchy zarr;

  FirstArray(ZarrHierarchy zarr) {
    this.zarr = zarr;
  }

  @Override
  public void afterPropertiesSet() {
    zarr.exists("europe/t").flatMap(exists -> exists ? Mono.empty() : write()).block();
  }

  private Mono<Void> write() {
    int[] values = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    return zarr.createArray("europe/t", ArrayMetadata.v3(SHAPE, DataTypes.INT32).build())
        .flatMap(t -> t.write(Selection.all(), NdArray.ofInts(DataTypes.INT32, SHAPE, values)));
  }
}
