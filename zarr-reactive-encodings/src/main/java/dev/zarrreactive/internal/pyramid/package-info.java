/** Fills levels of resolution, for images and rasters. */
@NullMarked
package dev.zarrreactive.internal.pyramid;

import org.jspecify.annotations.NullMarked;
