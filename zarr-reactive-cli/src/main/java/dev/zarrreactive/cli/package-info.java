/** The {@code zarr} command. */
@NullMarked
package dev.zarrreactive.cli;

import org.jspecify.annotations.NullMarked;
