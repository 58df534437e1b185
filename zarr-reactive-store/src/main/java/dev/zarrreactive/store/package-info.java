/**
 * Stores: the abstract store interface of the specification as publishers, its keys, ranges and
 * versions, and the bases for stores and decorators of one's own.
 */
@NullMarked
package dev.zarrreactive.store;

import org.jspecify.annotations.NullMarked;
