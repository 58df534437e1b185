/** Checks of a hierarchy: its metadata, its consolidated metadata, its chunks. */
@NullMarked
package dev.zarrreactive.cli.check;

import org.jspecify.annotations.NullMarked;
