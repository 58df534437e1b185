/** A Zarr client in which nothing blocks: arrays and groups, the read line and the write line. */
@SuppressWarnings({"module", "requires-automatic"})
module dev.zarrreactive.core {
  requires transitive dev.zarrreactive.format;
  requires dev.zarrreactive.codecs;
  requires transitive dev.zarrreactive.store;
  requires static transitive org.jspecify;
  requires static reactor.blockhound;

  exports dev.zarrreactive;
  exports dev.zarrreactive.encoding;
  exports dev.zarrreactive.internal.context to
      dev.zarrreactive.copy;
  exports dev.zarrreactive.internal.hierarchy to
      dev.zarrreactive.copy,
      dev.zarrreactive.partition;
}
