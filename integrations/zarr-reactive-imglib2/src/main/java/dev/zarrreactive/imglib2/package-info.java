/** Arrays and levels of OME-Zarr as lazy images of ImgLib2. */
@NullMarked
package dev.zarrreactive.imglib2;

import org.jspecify.annotations.NullMarked;
