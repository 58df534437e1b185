package dev.zarrreactive;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.codec.Blosc;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.internal.threads.FileThreads;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.store.memory.MemoryStore;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Writes and reads small arrays in memory, as the first requests of a service would. */
final class WarmUp {
  private static final Shape SHAPE = Shape.of(16, 16);

  private WarmUp() {}

  /** Codecs are looked for in files, on a thread that may block; codec threads do the rest. */
  static Mono<Void> run() {
    return FileThreads.call(() -> Zarr.hierarchy(MemoryStore.create()), WarmUp::unreadable)
        .publishOn(Environment.current().codecScheduler())
        .flatMap(
            hierarchy ->
                hierarchy
                    .createGroup("")
                    .thenReturn(arrays())
                    .flatMapMany(arrays -> Flux.fromIterable(arrays).index())
                    .concatMap(array -> use(hierarchy, "a" + array.getT1(), array.getT2()))
                    .then(Mono.defer(() -> hierarchy.openGroup("")))
                    .flatMapMany(ZarrGroup::tree)
                    .then());
  }

  private static StoreException unreadable(IOException error) {
    return new StoreException("the codecs cannot be looked for", Location.UNKNOWN, error);
  }

  private static List<ArrayMetadata> arrays() {
    return List.of(
        array().build(),
        array().shardShape(16, 16).compressors(Codecs.zstd(1)).build(),
        array().compressors(Codecs.gzip(1), Codecs.crc32c()).build(),
        array().compressors(Codecs.blosc(Blosc.Compressor.LZ4)).build(),
        array().compressors(Codecs.blosc(Blosc.Compressor.ZSTD)).build(),
        ArrayMetadata.v2(SHAPE, DataTypes.FLOAT64)
            .chunkShape(8, 8)
            .compressors(Codecs.blosc(Blosc.Compressor.LZ4))
            .build());
  }

  private static ArrayMetadataBuilder array() {
    return ArrayMetadata.v3(SHAPE, DataTypes.FLOAT64).chunkShape(8, 8);
  }

  /** A codec that this machine lacks is left out. */
  private static Mono<Void> use(ZarrHierarchy hierarchy, String path, ArrayMetadata metadata) {
    double[] numbers = IntStream.range(0, 256).asDoubleStream().toArray();
    return hierarchy
        .createArray(path, metadata)
        .flatMap(
            array ->
                array
                    .write(Selection.all(), NdArray.ofDoubles(SHAPE, numbers))
                    .then(Mono.defer(() -> hierarchy.openArray(path))))
        .flatMap(
            array ->
                array
                    .read(Selection.all())
                    .then(array.read(Selection.parse("1:9,::2")))
                    .then(array.chunksInOrder(Selection.all()).then())
                    .then(array.readBytes(Selection.all(), 1024).then()))
        .onErrorResume(UnsupportedFeatureException.class, missing -> Mono.empty());
  }
}
