package dev.zarrreactive.benchmarks.dataset;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.AbstractStore;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.memory.MemoryStore;
import java.util.Random;
import java.util.Set;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A store of the variable {@code t2m(time, latitude, longitude)}, of any length, whose chunks are
 * copies of a few, made when they are asked for.
 */
final class VirtualClimate extends AbstractStore {
  static final int ROWS = 721;
  static final int COLUMNS = 1440;

  private static final int KINDS = 4;
  private static final String CHUNKS = "t2m/c/";

  private final Bytes group;
  private final Bytes array;
  private final Bytes[] chunks = new Bytes[KINDS];

  VirtualClimate(int times, int inChunk) {
    MemoryStore made = MemoryStore.create();
    JsonObject packed =
        JsonObject.EMPTY
            .with("_FillValue", JsonNumber.of(-32767))
            .with("scale_factor", new JsonNumber("0.0012"))
            .with("add_offset", new JsonNumber("285.0"));
    ArrayMetadata metadata =
        ArrayMetadata.v3(Shape.of(times, ROWS, COLUMNS), DataTypes.INT16)
            .chunkShape(inChunk, 103, 144)
            .dimensionNames("time", "latitude", "longitude")
            .attributes(packed)
            .build();
    var hierarchy = Zarr.hierarchy(made);
    hierarchy.createGroup("").block();
    var stored = hierarchy.createArray("t2m", metadata).block();
    Random random = new Random(17);
    for (int kind = 0; kind < KINDS; kind++) {
      int[] values = new int[inChunk * 103 * 144];
      for (int i = 0; i < values.length; i++) {
        values[i] =
            i % 1000 == kind ? -32767 : (int) (9000 * Math.sin(i / 7e3)) + random.nextInt(64);
      }
      stored
          .write(
              Selection.parse("0:" + inChunk + ",0:103," + 144 * kind + ":" + 144 * (kind + 1)),
              NdArray.ofInts(DataTypes.INT32, Shape.of(inChunk, 103, 144), values)
                  .cast(DataTypes.INT16))
          .block();
      chunks[kind] = made.get(StoreKey.of(CHUNKS + "0/0/" + kind)).block();
    }
    this.group = made.get(StoreKey.of("zarr.json")).block();
    this.array = made.get(StoreKey.of("t2m/zarr.json")).block();
  }

  @Override
  public Set<StoreCapability> capabilities() {
    return Set.of(StoreCapability.READ, StoreCapability.LIST);
  }

  @Override
  public Flux<StoreKey> listPrefix(StorePrefix prefix) {
    return Flux.just(StoreKey.of("zarr.json"), StoreKey.of("t2m/zarr.json"))
        .filter(prefix::contains);
  }

  @Override
  public Mono<Bytes> get(StoreKey key) {
    String value = key.value();
    if (value.equals("zarr.json")) {
      return Mono.just(group);
    } else if (value.equals("t2m/zarr.json")) {
      return Mono.just(array);
    } else if (!value.startsWith(CHUNKS)) {
      return Mono.empty();
    }
    return Mono.fromSupplier(
        () -> Bytes.wrap(chunks[Math.floorMod(value.hashCode(), KINDS)].toByteArray()));
  }
}
