/** Stores whose values are parts of objects elsewhere, and the locations that they may read. */
module dev.zarrreactive.virtual {
  requires transitive dev.zarrreactive.store;
  requires static transitive org.jspecify;

  exports dev.zarrreactive.virtual;
}
