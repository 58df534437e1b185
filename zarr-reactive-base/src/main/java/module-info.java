/** Errors and their place, bytes and ranges of them, keys of stores: what every module names. */
@SuppressWarnings("module")
module dev.zarrreactive.base {
  requires static transitive org.jspecify;

  exports dev.zarrreactive.base;
  exports dev.zarrreactive.error;
  exports dev.zarrreactive.spi;
  exports dev.zarrreactive.internal.guard to
      dev.zarrreactive.core,
      dev.zarrreactive.cf,
      dev.zarrreactive.dataset,
      dev.zarrreactive.ome,
      dev.zarrreactive.format,
      dev.zarrreactive.store;
  exports dev.zarrreactive.internal.text to
      dev.zarrreactive.copy,
      dev.zarrreactive.core,
      dev.zarrreactive.store;
}
