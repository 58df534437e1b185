/** The locations of nodes and copies: paths, archives and URLs, and the stores that open them. */
@NullMarked
package dev.zarrreactive.cli.location;

import org.jspecify.annotations.NullMarked;
