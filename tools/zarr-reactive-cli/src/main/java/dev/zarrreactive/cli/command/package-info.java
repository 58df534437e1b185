/** The run of a command, its node, and the options that all commands accept. */
@NullMarked
package dev.zarrreactive.cli.command;

import org.jspecify.annotations.NullMarked;
