/**
 * Values that are parts of objects elsewhere: the containers that a reader allows, and the base of
 * stores that refer to them.
 */
@NullMarked
package dev.zarrreactive.virtual;

import org.jspecify.annotations.NullMarked;
