/** Datasets as the CF conventions, the NetCDF user guide and xarray read them. */
@SuppressWarnings({"module", "requires-automatic"})
module dev.zarrreactive.dataset {
  requires transitive dev.zarrreactive.cf;
  requires transitive dev.zarrreactive.core;
  requires transitive dev.zarrreactive.encodings;
  requires dev.zarrreactive.codecs;
  requires sketches.java;

  exports dev.zarrreactive.dataset;
  exports dev.zarrreactive.internal.labels to
      dev.zarrreactive.webflux;
  exports dev.zarrreactive.internal.rows to
      dev.zarrreactive.arrow,
      dev.zarrreactive.flink,
      dev.zarrreactive.spark,
      dev.zarrreactive.webflux;
}
