/**
 * The codecs of imagecodecs that virtual data need: compressions and filters of TIFF and HDF5, by
 * the names that references give them.
 */
@NullMarked
package dev.zarrreactive.internal.codec.imagecodecs;

import org.jspecify.annotations.NullMarked;
