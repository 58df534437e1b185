/** Arrays and levels of OME-Zarr as lazy images of ImgLib2. */
@SuppressWarnings({"module", "requires-automatic", "requires-transitive-automatic"})
module dev.zarrreactive.imglib2 {
  requires transitive dev.zarrreactive.dataset;
  requires transitive dev.zarrreactive.ome;
  requires transitive net.imglib2;
  requires static org.jspecify;

  exports dev.zarrreactive.imglib2;
}
