/**
 * The codecs of numcodecs, which Zarr v2 uses and Zarr v3 arrays name {@code numcodecs.<id>}. Each
 * codec or family has one class; several wrap the codec that is registered for Zarr v3.
 */
@NullMarked
package dev.zarrreactive.internal.codec.numcodecs;

import org.jspecify.annotations.NullMarked;
