/** Rasters on the Earth: coordinate reference systems and affine transforms. */
@NullMarked
package dev.zarrreactive.geo;

import org.jspecify.annotations.NullMarked;
