/**
 * Stores: the abstract store interface of the specification as publishers, the stores that need no
 * network, and decorators that add one behaviour each to any store.
 */
@NullMarked
package dev.zarrreactive.store;

import org.jspecify.annotations.NullMarked;
