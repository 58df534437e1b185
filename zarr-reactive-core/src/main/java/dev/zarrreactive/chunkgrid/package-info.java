/** Chunk grids: how an array is divided into chunks. */
@NullMarked
package dev.zarrreactive.chunkgrid;

import org.jspecify.annotations.NullMarked;
