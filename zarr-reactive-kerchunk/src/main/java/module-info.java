/**
 * References of kerchunk as stores that are read.
 *
 * <p>The library behind snappy, which few files of Parquet with references use, is optional. An
 * application on the module path that wants it names {@code org.xerial.snappy} among its own
 * modules.
 */
@SuppressWarnings({"module", "requires-automatic"})
module dev.zarrreactive.kerchunk {
  requires transitive dev.zarrreactive.virtual;
  requires com.fasterxml.jackson.core;
  requires com.github.luben.zstd_jni;
  requires dev.zarrreactive.codecs;
  requires static transitive org.jspecify;
  requires static org.xerial.snappy;

  exports dev.zarrreactive.kerchunk;

  provides dev.zarrreactive.store.StoreAdapter with
      dev.zarrreactive.kerchunk.KerchunkAdapter;
}
