/** Rows of tables: which elements of variables stand beside each other. */
@NullMarked
package dev.zarrreactive.internal.rows;

import org.jspecify.annotations.NullMarked;
