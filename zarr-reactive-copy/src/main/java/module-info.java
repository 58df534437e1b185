/** Copies of hierarchies and arrays between stores, formats, chunk grids and codecs. */
@SuppressWarnings("module")
module dev.zarrreactive.copy {
  requires transitive dev.zarrreactive.core;
  requires dev.zarrreactive.codecs;
  requires static transitive org.jspecify;

  exports dev.zarrreactive.copy;
  exports dev.zarrreactive.internal.copying to
      dev.zarrreactive.cli;
}
