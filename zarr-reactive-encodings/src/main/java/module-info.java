/** Formats of elements: NumPy, CSV, JSON and PNG; and levels of resolution. */
@SuppressWarnings({"module", "requires-automatic"})
module dev.zarrreactive.encodings {
  requires transitive dev.zarrreactive.core;

  exports dev.zarrreactive.encodings;
  exports dev.zarrreactive.pyramid;
  exports dev.zarrreactive.internal.drawing to
      dev.zarrreactive.dataset;
  exports dev.zarrreactive.internal.files to
      dev.zarrreactive.webflux;
  exports dev.zarrreactive.internal.pyramid to
      dev.zarrreactive.geo,
      dev.zarrreactive.ome;
}
