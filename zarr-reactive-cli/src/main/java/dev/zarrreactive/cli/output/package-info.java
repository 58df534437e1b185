/** Elements written as text, {@code .npy}, raw bytes or JSON lines. */
@NullMarked
package dev.zarrreactive.cli.output;

import org.jspecify.annotations.NullMarked;
