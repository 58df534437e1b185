/** Annotated matrices as AnnData stores them, and the elements of SpatialData; read only. */
@NullMarked
package dev.zarrreactive.anndata;

import org.jspecify.annotations.NullMarked;
