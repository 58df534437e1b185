import dev.zarrreactive.store.StoreAdapter;
import dev.zarrreactive.store.StoreProvider;

/**
 * The abstract store interface of the specification as publishers, its decorators, and the stores
 * of memory and of files. Nothing here knows arrays.
 */
@SuppressWarnings({"module", "requires-automatic", "requires-transitive-automatic"})
module dev.zarrreactive.store {
  requires transitive dev.zarrreactive.base;
  requires transitive org.reactivestreams;
  requires transitive reactor.core;
  requires static transitive org.jspecify;
  requires static reactor.blockhound;

  exports dev.zarrreactive.observation;
  exports dev.zarrreactive.store;
  exports dev.zarrreactive.store.credential;
  exports dev.zarrreactive.store.decorator;
  exports dev.zarrreactive.store.file;
  exports dev.zarrreactive.store.memory;
  exports dev.zarrreactive.internal.cache to
      dev.zarrreactive.core,
      dev.zarrreactive.dataset,
      dev.zarrreactive.icechunk,
      dev.zarrreactive.imglib2,
      dev.zarrreactive.kerchunk,
      dev.zarrreactive.partition;
  exports dev.zarrreactive.internal.flow to
      dev.zarrreactive.anndata,
      dev.zarrreactive.arrow,
      dev.zarrreactive.azure,
      dev.zarrreactive.copy,
      dev.zarrreactive.core,
      dev.zarrreactive.dataset,
      dev.zarrreactive.encodings,
      dev.zarrreactive.ome,
      dev.zarrreactive.icechunk,
      dev.zarrreactive.kerchunk,
      dev.zarrreactive.objects,
      dev.zarrreactive.partition,
      dev.zarrreactive.remote,
      dev.zarrreactive.s3,
      dev.zarrreactive.server,
      dev.zarrreactive.virtual,
      dev.zarrreactive.webflux;
  exports dev.zarrreactive.internal.observation to
      dev.zarrreactive.core;
  exports dev.zarrreactive.internal.partial to
      dev.zarrreactive.zip;
  exports dev.zarrreactive.internal.sharing to
      dev.zarrreactive.core,
      dev.zarrreactive.gcs,
      dev.zarrreactive.http,
      dev.zarrreactive.icechunk,
      dev.zarrreactive.objects,
      dev.zarrreactive.remote,
      dev.zarrreactive.s3,
      dev.zarrreactive.server;
  exports dev.zarrreactive.internal.store to
      dev.zarrreactive.core,
      dev.zarrreactive.icechunk,
      dev.zarrreactive.kerchunk,
      dev.zarrreactive.remote,
      dev.zarrreactive.zip;
  exports dev.zarrreactive.internal.threads to
      dev.zarrreactive.arrow,
      dev.zarrreactive.azure,
      dev.zarrreactive.core,
      dev.zarrreactive.credentials,
      dev.zarrreactive.flink,
      dev.zarrreactive.gcs,
      dev.zarrreactive.http,
      dev.zarrreactive.icechunk,
      dev.zarrreactive.kerchunk,
      dev.zarrreactive.remote,
      dev.zarrreactive.s3,
      dev.zarrreactive.server,
      dev.zarrreactive.zip,
      dev.zarrreactive.webflux;

  uses StoreAdapter;
  uses StoreProvider;
}
