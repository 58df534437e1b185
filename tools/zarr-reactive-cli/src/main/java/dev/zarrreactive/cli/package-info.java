/** The {@code zarr} command: its subcommands, their arguments and their exit codes. */
@NullMarked
package dev.zarrreactive.cli;

import org.jspecify.annotations.NullMarked;
