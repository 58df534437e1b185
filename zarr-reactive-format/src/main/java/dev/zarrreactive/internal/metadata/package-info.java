/**
 * Translates the documents of Zarr v2 and of the drafts of Zarr v3 to the terms of Zarr v3, and
 * arrays of Zarr v3 to documents of Zarr v2.
 */
@NullMarked
package dev.zarrreactive.internal.metadata;

import org.jspecify.annotations.NullMarked;
