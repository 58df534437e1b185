import dev.zarrreactive.store.ArchiveProvider;
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
  requires transitive dev.zarrreactive.base;
  requires transitive dev.zarrreactive.format;
  requires transitive org.reactivestreams;
  requires transitive reactor.core;
  requires static transitive org.jspecify;
  requires static reactor.blockhound;

  exports dev.zarrreactive;
  exports dev.zarrreactive.copy;
  exports dev.zarrreactive.encoding;
  exports dev.zarrreactive.observation;
  exports dev.zarrreactive.store;
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

  uses ArchiveProvider;
  uses StoreProvider;

  provides ArchiveProvider with
      dev.zarrreactive.store.zip.ZipProvider;
}
