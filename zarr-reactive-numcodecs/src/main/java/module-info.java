import dev.zarrreactive.chunkkey.ChunkKeyEncodingProvider;
import dev.zarrreactive.codec.CodecProvider;

/**
 * The codecs of numcodecs, N5 and imagecodecs, which arrays of Zarr v2 and of other programs name.
 *
 * <p>The libraries behind some of them are optional. An application on the module path that wants
 * them names their modules among its own: {@code org.apache.commons.compress}, {@code
 * org.tukaani.xz}, {@code msgpack.core}.
 */
@SuppressWarnings({"module", "requires-automatic"})
module dev.zarrreactive.numcodecs {
  requires transitive dev.zarrreactive.format;
  requires dev.zarrreactive.codecs;
  requires org.lz4.java;
  requires static transitive org.jspecify;
  requires static msgpack.core;
  requires static org.apache.commons.compress;
  requires static org.tukaani.xz;

  provides ChunkKeyEncodingProvider with
      dev.zarrreactive.internal.keys.ExtensionKeysProvider;
  provides CodecProvider with
      dev.zarrreactive.internal.codec.elementwise.ElementwiseProvider,
      dev.zarrreactive.internal.codec.extension.ExtensionProvider,
      dev.zarrreactive.internal.codec.imagecodecs.ImagecodecsProvider,
      dev.zarrreactive.internal.codec.n5.N5Provider,
      dev.zarrreactive.internal.codec.numcodecs.NumcodecsProvider,
      dev.zarrreactive.internal.codec.pco.PcoProvider,
      dev.zarrreactive.internal.codec.zfp.ZfpProvider;
}
