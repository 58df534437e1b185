/** The files of an Icechunk repository, read in place and written. Nothing here reads a store. */
@NullMarked
package dev.zarrreactive.internal.icechunk;

import org.jspecify.annotations.NullMarked;
