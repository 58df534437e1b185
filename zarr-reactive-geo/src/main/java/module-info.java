/** Rasters on the Earth, and the conventions of attributes that a node declares. */
module dev.zarrreactive.geo {
  requires transitive dev.zarrreactive.dataset;

  exports dev.zarrreactive.convention;
  exports dev.zarrreactive.geo;
}
