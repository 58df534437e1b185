/**
 * Icechunk repositories: versions of a Zarr hierarchy in one store, of which each is a store that
 * is read.
 */
@NullMarked
package dev.zarrreactive.icechunk;

import org.jspecify.annotations.NullMarked;
