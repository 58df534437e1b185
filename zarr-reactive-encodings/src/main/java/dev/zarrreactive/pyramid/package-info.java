/** Levels of resolution: how the elements of a level are made of those of a finer one. */
@NullMarked
package dev.zarrreactive.pyramid;

import org.jspecify.annotations.NullMarked;
