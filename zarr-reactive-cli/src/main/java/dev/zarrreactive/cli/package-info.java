/** The {@code zarr} command: its subcommands, what they take and how they end. */
@NullMarked
package dev.zarrreactive.cli;

import org.jspecify.annotations.NullMarked;
