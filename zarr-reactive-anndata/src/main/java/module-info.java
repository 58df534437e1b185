/** Annotated matrices as AnnData stores them, and the elements of SpatialData. */
@SuppressWarnings("module")
module dev.zarrreactive.anndata {
  requires transitive dev.zarrreactive.ome;

  exports dev.zarrreactive.anndata;
}
