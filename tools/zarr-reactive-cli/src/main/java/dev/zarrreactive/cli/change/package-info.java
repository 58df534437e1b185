/** Commands that change stored nodes. */
@NullMarked
package dev.zarrreactive.cli.change;

import org.jspecify.annotations.NullMarked;
