/**
 * Icechunk repositories: versions of a Zarr hierarchy in one store. Each version is a store that is
 * read; a session is one that is written, and committed as the next version.
 */
@NullMarked
package dev.zarrreactive.icechunk;

import org.jspecify.annotations.NullMarked;
