package dev.zarrreactive.benchmarks.compare;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.codec.Blosc;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;

/** The arrays of uint16 that are read, of one content, in chunks of 64³. */
enum ComparedArray {
  RAW("raw", "no codec"),
  ZSTD("zstd", "zstd"),
  LZ4("lz4", "blosc-lz4"),
  BITSHUFFLE("bitshuffle", "blosc-zstd-bitshuffle"),
  GZIP("gzip", "gzip"),
  SHARDED_64("sharded64", "shards of 64³"),
  SHARDED_16("sharded16", "shards of 16³");

  private final String path;
  private final String title;

  ComparedArray(String path, String title) {
    this.path = path;
    this.title = title;
  }

  String path() {
    return path;
  }

  String title() {
    return title;
  }

  /** Returns the metadata of an array with {@code side} elements along each dimension. */
  ArrayMetadata metadata(int side) {
    ArrayMetadataBuilder metadata =
        ArrayMetadata.v3(Shape.of(side, side, side), DataTypes.UINT16).chunkShape(64, 64, 64);
    long shard = Math.min(256, side);
    return switch (this) {
      case RAW -> metadata.uncompressed().build();
      case ZSTD -> metadata.compressors(Codecs.zstd(3)).build();
      case LZ4 ->
          metadata.compressors(Codecs.blosc(Blosc.Compressor.LZ4).level(5).shuffle()).build();
      case BITSHUFFLE ->
          metadata.compressors(Codecs.blosc(Blosc.Compressor.ZSTD).level(5).bitshuffle()).build();
      case GZIP -> metadata.compressors(Codecs.gzip(5)).build();
      case SHARDED_64 ->
          metadata.shardShape(shard, shard, shard).compressors(Codecs.zstd(3)).build();
      case SHARDED_16 ->
          metadata
              .chunkShape(16, 16, 16)
              .shardShape(shard, shard, shard)
              .compressors(Codecs.zstd(3))
              .build();
    };
  }
}
