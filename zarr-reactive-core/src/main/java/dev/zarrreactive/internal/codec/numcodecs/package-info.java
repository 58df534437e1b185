/**
 * The codecs of numcodecs, which Zarr v2 uses and Zarr v3 arrays name {@code numcodecs.<id>}. One
 * class a codec or a family; several only wrap the codec that is registered for Zarr v3.
 */
@NullMarked
package dev.zarrreactive.internal.codec.numcodecs;

import org.jspecify.annotations.NullMarked;
