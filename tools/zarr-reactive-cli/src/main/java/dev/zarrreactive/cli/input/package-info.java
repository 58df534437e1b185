/** Arrays made of files: NumPy, raw binary, CSV and PNG. */
@NullMarked
package dev.zarrreactive.cli.input;

import org.jspecify.annotations.NullMarked;
