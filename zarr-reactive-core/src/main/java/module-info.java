import dev.zarrreactive.codec.CodecProvider;
import dev.zarrreactive.codec.InflaterProvider;
import dev.zarrreactive.internal.metadata.DocumentTranslator;
import dev.zarrreactive.store.StoreProvider;

/**
 * A Zarr client in which nothing blocks: the model, the read line and the write line, the codecs,
 * and the stores that need no network.
 *
 * <p>The libraries behind some codecs are optional. An application on the module path that wants
 * them names their modules among its own: {@code org.xerial.snappy}, {@code
 * org.apache.commons.compress}, {@code org.tukaani.xz}, {@code msgpack.core}.
 */
@SuppressWarnings({"module", "requires-automatic", "requires-transitive-automatic"})
module dev.zarrreactive.core {
  requires transitive org.reactivestreams;
  requires transitive reactor.core;
  requires com.fasterxml.jackson.core;
  requires com.github.luben.zstd_jni;
  requires org.lz4.java;
  requires static transitive org.jspecify;
  requires static msgpack.core;
  requires static org.apache.commons.compress;
  requires static org.tukaani.xz;
  requires static org.xerial.snappy;
  requires static reactor.blockhound;

  exports dev.zarrreactive;
  exports dev.zarrreactive.array;
  exports dev.zarrreactive.array.selection;
  exports dev.zarrreactive.chunkgrid;
  exports dev.zarrreactive.chunkkey;
  exports dev.zarrreactive.codec;
  exports dev.zarrreactive.copy;
  exports dev.zarrreactive.datatype;
  exports dev.zarrreactive.encoding;
  exports dev.zarrreactive.error;
  exports dev.zarrreactive.extension;
  exports dev.zarrreactive.json;
  exports dev.zarrreactive.metadata;
  exports dev.zarrreactive.observation;
  exports dev.zarrreactive.spi;
  exports dev.zarrreactive.store;
  exports dev.zarrreactive.store.batch;
  exports dev.zarrreactive.store.decorator;
  exports dev.zarrreactive.store.file;
  exports dev.zarrreactive.store.memory;
  exports dev.zarrreactive.store.zip;
  exports dev.zarrreactive.internal.cache to
      dev.zarrreactive.dataset;
  exports dev.zarrreactive.internal.flow to
      dev.zarrreactive.dataset,
      dev.zarrreactive.s3,
      dev.zarrreactive.server;
  exports dev.zarrreactive.internal.guard to
      dev.zarrreactive.dataset;
  exports dev.zarrreactive.internal.sharing to
      dev.zarrreactive.http,
      dev.zarrreactive.s3,
      dev.zarrreactive.server;
  exports dev.zarrreactive.internal.threads to
      dev.zarrreactive.http,
      dev.zarrreactive.s3,
      dev.zarrreactive.server;
  exports dev.zarrreactive.internal.transfer to
      dev.zarrreactive.http,
      dev.zarrreactive.s3;

  uses CodecProvider;
  uses DocumentTranslator;
  uses InflaterProvider;
  uses StoreProvider;

  provides DocumentTranslator with
      dev.zarrreactive.internal.drafts.DraftTranslator;
  provides CodecProvider with
      dev.zarrreactive.internal.drafts.DraftCodecProvider,
      dev.zarrreactive.internal.codec.CoreCodecProvider,
      dev.zarrreactive.internal.codec.blosc.BloscProvider,
      dev.zarrreactive.internal.codec.compression.CompressionProvider,
      dev.zarrreactive.internal.codec.elementwise.ElementwiseProvider,
      dev.zarrreactive.internal.codec.n5.N5Provider,
      dev.zarrreactive.internal.codec.numcodecs.NumcodecsProvider,
      dev.zarrreactive.internal.codec.sharding.ShardingProvider,
      dev.zarrreactive.internal.codec.transpose.TransposeProvider,
      dev.zarrreactive.internal.codec.vlen.VlenProvider;
}
