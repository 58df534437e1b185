/**
 * The write line: plans chunks, gathers and encodes their elements, and stores them on condition.
 */
@NullMarked
package dev.zarrreactive.internal.write;

import org.jspecify.annotations.NullMarked;
