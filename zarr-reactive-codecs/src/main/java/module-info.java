import dev.zarrreactive.codec.CodecProvider;
import dev.zarrreactive.codec.InflaterProvider;

/**
 * The codecs of the specification and of its registry, as plain functions over bytes; and the plans
 * of selections chunk by chunk, which the codec of shards shares with the engine.
 *
 * <p>The library behind snappy is optional. An application on the module path that wants it names
 * {@code org.xerial.snappy} among its own modules.
 */
@SuppressWarnings({"module", "requires-automatic"})
module dev.zarrreactive.codecs {
  requires transitive dev.zarrreactive.format;
  requires com.github.luben.zstd_jni;
  requires org.lz4.java;
  requires static transitive org.jspecify;
  requires static org.xerial.snappy;

  exports dev.zarrreactive.internal.codec to
      dev.zarrreactive.numcodecs;
  exports dev.zarrreactive.internal.codec.blosc to
      dev.zarrreactive.numcodecs;
  exports dev.zarrreactive.internal.codec.compression to
      dev.zarrreactive.kerchunk,
      dev.zarrreactive.numcodecs;
  exports dev.zarrreactive.internal.codec.shuffle to
      dev.zarrreactive.numcodecs;
  exports dev.zarrreactive.internal.planning to
      dev.zarrreactive.copy,
      dev.zarrreactive.core,
      dev.zarrreactive.dataset,
      dev.zarrreactive.numcodecs;

  uses InflaterProvider;

  provides CodecProvider with
      dev.zarrreactive.internal.codec.CoreCodecProvider,
      dev.zarrreactive.internal.codec.blosc.BloscProvider,
      dev.zarrreactive.internal.codec.compression.CompressionProvider,
      dev.zarrreactive.internal.codec.sharding.ShardingProvider,
      dev.zarrreactive.internal.codec.transpose.TransposeProvider,
      dev.zarrreactive.internal.codec.vlen.VlenProvider;
}
