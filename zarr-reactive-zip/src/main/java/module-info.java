import dev.zarrreactive.store.StoreAdapter;

/** The store of one zip archive, read by ranges of it. */
module dev.zarrreactive.zip {
  requires transitive dev.zarrreactive.store;
  requires static transitive org.jspecify;

  exports dev.zarrreactive.store.zip;

  provides StoreAdapter with
      dev.zarrreactive.store.zip.ZipAdapter;
}
