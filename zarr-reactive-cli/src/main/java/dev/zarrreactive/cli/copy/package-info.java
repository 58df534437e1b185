/** How a copy is shown: its progress, and in the end what it took. */
@NullMarked
package dev.zarrreactive.cli.copy;

import org.jspecify.annotations.NullMarked;
