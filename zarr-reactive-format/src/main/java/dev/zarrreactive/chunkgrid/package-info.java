/** Chunk grids, which divide an array into chunks. */
@NullMarked
package dev.zarrreactive.chunkgrid;

import org.jspecify.annotations.NullMarked;
