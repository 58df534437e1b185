/** Arrays in memory, their shapes, and selections of their elements. */
@NullMarked
package dev.zarrreactive.array;

import org.jspecify.annotations.NullMarked;
