/** Values of arrays as the CF conventions, the NetCDF user guide and xarray read them. */
module dev.zarrreactive.cf {
  requires transitive dev.zarrreactive.core;
  requires dev.zarrreactive.encodings;

  exports dev.zarrreactive.cf;
}
