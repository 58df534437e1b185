/** Arrays in memory, their shapes and elements, and chunks. */
@NullMarked
package dev.zarrreactive.array;

import org.jspecify.annotations.NullMarked;
