/** Help, the version, and errors of usage. */
@NullMarked
package dev.zarrreactive.cli.help;

import org.jspecify.annotations.NullMarked;
