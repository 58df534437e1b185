/** The process of the command: its exit codes, its interrupts, its memory, its libraries' logs. */
@NullMarked
package dev.zarrreactive.cli.process;

import org.jspecify.annotations.NullMarked;
