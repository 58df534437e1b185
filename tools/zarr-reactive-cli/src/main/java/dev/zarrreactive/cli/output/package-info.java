/** Elements written as text, or in an encoding of the library. */
@NullMarked
package dev.zarrreactive.cli.output;

import org.jspecify.annotations.NullMarked;
