/** Serving a store, and slices of its arrays, over HTTP. */
@NullMarked
package dev.zarrreactive.server;

import org.jspecify.annotations.NullMarked;
