/** Images as OME-Zarr describes them. */
module dev.zarrreactive.ome {
  requires transitive dev.zarrreactive.core;
  requires transitive dev.zarrreactive.encodings;

  exports dev.zarrreactive.ome;
}
