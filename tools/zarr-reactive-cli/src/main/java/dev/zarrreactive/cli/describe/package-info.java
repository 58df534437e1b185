/** Nodes described for people. */
@NullMarked
package dev.zarrreactive.cli.describe;

import org.jspecify.annotations.NullMarked;
