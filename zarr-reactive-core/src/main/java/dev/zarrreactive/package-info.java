/** The entry point: open, read, stream and write Zarr hierarchies. */
@NullMarked
package dev.zarrreactive;

import org.jspecify.annotations.NullMarked;
