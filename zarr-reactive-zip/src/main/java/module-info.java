import dev.zarrreactive.store.ArchiveProvider;

/** The store of one zip archive, read by ranges of it. */
module dev.zarrreactive.zip {
  requires transitive dev.zarrreactive.store;
  requires static transitive org.jspecify;

  exports dev.zarrreactive.store.zip;

  provides ArchiveProvider with
      dev.zarrreactive.store.zip.ZipProvider;
}
